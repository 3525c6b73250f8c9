"""Find documents and notes in one ranked list over both mechanisms, each hit ready to be cited."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from prioris_mcp.app.library import Library
from prioris_mcp.app.notes.search import NotesAbout, NotesSemanticSearch, NoteVectorHit
from prioris_mcp.app.search.documents import FullTextSearch, SemanticSearch, beginning, body
from prioris_mcp.app.search.fuse import (
    Candidate,
    Scored,
    by_meaning,
    by_rank,
    by_words,
    collapsed,
    fused,
    near_enough,
    strength,
)
from prioris_mcp.domain.changes import DocumentSpan
from prioris_mcp.domain.chunks import Chunk
from prioris_mcp.domain.documents import DocumentKey
from prioris_mcp.domain.markdown import Markdown, Span
from prioris_mcp.domain.notes.note import Note, NoteFilter, work
from prioris_mcp.domain.page import Page, PageRequest
from prioris_mcp.domain.query import quoted, read
from prioris_mcp.domain.search import MOST_HITS, Hit, Hits, Match, Scope, Strength
from prioris_mcp.domain.vectors import Vector, VectorHit
from prioris_mcp.errors import ConfigurationError, NotFoundError, StorageError
from prioris_mcp.ports.library import ParsedTexts
from prioris_mcp.ports.notes import NotesBackend
from prioris_mcp.remedies import NOTES

_CANDIDATES = PageRequest(0, 100)
Start = tuple[DocumentKey, int]
"""A section by its document and where it begins: both mechanisms know it so."""
_AT_ONCE = 8
"""Number of hits that are made citable at a time, each of which holds its document."""
_WIDEST, _NARROWEST = 1200, 40
"""Most characters of one snippet, however much room there is; and fewest around a match."""
_READ = 2000
"""Number of characters of a passage with which related ones are looked for."""


@dataclass(frozen=True, slots=True)
class Citable:
    """Hold a candidate with all that a citation needs; a note has neither title, section nor pages."""

    candidate: Candidate
    snippet: str
    title: str = ""
    path: tuple[str, ...] = ()
    pages: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """Hold one page of citable hits, how well the best of all answer, and the reason where meaning had no part.

    *pending* is the number of documents, in the whole library, that meaning cannot find yet; *read_as* says how words
    were looked for, in FTS5's language, "" where as typed.
    """

    hits: Page[Citable]
    strength: Strength = "none"
    without_meaning: str | None = None
    pending: int = 0
    read_as: str = ""


class _Words(NamedTuple):
    """What words find, where its quoted phrases stand if anywhere, where all words, and how the query was read."""

    hits: Hits
    quoting: frozenset[Start] | None
    whole: frozenset[Start]
    read_as: str


class Find:
    """Fuse full text and vectors into one list; list full text alone, and say so, where there are no vectors."""

    def __init__(
        self,
        library: Library,
        store: ParsedTexts,
        words: FullTextSearch,
        meaning: SemanticSearch,
        notes: NotesBackend,
        notes_meaning: NotesSemanticSearch,
        about: NotesAbout,
    ) -> None:
        self._library, self._store, self._words, self._meaning = library, store, words, meaning
        self._notes, self._notes_meaning, self._about = notes, notes_meaning, about

    async def __call__(
        self, query: str, scope: Scope, page: PageRequest, budget: int, *, notes: bool = False
    ) -> Finding:
        """Return one page of hits, with notes about what *scope* names among them where *notes* is true.

        Cut the snippets so that all together have at most *budget* characters.
        """
        where, page = await self._library.narrowed(scope), page.capped(MOST_HITS)
        if where is None:
            return Finding(page.of((), 0), "none", self._meaning.unavailable_reason())
        about = await self._notes_about(scope) if notes else None
        hits, quoting, whole, read_as = await self._by_words(query, where)
        places = [_place(hit) for hit in hits.items]
        matches: list[Match] = ["all_words" if _start(place) in whole else "some_words" for place in places]
        if quoting is not None:
            matches = ["phrase"] * len(places)
        words = by_words(places, [hit.score for hit in hits.items], matches)
        if about is not None:
            words += by_rank((await self._notes.search(about, query, _CANDIDATES)).items)
        near, reason = await self._near(query, where, about)
        if quoting is not None:
            near = [each for each in near if isinstance(each.what, Note) or _start(each.what) in quoting]
        pending, scale = self._meaning.pending(), self._meaning.scale
        ranked = near_enough(collapsed(fused(words, near, pending)), scale)
        shown = await self._citable(ranked, page, hits.expression, budget)
        strong = strength(ranked, scale, words=len(read(query).words), pending=None if reason else pending)
        return Finding(shown, strong, reason, len(pending), read_as)

    async def _by_words(self, query: str, where: Scope) -> _Words:
        """Return what words find: of a question all sections with any of its words, those with most of them first."""
        strict = await self._words.hits(query, where, _CANDIDATES)
        whole = frozenset() if strict.loose else _starts(strict)
        phrases = quoted(query)
        holding = await self._words.hits(phrases, where, PageRequest(0, MOST_HITS)) if phrases else None
        if holding and holding.items:
            return _Words(strict if whole else holding, _starts(holding), whole, strict.read_as)
        hits = strict if strict.loose else await self._words.hits(query, where, _CANDIDATES, loosely=True)
        return _Words(hits if hits.items else strict, None, whole, strict.read_as)

    async def _notes_about(self, scope: Scope) -> NoteFilter:
        """Return a filter for notes about what *scope* names, and about one document also without its format."""
        if scope.identifier is None or scope.provider is None:
            return NoteFilter(scope.provider, format=scope.format)
        return await self._about(NoteFilter(), scope.provider, scope.identifier)

    async def related(self, key: DocumentKey, offset: int, page: PageRequest, budget: int) -> Finding:
        """Return sections of other documents, and notes on others, nearest to the section at *offset* of *key*."""
        markdown = await self._library.markdown(key)
        own = _around(markdown, await self._store.read_chunks(key), offset)
        vector = await self._meaning.vector_of(own)
        nears = (await self._meaning.nears(vector, Scope(), _CANDIDATES, exclude=key)).items
        notes = (await self._notes_meaning.nearest(vector, _CANDIDATES)).items
        others = [near for near in notes if not _is_about(near.note, key)]
        return await self._ranked(nears, others, page, budget)

    async def related_to_note(self, note_id: str, page: PageRequest, budget: int) -> Finding:
        """Return the sections and other notes nearest to a note. Raise NotFoundError where there is no note."""
        note = await self._notes.read(note_id)
        if note is None:
            raise NotFoundError(f"no note has the id {note_id[:100]!r}; ", NOTES, " finds notes")
        vector = await self._meaning.vector_of(note.content.text[:_READ])
        nears = (await self._meaning.nears(vector, Scope(), _CANDIDATES)).items
        notes = (await self._notes_meaning.nearest(vector, _CANDIDATES, exclude=note_id)).items
        return await self._ranked(nears, notes, page, budget)

    async def _ranked(
        self, nears: Sequence[VectorHit[DocumentKey]], notes: Sequence[NoteVectorHit], page: PageRequest, budget: int
    ) -> Finding:
        ranked, scale = collapsed(fused((), _merged(nears, notes))), self._meaning.scale
        shown = await self._citable(ranked, page.capped(MOST_HITS), "", budget)
        return Finding(shown, strength(near_enough(ranked, scale), scale))

    async def _near(self, query: str, where: Scope, about: NoteFilter | None) -> tuple[list[Scored], str | None]:
        """Return what is near in meaning; or why there is nothing."""
        if reason := self._meaning.unavailable_reason():
            return [], reason
        try:
            vector = await self._meaning.vector_of(query)
            nears = await self._meaning.nears(vector, where, _CANDIDATES)
            notes = await self._near_notes(vector, about) if about is not None else ()
        except (ConfigurationError, StorageError) as exc:
            return [], str(exc)
        return _merged(nears.items, notes), None if nears.total or notes else "no vectors are built yet"

    async def _near_notes(self, vector: Vector, about: NoteFilter) -> Sequence[NoteVectorHit]:
        only = None if about == NoteFilter() else await self._notes.ids(about)
        return (await self._notes_meaning.nearest(vector, _CANDIDATES, only)).items

    async def _citable(self, ranked: list[Candidate], page: PageRequest, expression: str, budget: int) -> Page[Citable]:
        wanted = page.cut(ranked)
        shown = wanted.items
        widest = min(_WIDEST, max(0, budget) // max(1, len(shown)))
        found: list[Citable] = []
        for first in range(0, len(shown), _AT_ONCE):
            few = (self._cited(candidate, expression, widest) for candidate in shown[first : first + _AT_ONCE])
            found += filter(None, await asyncio.gather(*few))
        return wanted.of(found)

    async def _cited(self, candidate: Candidate, expression: str, widest: int) -> Citable | None:
        if isinstance(candidate.what, Note):
            return Citable(candidate, await self._snippet(expression, candidate.what.content.text, widest))
        key, span = candidate.what.key, candidate.what.span
        try:
            markdown = await self._library.markdown(key)
        except NotFoundError:
            return None
        chunks = await self._store.read_chunks(key)
        snippet = await self._snippet(expression, markdown.text[span.start : span.end], widest)
        path = next((chunk.path for chunk in chunks if chunk.span.start == span.start), ())
        return Citable(candidate, snippet, chunks[0].heading if chunks else "", path, markdown.pages_of(span))

    async def _snippet(self, expression: str, text: str, widest: int) -> str:
        """Return what answers, also of a section that meaning found: what it shares with the query's words."""
        if not expression or widest < _NARROWEST:
            return beginning(text, widest)[:widest]
        return (await self._words.snippet(expression, body(text).strip() or text, widest))[:widest]


