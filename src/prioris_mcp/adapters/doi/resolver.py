"""Where a DOI leads: doi.org is asked, and what it points to is read but never requested."""

from __future__ import annotations

from urllib.parse import quote, urljoin

from prioris_mcp.adapters.http.gateway import Answer, Limits
from prioris_mcp.adapters.http.upstream import Upstream
from prioris_mcp.domain.sources.doi import Doi
from prioris_mcp.domain.sources.table import named, takes_dois
from prioris_mcp.errors import InvalidRequestError, MisdirectedError, NotFoundError, ProviderUnavailableError
from prioris_mcp.remedies import ADD_FILE, Action, Remedy

HOSTS = frozenset({"doi.org", "www.doi.org", "dx.doi.org"})
_SEARCH = Remedy(Action.SEARCH, named(takes_dois)[0])
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


def refused(answer: Answer) -> bool:
    """Whether doi.org asks us to slow down."""
    return answer.status == 429


class DoiResolver:
    """LandingPages of ``ports/sources.py``."""

    def __init__(self, upstream: Upstream, limits: Limits) -> None:
        self._upstream, self._limits = upstream, limits

    async def landing(self, doi: Doi) -> str:
        # What to encode: https://www.doi.org/the-identifier/resources/factsheets/doi-resolution-documentation
        url = f"https://doi.org/{quote(doi.text, safe='/:()')}"
        answer = await self._upstream.get(url, self._limits, leave=True)
        if answer.status == 404:
            raise NotFoundError(
                f"DOI not registered: {doi}; check its spelling, or look for the work with ",
                Remedy(Action.DISCOVER),
                " or ",
                _SEARCH,
            )
        if answer.status == 400:
            raise InvalidRequestError(f"doi.org takes this for no DOI: {doi}; check its spelling")
        location = answer.headers.get("location", "")
        if answer.status not in _REDIRECTS or not location:
            raise ProviderUnavailableError(
                f"doi.org answered HTTP {answer.status} (unexpected status) for {doi}; try again later"
            )
        try:
            return urljoin(answer.url, location)
        except ValueError as exc:
            raise MisdirectedError(
                f"doi.org answered HTTP {answer.status} with an address that is none for {doi}; look for the work"
                " with ",
                _SEARCH,
                ", or add its PDF with ",
                ADD_FILE,
            ) from exc
