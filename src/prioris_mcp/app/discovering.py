"""Discover works that are not in the library yet."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from prioris_mcp.app.reading import Library
from prioris_mcp.app.singleflight import SingleFlight
from prioris_mcp.domain.discovery import MOST_RESULTS, DiscoveryQuery, Work, Works
from prioris_mcp.domain.documents import ProviderName
from prioris_mcp.domain.identifiers import ArxivId
from prioris_mcp.domain.remembering import Remembered
from prioris_mcp.ports.sources import DiscoveryIndex

_MOST_ANSWERS = 256


@dataclass(frozen=True, slots=True)
class Discovered:
    """One page of works. *total* counts all that match, before those in the library were left out.

    *query* names the page that this is, which is a later one than was asked for where the library holds every work
    before it. *held*: how many works were left out on the way.
    """

    works: tuple[Work, ...]
    query: DiscoveryQuery
    total: int
    held: int = 0

    @property
    def has_more(self) -> bool:
        """Whether another page follows."""
        return self.query.page * self.query.max_results < self.total


class Discover:
    """Semantic search over everything published, less what the library holds."""

    def __init__(self, index: DiscoveryIndex, library: Library, seconds: float) -> None:
        """*seconds*: how long an answer of the index is remembered; what the library holds is looked up every time."""
        self._index, self._library = index, library
        self._answers: Remembered[DiscoveryQuery, Works] = Remembered(seconds, time.monotonic, _MOST_ANSWERS)
        self._flights = SingleFlight()

    async def __call__(self, query: DiscoveryQuery) -> Discovered:
        """Raises ConfigurationError without a key, before anything is sent."""
        found = await self._found(query)
        page = await self._page(query, found.items, min(found.total, MOST_RESULTS))
        return page if page.works or not page.has_more else await self._later(query, page)

    async def _later(self, query: DiscoveryQuery, empty: Discovered) -> Discovered:
        """The first page after an empty one that has something to show, from one look at everything that matches."""
        everything = await self._found(replace(query, page=1, max_results=MOST_RESULTS))
        total, held = min(everything.total, len(everything.items)), empty.held
        page = replace(empty, total=min(empty.total, total))
        while page.has_more and not page.works:
            start = page.query.page * query.max_results
            following = replace(query, page=page.query.page + 1)
            page = await self._page(following, everything.items[start : start + query.max_results], total)
            held += page.held
        return replace(page, held=held)

    async def _page(self, query: DiscoveryQuery, works: Sequence[Work], total: int) -> Discovered:
        new = tuple([work for work in works if not await self._held(work)])
        return Discovered(new, query, total, len(works) - len(new))

    async def _found(self, query: DiscoveryQuery) -> Works:
        async with self._flights.only(query):
            if (found := self._answers.get(query)) is None:
                found = await self._index.find(query)
                self._answers.put(query, found)
        return found

    async def _held(self, work: Work) -> bool:
        """Whether the library holds *work* under any of its identifiers, in any version."""
        for identifier in work.identifiers():
            provider = ProviderName.ARXIV if isinstance(identifier, ArxivId) else ProviderName.EUROPEPMC
            name = identifier.base if isinstance(identifier, ArxivId) else str(identifier)
            if await self._library.holds(provider, name):
                return True
        return work.doi is not None and await self._library.knows(ProviderName.EUROPEPMC, work.doi.lower())
