"""One ranked list over both mechanisms, each hit ready to be cited."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from prioris_mcp.app.reading import Library
from prioris_mcp.app.searching import ByMeaning, ByWords, beginning
from prioris_mcp.domain.chunks import Chunk
from prioris_mcp.domain.documents import DocumentKey
from prioris_mcp.domain.library import Place
from prioris_mcp.domain.markdown import Markdown, Span
from prioris_mcp.domain.search import MOST_HITS, Hits, Page, Scope
from prioris_mcp.domain.vectors import Near
from prioris_mcp.errors import ConfigurationError, NotFoundError, StorageError
from prioris_mcp.ports.library import StorageBackend

_CANDIDATES = 100
_ALPHA = 0.7
"""Weight of meaning against words, as measured on four judged collections."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A section that one or both mechanisms found, with its rank in each (from 1) and the fused score (0 to 1)."""

    place: Place
    score: float
    fts_rank: int | None = None
    vector_rank: int | None = None


@dataclass(frozen=True, slots=True)
class Citable:
    """A candidate with everything that a citation needs."""

    candidate: Candidate
    title: str
    path: tuple[str, ...]
    pages: tuple[int, int] | None
    snippet: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One page of citable hits, and why meaning had no part in it, if so."""

    hits: tuple[Citable, ...]
    page: Page
    total: int
    without_meaning: str | None


class Find:
    """Full text and vectors fused into one list; full text alone, and said so, where there are no vectors."""

    def __init__(self, library: Library, store: StorageBackend, words: ByWords, meaning: ByMeaning) -> None:
        self._library, self._store, self._words, self._meaning = library, store, words, meaning

    async def __call__(self, query: str, scope: Scope, page: Page, budget: int) -> Finding:
        """*budget*: characters of all snippets together."""
        where, page = await self._library.narrowed(scope), page.capped(MOST_HITS)
        if where is None:
            return Finding((), page, 0, self._meaning.lacking())
        first = Page(0, _CANDIDATES)
        hits = await self._words.hits(query, where, first)
        nears, lacking = await self._nears(query, where, first)
        ranked = collapsed(fused(hits, nears))
        return Finding(await self._citable(ranked, page, hits.expression, budget), page, len(ranked), lacking)

    async def related(self, key: DocumentKey, offset: int, page: Page, budget: int) -> Finding:
        """The sections of other documents that are nearest to the one at *offset* of *key*."""
        markdown = await self._library.markdown(key)
        own = _around(markdown, await self._store.read_chunks(key), offset)
        vector = await self._meaning.vector_of(own)
        nears = await self._meaning.nears(vector, Scope(), Page(0, _CANDIDATES), besides=key)
        ranked = collapsed(fused(Hits((), 0), nears.items))
        page = page.capped(MOST_HITS)
        return Finding(await self._citable(ranked, page, "", budget), page, len(ranked), None)

    async def _nears(self, query: str, where: Scope, page: Page) -> tuple[tuple[Near, ...], str | None]:
        if lacking := self._meaning.lacking():
            return (), lacking
        try:
            nears = await self._meaning.nears(await self._meaning.vector_of(query), where, page)
        except (ConfigurationError, StorageError) as exc:
            return (), str(exc)
        return nears.items, None if nears.total else "no vectors are built yet"

    async def _citable(self, ranked: list[Candidate], page: Page, expression: str, budget: int) -> tuple[Citable, ...]:
        shown = ranked[page.offset : page.offset + page.limit]
        found: list[Citable] = []
        for candidate in shown:
            if hit := await self._cited(candidate, expression):
                cut = hit.snippet[: max(0, budget)]
                budget -= len(cut)
                found.append(replace(hit, snippet=cut))
        return tuple(found)

    async def _cited(self, candidate: Candidate, expression: str) -> Citable | None:
        key, span = candidate.place.key, candidate.place.span
        try:
            markdown = await self._library.markdown(key)
        except NotFoundError:
            return None
        chunks = await self._store.read_chunks(key)
        text = markdown.text[span.start : span.end]
        snippet = (await self._words.snippet(expression, text)) if candidate.fts_rank else beginning(text)
        path = next((chunk.path for chunk in chunks if chunk.span.start == span.start), ())
        title = chunks[0].heading if chunks else ""
        return Citable(candidate, title, path, markdown.pages_of(span), snippet)


def fused(hits: Hits, nears: Iterable[Near]) -> list[Candidate]:
    """Both lists as one: scores of each brought to 0 to 1, and weighted.

    A section that both found is shown as meaning knows it: without its deeper sections.
    """
    found: dict[tuple[DocumentKey, int], Candidate] = {}
    for rank, (hit, score) in enumerate(zip(hits.items, _scaled([h.score for h in hits.items]), strict=True), 1):
        candidate = Candidate(Place(hit.key, hit.span), (1 - _ALPHA) * score, fts_rank=rank)
        found[hit.key, hit.span.start] = candidate
    listed = list(nears)
    for rank, (near, score) in enumerate(zip(listed, _scaled([1 - n.distance for n in listed]), strict=True), 1):
        place = Place(near.key, near.span)
        before = found.get((near.key, near.span.start), Candidate(place, 0.0))
        found[near.key, near.span.start] = replace(
            before, place=place, score=before.score + _ALPHA * score, vector_rank=rank
        )
    return sorted(found.values(), key=lambda candidate: -candidate.score)


def collapsed(ranked: Iterable[Candidate]) -> list[Candidate]:
    """One hit for sections within each other: the narrower one, at the rank of the better one."""
    kept: list[Candidate] = []
    for candidate in ranked:
        wider = next((n for n, other in enumerate(kept) if _holds(other.place, candidate.place)), None)
        if wider is not None:
            kept[wider] = replace(candidate, score=kept[wider].score)
        elif not any(_holds(candidate.place, other.place) for other in kept):
            kept.append(candidate)
    return kept


def _scaled(scores: list[float]) -> list[float]:
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    return [(score - low) / (high - low) if high > low else 1.0 for score in scores]


def _holds(wider: Place, narrower: Place) -> bool:
    one, other = wider.span, narrower.span
    return wider.key == narrower.key and one.start <= other.start and other.end <= one.end


def _around(markdown: Markdown, chunks: Iterable[Chunk], offset: int) -> str:
    """The innermost section at *offset*, or what stands there."""
    inside = [chunk.span for chunk in chunks if chunk.span.start <= offset < chunk.span.end]
    span = min(inside, key=lambda found: found.length, default=Span(offset, 2000))
    return markdown.text[span.start : min(span.end, span.start + 2000)]
