"""Europe PMC's search service as records."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote, urlencode

from prioris_mcp.adapters.europepmc import decode
from prioris_mcp.adapters.europepmc.decode import Article, ArticlesPage, EnvelopeError
from prioris_mcp.adapters.http.gateway import Answer, Limits
from prioris_mcp.adapters.http.upstream import Upstream
from prioris_mcp.domain.sources.doi import Doi
from prioris_mcp.domain.sources.europepmc import EuropePmcId
from prioris_mcp.errors import InvalidRequestError, ProviderUnavailableError

# pageSize up to 1000, cursorMark to page on, synonym: https://europepmc.org/RestfulWebService
BASE = "https://www.ebi.ac.uk/europepmc/webservices/rest"
MOST_RESULTS = 1000
_LONGEST_ADDRESS = 8000
_TOO_MUCH = frozenset({414, 504})
"""Statuses by which a large batch fails where a smaller one does not."""


def refused(answer: Answer) -> bool:
    """Whether Europe PMC asks us to slow down."""
    return answer.status == 429


class EuropePmcApi:
    """Searches and look-ups; every call is at least one request through Europe PMC's queue."""

    def __init__(self, upstream: Upstream, limits: Limits) -> None:
        self._upstream, self._limits = upstream, limits

    async def search(self, query: str, page_size: int, cursor: str) -> ArticlesPage:
        """One page of the records that match *query*."""
        if not query.strip():
            raise InvalidRequestError("query has nothing to search for; write words, or field:value clauses")
        if not 1 <= page_size <= MOST_RESULTS:
            raise InvalidRequestError(f"page_size must be 1 to {MOST_RESULTS}, got {page_size}")
        if not cursor.strip():
            raise InvalidRequestError("cursor_mark must be *, or the next_cursor_mark of the page before")
        answer = await self._get(query.strip(), page_size, cursor)
        page = self._page(answer, cursor, page_size)
        return await self._filled(page, query.strip(), page_size, 1 if cursor == "*" else 0)

    async def look_up(self, wanted: Sequence[EuropePmcId | Doi]) -> tuple[Article, ...]:
        """The records that *wanted* name; unknown ones are left out. A batch that is too much is halved."""
        size = min(2 * len(wanted), MOST_RESULTS)
        query = " OR ".join(map(_clause, wanted))
        answer = await self._get(query, size, "*")
        if answer.status in _TOO_MUCH and len(wanted) > 1:
            half = len(wanted) // 2
            return (*await self.look_up(wanted[:half]), *await self.look_up(wanted[half:]))
        return (await self._filled(self._page(answer, "*", size), query, size, size)).articles

    async def _filled(self, page: ArticlesPage, query: str, size: int, least: int) -> ArticlesPage:
        """A first *page*, asked for once more where it holds less than *least* of the results that it counts."""
        if len(page.articles) >= min(page.total, least):
            return page
        page = self._page(await self._get(query, size, "*"), "*", size)
        if len(page.articles) < min(page.total, least):
            raise ProviderUnavailableError(
                f"Europe PMC counted {page.total} results and sent {len(page.articles)} (HTTP 200, twice); try again"
                " later"
            )
        return page

    async def _get(self, query: str, page_size: int, cursor: str) -> Answer:
        parameters = {
            "query": query,
            "format": "json",
            "resultType": "core",
            "pageSize": page_size,
            "cursorMark": cursor,
            "synonym": "false",
        }
        url = f"{BASE}/search?{urlencode(parameters, quote_via=quote)}"
        if len(url) > _LONGEST_ADDRESS:
            raise InvalidRequestError(
                f"the query is too long for Europe PMC ({len(url)} characters encoded); shorten it"
            )
        return await self._upstream.get(url, self._limits)

    def _page(self, answer: Answer, cursor: str, page_size: int) -> ArticlesPage:
        if answer.status != 200:
            raise ProviderUnavailableError(
                f"Europe PMC answered HTTP {answer.status} (unexpected status); try again later"
            )
        try:
            return decode.decode(answer.body, sent_cursor=cursor, page_size=page_size)
        except EnvelopeError as exc:
            if exc.refused:
                raise InvalidRequestError(
                    f"Europe PMC refused the request: {exc}; change the query or the cursor_mark"
                ) from exc
            raise ProviderUnavailableError(
                f"Europe PMC answered HTTP 200 without results ({exc}); try again later"
            ) from exc


def _clause(wanted: EuropePmcId | Doi) -> str:
    """What finds one record. Only a PMCID clause finds every article that has one; EXT_ID must not be quoted."""
    if isinstance(wanted, Doi):
        escaped = wanted.text.replace("\\", "").replace('"', "")
        return f'DOI:"{escaped}"'
    if wanted.source == "PMC":
        return f"PMCID:{wanted.number}"
    return f"(EXT_ID:{wanted.number} AND SRC:{wanted.source})"
