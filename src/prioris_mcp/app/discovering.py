"""Discover works that are not in the library yet."""

from __future__ import annotations

import time
from dataclasses import dataclass

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
    """One page of works. *total* counts all that match, before those in the library were left out."""

    works: tuple[Work, ...]
    query: DiscoveryQuery
    total: int

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
        async with self._flights.only(query):
            if (found := self._answers.get(query)) is None:
                found = await self._index.find(query)
                self._answers.put(query, found)
        new = [work for work in found.items if not await self._held(work)]
        return Discovered(tuple(new), query, min(found.total, MOST_RESULTS))

    async def _held(self, work: Work) -> bool:
        """Whether the library holds *work* under any of its identifiers, in any version."""
        for identifier in work.identifiers():
            provider = ProviderName.ARXIV if isinstance(identifier, ArxivId) else ProviderName.EUROPEPMC
            name = identifier.base if isinstance(identifier, ArxivId) else str(identifier)
            if await self._library.holds(provider, name):
                return True
        return work.doi is not None and await self._library.knows(ProviderName.EUROPEPMC, work.doi.lower())
