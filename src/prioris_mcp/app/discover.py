"""Discover works that are not in the library yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cachetools import TTLCache

from prioris_mcp.app.concurrency import LocalKeyedLock
from prioris_mcp.app.library import Library
from prioris_mcp.domain.discovery import MOST_RESULTS, DiscoveryQuery, Work
from prioris_mcp.domain.page import Page
from prioris_mcp.domain.sources.providers import serving
from prioris_mcp.domain.sources.table import named, takes_dois
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
    has_more: bool
    held: int = 0


class Discover:
    """Semantic search over everything published, less what the library holds."""

    def __init__(self, index: DiscoveryIndex, library: Library, seconds: float) -> None:
        """Hold answers of the index for *seconds*, but look up every time what the library holds."""
        self._index, self._library = index, library
        self._answers: TTLCache[DiscoveryQuery, Page[Work]] = TTLCache(_MOST_ANSWERS, seconds)
        self._flights = LocalKeyedLock()

    async def __call__(self, query: DiscoveryQuery) -> Discovered:
        """Return one page of works. Raise ConfigurationError without a key, before anything is sent."""
        found = await self._found(query)
        total = min(found.total, MOST_RESULTS)
        new = await self._new(found.items)
        more = bool(found.items) and query.page * query.max_results < total
        if more and not new:
            return await self._later(query, total, len(found.items))
        return Discovered(new, query, total, more, len(found.items) - len(new))

    async def _later(self, query: DiscoveryQuery, total: int, held: int) -> Discovered:
        """The first page after an empty one that has something to show, from one look at everything that matches."""
        everything = (await self._found(replace(query, page=1, max_results=MOST_RESULTS))).items
        size, page = query.max_results, query.page
        new: tuple[Work, ...] = ()
        while page * size < len(everything) and not new:
            works = everything[page * size : (page + 1) * size]
            new, page = await self._new(works), page + 1
            held += len(works) - len(new)
        return Discovered(new, replace(query, page=page), total, page * size < len(everything), held)

    async def _new(self, works: Sequence[Work]) -> tuple[Work, ...]:
        """Those of *works* that the library does not hold."""
        return tuple([work for work in works if not await self._held(work)])

    async def _found(self, query: DiscoveryQuery) -> Page[Work]:
        async with self._flights.hold(query):
            if (found := self._answers.get(query)) is None:
                found = await self._index.find(query)
                self._answers[query] = found
        return found

    async def _held(self, work: Work) -> bool:
        """Whether the library holds *work* under any of its identifiers, in any version."""
        for identifier in work.identifiers():
            if await self._library.holds(serving(identifier).name, identifier.work):
                return True
        doi = work.doi.lower() if work.doi else None
        return any([await self._library.knows(name, doi) for name in named(takes_dois) if doi])
