"""Find notes: by filters and words, by meaning, or both, each list on its own."""

from __future__ import annotations

from dataclasses import dataclass, replace

from prioris_mcp.app.embedding import EmbeddingScheduler, vector_of
from prioris_mcp.app.reading import Library
from prioris_mcp.domain.documents import ProviderName
from prioris_mcp.domain.notes import Note, NoteFilter, NotesFound, canonical, work
from prioris_mcp.domain.search import FTS, HYBRID, VECTOR, IndexStatus, Page, check_mode
from prioris_mcp.domain.vectors import Nears, Vector
from prioris_mcp.errors import ConfigurationError, StorageError
from prioris_mcp.ports.embedding import EmbeddingBackend, VectorIndex
from prioris_mcp.ports.notes import NotesBackend


@dataclass(frozen=True, slots=True)
class NearNote:
    """A note that is near in meaning; *distance* is the cosine distance."""

    note: Note
    distance: float


@dataclass(frozen=True, slots=True)
class NearNotes:
    """One page of near notes, and how many were compared in all."""

    items: tuple[NearNote, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Listed:
    """A page for each mechanism that was asked, and the state of the vectors where meaning was asked."""

    page: Page
    fts: NotesFound | None
    vector: NearNotes | None = None
    status: IndexStatus | None = None
    unavailable: str = ""
    """Why meaning could not be searched, though it was asked; "" where it was, or was not asked."""


class NotesAbout:
    """Knows what a document may be called in notes. Asks no network."""

    def __init__(self, library: Library) -> None:
        self._library = library

    async def __call__(self, wanted: NoteFilter, provider: ProviderName, identifier: str) -> NoteFilter:
        """*wanted*, only of notes about *identifier*: first as the library has it, then as it is written.

        Notes about any other spelling of an article count that the library knows, and beside one version of a paper
        those about the paper as such.
        """
        written, exactly = canonical(provider, identifier), tuple[str, ...]()
        names = [written]
        if provider is ProviderName.EUROPEPMC and (key := await self._library.recall_any(provider, identifier)):
            names = [key.identifier, written, *await self._library.aliases(key)]
        if (paper := work(provider, written)) != written:
            exactly = (paper,)
        return replace(wanted, provider=provider, identifiers=tuple(dict.fromkeys(names)), exactly=exactly)


class NotesByMeaning:
    """Semantic search over the texts of notes."""

    def __init__(
        self,
        backend: NotesBackend,
        index: VectorIndex[str],
        embedder: EmbeddingBackend,
        scheduler: EmbeddingScheduler[str],
    ) -> None:
        self._backend, self._index, self._embedder, self._scheduler = backend, index, embedder, scheduler

    async def vector_of(self, text: str) -> Vector:
        """*text* as a vector; ConfigurationError without a model."""
        return await vector_of(self._embedder, text)

    async def nearest(
        self, query: Vector, page: Page, among: frozenset[str] | None = None, besides: str | None = None
    ) -> NearNotes:
        """The notes nearest to *query*, without what was deleted up to now."""
        await self._scheduler.notice()
        chosen = (lambda note_id: note_id != besides) if besides else among
        nears: Nears[str] = await self._index.search(self._embedder.model, query, chosen, page)
        found = [(near, await self._backend.read(near.key)) for near in nears.items]
        return NearNotes(tuple(NearNote(note, near.distance) for near, note in found if note), nears.total)

    async def standing(self, notes: frozenset[str]) -> IndexStatus:
        """Whether all of *notes* can be found by meaning."""
        await self._scheduler.notice()
        return await self._scheduler.standing(notes)


class SearchNotes:
    """Both mechanisms over the notes that a filter names."""

    def __init__(self, backend: NotesBackend, meaning: NotesByMeaning) -> None:
        self._backend, self._meaning = backend, meaning

    async def __call__(self, wanted: NoteFilter, keyword: str | None, mode: str, page: Page) -> Listed:
        """InvalidRequestError for an unknown mode, or a keyword that has nothing to search for.

        Meaning has a part only where there is a keyword. ConfigurationError for *vector* without a model;
        *hybrid* then has the list of words alone, and says so.
        """
        check_mode(mode)
        fts = await self._backend.search(wanted, keyword, page) if mode in (FTS, HYBRID) else None
        if mode == FTS or keyword is None:
            return Listed(page, fts)
        notes = await self._backend.ids(wanted)
        among = None if wanted == NoteFilter() else notes
        try:
            near = await self._meaning.nearest(await self._meaning.vector_of(keyword), page, among)
            return Listed(page, fts, near, await self._meaning.standing(notes))
        except (ConfigurationError, StorageError) as exc:
            if mode == VECTOR:
                raise
            return Listed(page, fts, unavailable=str(exc))
