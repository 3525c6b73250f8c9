"""arXiv's API as records: which answers mean what, and which are worth a second question."""

from __future__ import annotations

from collections.abc import Sequence

from prioris_mcp.adapters.arxiv import atom, oai, pages, queries
from prioris_mcp.adapters.arxiv.atom import Feed
from prioris_mcp.adapters.http.gateway import Answer, Limits
from prioris_mcp.adapters.http.upstream import Upstream
from prioris_mcp.errors import InvalidRequestError, ProviderUnavailableError
from prioris_mcp.models.arxiv import ArxivCategories, ArxivRecord

# Subject classes as sets of OAI-PMH, which the query API does not list: https://info.arxiv.org/help/oa/index.html
_SETS = "https://oaipmh.arxiv.org/oai?verb=ListSets"
_LARGEST_REFUSAL = 2**17
"""Bytes; a larger answer is not looked through for a request to slow down."""
_SERVED_DEPTH = 10000
"""What arXiv's server can page to today, whatever its manual says."""


def refused(answer: Answer) -> bool:
    """Whether arXiv asks us to slow down: by status, or by such a sentence under any status, in a page or bare."""
    if answer.status == 429 or answer.body[:64].lstrip().startswith(b"Rate exceeded"):
        return True
    return len(answer.body) <= _LARGEST_REFUSAL and pages.kind(answer.body) is pages.PageKind.REFUSAL


class ArxivApi:
    """Searches and look-ups; every call is at least one request through arXiv's queue."""

    # One connection, one request in three seconds, for all machines together: https://info.arxiv.org/help/api/tou.html
    def __init__(self, upstream: Upstream, limits: Limits) -> None:
        self._upstream = upstream
        self._limits = limits

    async def page(self, url: str, start: int, depth: int) -> Feed:
        """One page of a search. *depth*: the last result asked for, counted from the first."""
        feed = await self._feed(url, depth)
        # Empty answers come and go, also with a total of 0: https://github.com/lukasschwab/arxiv.py/issues/43
        if not feed.records and (feed.total > start or (feed.total == 0 and start > 0)):
            feed = await self._feed(url, depth)
        if not feed.records and feed.total > start:
            raise ProviderUnavailableError(_gap(feed))
        return feed

    async def look_up(self, identifiers: Sequence[str]) -> tuple[ArxivRecord, ...]:
        """The records that arXiv has for *identifiers*, in its own order; unknown ones are left out.

        arXiv sometimes counts more than it sends: who asks for known identifiers is never told that they are unknown.
        """
        url = queries.lookup(identifiers)
        feed = await self._feed(url, len(identifiers))
        if feed.total > len(feed.records) or (not feed.records and len(identifiers) > 1):
            feed = await self._feed(url, len(identifiers))
        if feed.total > len(feed.records):
            raise ProviderUnavailableError(_gap(feed))
        return feed.records

    async def categories(self) -> ArxivCategories:
        """All subject classes."""
        answer = await self._upstream.get(_SETS, self._limits)
        if answer.status != 200:
            raise ProviderUnavailableError(_unexpected(answer.status))
        try:
            return oai.decode(answer.body)
        except oai.NotASetListError as exc:
            raise ProviderUnavailableError(
                f"arXiv did not send its list of subject classes ({exc}); try again later"
            ) from exc

    async def _feed(self, url: str, depth: int) -> Feed:
        answer = await self._upstream.get(url, self._limits)
        try:
            feed = atom.decode(answer.body)
        except atom.NotAFeedError as exc:
            raise ProviderUnavailableError(
                f"arXiv answered HTTP {answer.status} without a feed ({exc}); try again later"
            ) from exc
        if answer.status == 500 and depth > _SERVED_DEPTH:
            raise InvalidRequestError(
                f"arXiv serves no results beyond the first {_SERVED_DEPTH} (HTTP 500); narrow the query instead"
            )
        if answer.status >= 500:
            raise ProviderUnavailableError(f"arXiv failed (HTTP {answer.status}, server error); try again later")
        if feed.error is not None:
            raise InvalidRequestError(
                f"arXiv refused the request: {feed.error[:300]}; change the query or the identifiers"
            )
        if answer.status != 200:
            raise ProviderUnavailableError(_unexpected(answer.status))
        return feed


def _unexpected(status: int) -> str:
    return f"arXiv answered HTTP {status} (unexpected status); try again later"


def _gap(feed: Feed) -> str:
    return f"arXiv counted {feed.total} results and sent {len(feed.records)} (HTTP 200, twice); try again later"
