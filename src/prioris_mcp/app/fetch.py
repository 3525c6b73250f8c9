"""Fetch a document into the library."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, MutableSet
from dataclasses import dataclass

from anyio import to_thread

from prioris_mcp.app.concurrency import KeyedLock, LocalKeyedLock
from prioris_mcp.domain.documents import Artefact, DocumentKey, Download, ProviderName, SourceFormat
from prioris_mcp.domain.sources.table import SOURCES
from prioris_mcp.errors import DamagedDocumentError, UnsupportedProviderError
from prioris_mcp.ports.library import Documents
from prioris_mcp.ports.parsing import Progress
from prioris_mcp.ports.sources import FullTextSource
from prioris_mcp.remedies import ADD_FILE


@dataclass(frozen=True, slots=True)
class Fetched:
    """Name a document that is in the library, tell whether it was there before, and who had it but its source."""

    key: DocumentKey
    size_bytes: int
    served_from_storage: bool
    elsewhere: str = ""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Say what is not as asked."""
        label = SOURCES[self.key.provider].label
        return (f"{label} has no {self.key.format} of this; it is {self.elsewhere}'s",) if self.elsewhere else ()

    @property
    def location(self) -> str:
        """Say where the library keeps it, as a person would."""
        return f"{self.key.provider}/{self.key.identifier}/{self.key.format}/document"

    @property
    def resource_uri(self) -> str:
        """Name the address of the resource with its bytes."""
        return self.key.uri("fulltext")


class Fetch:
    """Fetch one document, unless the library holds it."""

    def __init__(
        self,
        sources: Mapping[ProviderName, FullTextSource],
        store: Documents,
        runs: KeyedLock,
        unreadable: MutableSet[DocumentKey],
        changed: Callable[[], Awaitable[None]],
    ) -> None:
        """Read from *unreadable* which stored documents could not be parsed; call *changed* when one is replaced."""
        self._sources, self._store, self._runs = sources, store, runs
        self._unreadable, self._changed = unreadable, changed
        self._pins = LocalKeyedLock()

    async def __call__(
        self, provider: ProviderName, identifier: str, format_: SourceFormat, progress: Progress | None = None
    ) -> Fetched:
        """Return the document, downloaded once however many ask for it at a time. Raise what the source raises.

        Download anew what is stored but is no paper, or cannot be read; keep it until there is better.
        """
        source = self._sources.get(provider)
        if source is None:
            label = SOURCES[provider].label
            raise UnsupportedProviderError(f"{identifier} is a {label}, which nobody serves: add it with ", ADD_FILE)
        async with self._pins.hold((provider, identifier)):
            key = await source.pin(identifier, format_)
        if stored := await self._stored(source, key):
            return stored
        async with self._runs.hold("fetch", key):
            if stored := await self._stored(source, key):
                return stored
            found = await source.download(key, progress)
            await self._keep(key, found, identifier)
            self._unreadable.discard(key)
        return Fetched(key, len(found.content), served_from_storage=False, elsewhere=found.elsewhere)

    async def _stored(self, source: FullTextSource, key: DocumentKey) -> Fetched | None:
        if key in self._unreadable:
            return None
        content = await self._sound(key)
        if content is None or not await to_thread.run_sync(source.is_paper, content, key.format):
            return None
        return Fetched(key, len(content), served_from_storage=True)

    async def _sound(self, key: DocumentKey) -> bytes | None:
        """Return the stored document; None also where it is damaged, so that it is downloaded anew."""
        try:
            return await self._store.read_document(key)
        except DamagedDocumentError:
            return None

    async def _keep(self, key: DocumentKey, found: Download, identifier: str) -> None:
        """Store what was *found*, in place of other bytes and of the Markdown made of them."""
        before = await self._sound(key)
        if before is not None and before != found.content:
            await self._store.delete(key, tuple(Artefact))
            await self._changed()
        await self._store.write_document(key, found.content, original_identifier=identifier, aliases=found.aliases)
