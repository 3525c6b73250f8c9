"""Find notes by filters and words, by meaning, or both, each list on its own."""

from __future__ import annotations

from dataclasses import dataclass, replace

from prioris_mcp.app.indexing.embedding import EmbeddingScheduler, vector_of
from prioris_mcp.app.library import Library
from prioris_mcp.domain.documents import ProviderName
from prioris_mcp.domain.notes.note import Note, NoteFilter, canonical, work
from prioris_mcp.domain.page import Page, PageRequest
from prioris_mcp.domain.search import FTS, HYBRID, VECTOR, IndexStatus, check_mode
from prioris_mcp.domain.sources.table import SOURCES
from prioris_mcp.domain.vectors import Vector, VectorHit
from prioris_mcp.errors import ConfigurationError, StorageError
from prioris_mcp.ports.embedding import EmbeddingBackend, VectorIndex
from prioris_mcp.ports.notes import NotesBackend

_PREVIEW = 300
"""Length of a preview in characters."""


@dataclass(frozen=True, slots=True)
class NoteVectorHit:
    """Name a note that is near in meaning; *distance* is the cosine distance, 0 for identical."""

    note: Note
    distance: float

    @property
    def text_preview(self) -> str:
        """Show the beginning of its text, in one line."""
        line = " ".join(self.note.content.text.split())
        return line if len(line) <= _PREVIEW else f"{line[:_PREVIEW]}…"


@dataclass(frozen=True, slots=True)
class NoteLists:
    """Hold a page for each mechanism that was asked, and the state of the vectors where meaning was asked."""

    fts: Page[Note] | None
    vector: Page[NoteVectorHit] | None = None
    status: IndexStatus | None = None
    unavailable: str = ""
    """Say why meaning could not be searched though it was asked; "" where it was, or was not asked."""


class NotesAbout:
    """Find what a document may be called in notes. Ask no network."""

    def __init__(self, library: Library) -> None:
        self._library = library

    async def __call__(self, wanted: NoteFilter, provider: ProviderName, identifier: str) -> NoteFilter:
        """Return *wanted* narrowed to notes about *identifier*: as the library has it, then as it is written.

        Include notes about any other spelling of an article that the library knows, and beside one version of a paper
        those about the paper as such.
        """
        written, exactly = canonical(provider, identifier), tuple[str, ...]()
        names = [written]
        if SOURCES[provider].aliased and (key := await self._library.recall_any(provider, identifier)):
            names = [key.identifier, written, *await self._library.aliases(key)]
        if (paper := work(provider, written)) != written:
            exactly = (paper,)
        return replace(wanted, provider=provider, identifiers=tuple(dict.fromkeys(names)), exactly=exactly)


class NotesSemanticSearch:
    """Search the texts of notes by meaning."""

    def __init__(
        self,
        backend: NotesBackend,
        index: VectorIndex[str],
        embedder: EmbeddingBackend,
        scheduler: EmbeddingScheduler[str],
    ) -> None:
        self._backend, self._index, self._embedder, self._scheduler = backend, index, embedder, scheduler

    async def vector_of(self, text: str) -> Vector:
        """Return *text* as a vector. Raise ConfigurationError without a model."""
        return await vector_of(self._embedder, text)

    async def nearest(
        self, query: Vector, page: PageRequest, only: frozenset[str] | None = None, exclude: str | None = None
    ) -> Page[NoteVectorHit]:
        """Return the notes nearest to *query*, without what was deleted up to now."""
        await self._scheduler.notice()
        chosen = (lambda note_id: note_id != exclude) if exclude else only
        nears: Page[VectorHit[str]] = await self._index.search(self._embedder.model, query, chosen, page)
        found = [(near, await self._backend.read(near.key)) for near in nears.items]
        return nears.of(NoteVectorHit(note, near.distance) for near, note in found if note)

    async def status(self, notes: frozenset[str]) -> IndexStatus:
        """Return whether all of *notes* can be found by meaning."""
        await self._scheduler.notice()
        return await self._scheduler.status(notes)


class SearchNotes:
    """Search the notes that a filter selects, by both mechanisms."""

    def __init__(self, backend: NotesBackend, meaning: NotesSemanticSearch) -> None:
        self._backend, self._meaning = backend, meaning

    async def __call__(self, wanted: NoteFilter, keyword: str | None, mode: str, page: PageRequest) -> NoteLists:
        """Return a list for each mechanism; meaning takes part only where there is a keyword.

        Raise InvalidRequestError for an unknown mode, or a keyword that has nothing to search for. Raise
        ConfigurationError for *vector* without a model; *hybrid* then has the list of words alone, and says so.
        """
        check_mode(mode)
        fts = await self._backend.search(wanted, keyword, page) if mode in (FTS, HYBRID) else None
        if mode == FTS or keyword is None:
            return NoteLists(fts)
        notes = await self._backend.ids(wanted)
        only = None if wanted == NoteFilter() else notes
        try:
            near = await self._meaning.nearest(await self._meaning.vector_of(keyword), page, only)
            return NoteLists(fts, near, await self._meaning.status(notes))
        except (ConfigurationError, StorageError) as exc:
            if mode == VECTOR:
                raise
            return NoteLists(fts, unavailable=str(exc))
