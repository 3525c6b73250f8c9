"""List what the library holds, and delete from it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from prioris_mcp.app.library import Library
from prioris_mcp.domain.documents import Artefact, DocumentKey, Entry, ProviderName, SourceFormat
from prioris_mcp.domain.page import Page, PageRequest
from prioris_mcp.domain.sources.table import SOURCES
from prioris_mcp.errors import InvalidRequestError
from prioris_mcp.ports.library import Catalogue, Documents

MOST_ENTRIES = 1000
ALL = "all"


class ListLibrary:
    """Page through what is stored. Ask no network."""

    def __init__(self, store: Catalogue) -> None:
        self._store = store

    async def __call__(
        self, provider: ProviderName | None, format_: SourceFormat | None, page: PageRequest
    ) -> Page[Entry]:
        """Return one page of the catalogue, newest entry first."""
        page = page.capped(MOST_ENTRIES)
        return await self._store.list(provider, format_, offset=page.offset, limit=page.limit)


@dataclass(frozen=True, slots=True)
class Deletion:
    """Name what to delete, in the caller's words. *artefact*: document, markdown, or all of the format.

    Mean every format where *format* is None, and every version by an identifier without one.
    """

    provider: ProviderName
    identifier: str
    format: SourceFormat | None
    artefact: str

    def artefacts(self) -> tuple[Artefact, ...]:
        """List the artefacts that *artefact* means."""
        return tuple(Artefact) if self.artefact == ALL else (Artefact(self.artefact),)


@dataclass(frozen=True, slots=True)
class Deleted:
    """List what was deleted, one by one, and which deletions found nothing."""

    deleted: tuple[Deletion, ...]
    not_found: tuple[Deletion, ...]


class DeleteFromLibrary:
    """Delete artefacts, one after the other; what is not there is no failure. Ask no network."""

    def __init__(self, library: Library, store: Documents, deleted: Callable[[], Awaitable[None]]) -> None:
        """Call *deleted* when something is gone."""
        self._library, self._store, self._deleted = library, store, deleted

    async def __call__(self, wanted: Sequence[Deletion]) -> Deleted:
        """Delete at once for every tool, resource and index, in every process."""
        done = [(deletion, await self._delete(deletion)) for deletion in wanted]
        await self._deleted()
        return Deleted(
            tuple(dict.fromkeys(gone for _, found in done for gone in found)),
            tuple(deletion for deletion, found in done if not found),
        )

    async def _delete(self, deletion: Deletion) -> list[Deletion]:
        """Return what was stored of it and is gone, with its version where the caller left that open."""
        gone = []
        for key in await self._keys(deletion):
            if await self._store.delete(key, deletion.artefacts()):
                named = key.identifier if SOURCES[key.provider].versioned else deletion.identifier
                gone.append(replace(deletion, identifier=named, format=key.format))
        return gone

    async def _keys(self, deletion: Deletion) -> list[DocumentKey]:
        try:
            return await self._library.recall_versions(deletion.provider, deletion.identifier, deletion.format)
        except InvalidRequestError:
            return []
