"""Bring a document into the library."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from prioris_mcp.app.singleflight import SingleFlight
from prioris_mcp.domain.documents import Artefact, DocumentKey, ProviderName, SourceFormat
from prioris_mcp.ports.coordination import Leases
from prioris_mcp.ports.library import StorageBackend
from prioris_mcp.ports.parsing import Progress
from prioris_mcp.ports.sources import FullTextSource


@dataclass(frozen=True, slots=True)
class Fetched:
    """A document that is in the library, and whether it was there before."""

    key: DocumentKey
    size: int
    from_storage: bool


class OneAtATime:
    """One run per key at a time, within this process and between processes on the same store."""

    def __init__(self, leases: Leases) -> None:
        self._leases = leases
        self._flights = SingleFlight()

    @asynccontextmanager
    async def only(self, verb: str, key: object) -> AsyncGenerator[None]:
        """Hold *key* against every other run of *verb*."""
        name = f"{verb} {key}"
        async with self._flights.only(name), self._leases.hold(name):
            yield


class Fetch:
    """Fetches one document, unless the library holds it."""

    def __init__(self, sources: Mapping[ProviderName, FullTextSource], store: StorageBackend, runs: OneAtATime) -> None:
        self._sources, self._store, self._runs = sources, store, runs
        self._pins = SingleFlight()

    async def __call__(
        self, provider: ProviderName, identifier: str, format_: SourceFormat, progress: Progress | None = None
    ) -> Fetched:
        """Many that ask for one document at once cause one download. Raises what the source raises."""
        source = self._sources[provider]
        async with self._pins.only((provider, identifier)):
            key = await source.pin(identifier, format_)
        if stored := await self._stored(key):
            return stored
        async with self._runs.only("fetch", key):
            if stored := await self._stored(key):
                return stored
            found = await source.download(key, progress)
            await self._store.write_document(key, found.content, original_identifier=identifier, aliases=found.aliases)
        return Fetched(key, len(found.content), from_storage=False)

    async def _stored(self, key: DocumentKey) -> Fetched | None:
        size = await self._store.exists(key, Artefact.DOCUMENT)
        return None if size is None else Fetched(key, size, from_storage=True)