def _merged(nears: Iterable[VectorHit[DocumentKey]], notes: Iterable[NoteVectorHit]) -> list[Scored]:
    """Return one list by distance, which is measured alike for both."""
    found: list[tuple[float, DocumentSpan | Note]] = [
        (near.distance, DocumentSpan(near.key, near.span)) for near in nears
    ]
    found += [(near.distance, near.note) for near in notes]
    found.sort(key=lambda pair: pair[0])
    return by_meaning([what for _, what in found], [1 - distance for distance, _ in found])


def _place(hit: Hit) -> DocumentSpan:
    return DocumentSpan(hit.key, hit.span)


def _starts(hits: Hits) -> frozenset[Start]:
    return frozenset(_start(_place(hit)) for hit in hits.items)


def _start(place: DocumentSpan) -> Start:
    return place.key, place.span.start


def _is_about(note: Note, key: DocumentKey) -> bool:
    return note.subject.provider == key.provider and note.subject.work == work(key.provider, key.identifier)


def _around(markdown: Markdown, chunks: Iterable[Chunk], offset: int) -> str:
    """Return the innermost section at *offset*, or the text that stands there."""
    inside = [chunk.span for chunk in chunks if chunk.span.start <= offset < chunk.span.end]
    span = min(inside, key=lambda found: found.length, default=Span(offset, _READ))
    return markdown.text[span.start : min(span.end, span.start + _READ)]
