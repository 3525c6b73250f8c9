"""List what the library holds, and delete from it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from prioris_mcp.app.read import Library
from prioris_mcp.domain.documents import Artefact, DocumentKey, Entry, ProviderName, SourceFormat
from prioris_mcp.domain.page import Page, PageRequest
from prioris_mcp.errors import InvalidRequestError
from prioris_mcp.ports.library import Catalogue, Documents

MOST_ENTRIES = 1000
ALL = "all"


class ListLibrary:
    """Pages through what is stored. Asks no network."""

    def __init__(self, store: Catalogue) -> None:
        self._store = store

    async def __call__(
        self, provider: ProviderName | None, format_: SourceFormat | None, page: PageRequest
    ) -> Page[Entry]:
        """Newest first."""
        page = page.capped(MOST_ENTRIES)
        return await self._store.list(provider, format_, offset=page.offset, limit=page.limit)


@dataclass(frozen=True, slots=True)
class Deletion:
    """What to delete, in the caller's words. *artefact*: document, markdown, or all of the format.

    Without *format* it means every format, and an arXiv identifier without a version means every version.
    """

    provider: ProviderName
    identifier: str
    format: SourceFormat | None
    artefact: str

    def artefacts(self) -> tuple[Artefact, ...]:
        """What that means."""
        return tuple(Artefact) if self.artefact == ALL else (Artefact(self.artefact),)


@dataclass(frozen=True, slots=True)
class Deleted:
    """What was deleted, one by one, and which deletions found nothing."""

    deleted: tuple[Deletion, ...]
    not_found: tuple[Deletion, ...]


class DeleteFromLibrary:
    """Deletes artefacts, one after the other; what is not there is no failure. Asks no network."""

    def __init__(self, library: Library, store: Documents, deleted: Callable[[], Awaitable[None]]) -> None:
        """*deleted*: to be told when something is gone."""
        self._library, self._store, self._deleted = library, store, deleted

    async def __call__(self, wanted: Sequence[Deletion]) -> Deleted:
        """Effective at once, for every tool, resource and index, in every process."""
        done = [(deletion, await self._delete(deletion)) for deletion in wanted]
        await self._deleted()
        return Deleted(
            tuple(dict.fromkeys(gone for _, found in done for gone in found)),
            tuple(deletion for deletion, found in done if not found),
        )

    async def _delete(self, deletion: Deletion) -> list[Deletion]:
        """What was there of it and is gone; a version is named, where the caller left it open."""
        gone = []
        for key in await self._keys(deletion):
            if await self._store.delete(key, deletion.artefacts()):
                named = key.identifier if key.provider is ProviderName.ARXIV else deletion.identifier
                gone.append(replace(deletion, identifier=named, format=key.format))
        return gone

    async def _keys(self, deletion: Deletion) -> list[DocumentKey]:
        try:
            return await self._library.recall_versions(deletion.provider, deletion.identifier, deletion.format)
        except InvalidRequestError:
            return []
