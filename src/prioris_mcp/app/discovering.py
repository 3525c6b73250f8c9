"""Discover works that are not in the library yet."""

from __future__ import annotations

from dataclasses import dataclass

from prioris_mcp.app.reading import Library
from prioris_mcp.domain.discovery import MOST_RESULTS, DiscoveryQuery, Work
from prioris_mcp.domain.documents import ProviderName
from prioris_mcp.domain.identifiers import ArxivId
from prioris_mcp.ports.sources import DiscoveryIndex


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

    def __init__(self, index: DiscoveryIndex, library: Library) -> None:
        self._index, self._library = index, library

    async def __call__(self, query: DiscoveryQuery) -> Discovered:
        """Raises ConfigurationError without a key, before anything is sent."""
        found = await self._index.find(query)
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
