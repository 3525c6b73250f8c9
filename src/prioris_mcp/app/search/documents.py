"""Search what the library holds: by words, by meaning, or both, each list on its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from prioris_mcp.app.indexing.embedding import EmbeddingScheduler, vector_of
from prioris_mcp.app.indexing.text import Indexer
from prioris_mcp.app.library import Library
from prioris_mcp.domain.changes import DocumentSpan
from prioris_mcp.domain.documents import DocumentKey, SourceFormat
from prioris_mcp.domain.page import Page, PageRequest
from prioris_mcp.domain.search import FTS, HYBRID, MOST_HITS, VECTOR, Hit, Hits, IndexStatus, Scope, check_mode
from prioris_mcp.domain.sources.table import provider_named
from prioris_mcp.domain.vectors import Scale, Vector, VectorHit, scale_of
from prioris_mcp.errors import ConfigurationError, IndexLostError, StorageError
from prioris_mcp.ports.embedding import EmbeddingBackend, VectorIndex
from prioris_mcp.ports.indexes import SearchIndex
from prioris_mcp.ports.library import ParsedTexts

_TRIES = 3
_SNIPPET = 300
T = TypeVar("T", Hit, VectorHit[DocumentKey])


@dataclass(frozen=True, slots=True)
class Shown(Generic[T]):
    """Show a hit with some of its text."""

    hit: T
    snippet: str

    @property
    def key(self) -> DocumentKey:
        """Name the document of the hit."""
        return self.hit.key


@dataclass(frozen=True, slots=True)
class Found:
    """Hold a list for each mechanism that ran, and the state of the indexes where one document was searched."""

    fts: Page[Shown[Hit]] | None
    vector: Page[Shown[VectorHit[DocumentKey]]] | None
    status: dict[str, IndexStatus]
    unavailable: dict[str, str]
    """Say why a mechanism that was asked could not run, by its name."""
    read_as: str = ""
    """Say how words were looked for, in FTS5's language; "" where as typed."""


class FullTextSearch:
    """Search all sections of all stored documents by their words."""

    def __init__(self, store: ParsedTexts, index: SearchIndex, indexer: Indexer) -> None:
        self._store, self._index, self._indexer = store, index, indexer

    async def hits(self, query: str, scope: Scope, page: PageRequest, *, loosely: bool = False) -> Hits:
        """Return the best matches, from an index that has caught up; *loosely* of any of the words."""
        for left in reversed(range(_TRIES)):
            try:
                await self._indexer.catch_up()
                return await self._index.search(query, scope, page, loosely=loosely)
            except IndexLostError:
                if not left:
                    raise
        raise AssertionError

    async def shown(self, hits: Hits) -> tuple[Shown[Hit], ...]:
        """Return the hits with their snippets; leave out one whose document was deleted meanwhile."""
        texts = await self._store.excerpts([DocumentSpan(hit.key, hit.span) for hit in hits.items])
        there = [(hit, text) for hit, text in zip(hits.items, texts, strict=True) if text is not None]
        snippets = await self._index.snippets(hits.expression, [text for _, text in there])
        return tuple(Shown(hit, snippet) for (hit, _), snippet in zip(there, snippets, strict=True))

    async def snippet(self, expression: str, text: str, widest: int) -> str:
        """Return the stretch of *text*, *widest* characters at most, with the most of *expression*."""
        (found,) = await self._index.snippets(expression, [text], widest)
        return found

    async def status(self, key: DocumentKey) -> IndexStatus:
        """Return whether *key* can be found by its words."""
        return "ready" if await self._index.holds(key) else "not_built"


class SemanticSearch:
    """Search the own text of all sections by its meaning."""

    def __init__(
        self,
        store: ParsedTexts,
        index: VectorIndex[DocumentKey],
        embedder: EmbeddingBackend,
        scheduler: EmbeddingScheduler[DocumentKey],
    ) -> None:
        self._store, self._index, self._embedder, self._scheduler = store, index, embedder, scheduler

    def unavailable_reason(self) -> str | None:
        """Return why there is no semantic search; None where there is."""
        return self._embedder.unavailable_reason()

    @property
    def scale(self) -> Scale:
        """Say what similarities mean for the model."""
        return scale_of(self._embedder.model)

    def pending(self) -> frozenset[DocumentKey]:
        """Return the documents that cannot be found by their meaning yet; none where nothing can."""
        return frozenset() if self.unavailable_reason() else self._scheduler.pending()

    async def vector_of(self, text: str) -> Vector:
        """Return *text* as a vector. Raise ConfigurationError without a model."""
        return await vector_of(self._embedder, text)

    async def nears(
        self, query: Vector, scope: Scope, page: PageRequest, exclude: DocumentKey | None = None
    ) -> Page[VectorHit[DocumentKey]]:
        """Return the nearest sections, without those of *exclude* and of what was deleted up to now."""
        await self._scheduler.notice()
        return await self._index.search(self._embedder.model, query, scope.selection(exclude), page)

    async def shown(self, nears: Page[VectorHit[DocumentKey]]) -> tuple[Shown[VectorHit[DocumentKey]], ...]:
        """Return the sections with the beginning of their text."""
        texts = await self._store.excerpts([DocumentSpan(near.key, near.span) for near in nears.items])
        pairs = zip(nears.items, texts, strict=True)
        return tuple(Shown(near, beginning(text)) for near, text in pairs if text is not None)

    async def status(self, key: DocumentKey) -> IndexStatus:
        """Return whether *key* can be found by its meaning."""
        return await self._scheduler.status([key])


class SearchLibrary:
    """Search by both mechanisms, each with a list of its own."""

    def __init__(self, library: Library, words: FullTextSearch, meaning: SemanticSearch, default_limit: int) -> None:
        self._library, self._words, self._meaning, self._default_limit = library, words, meaning, default_limit

    async def __call__(self, query: str, scope: Scope, mode: str, offset: int, limit: int | None) -> Found:
        """Return a list for each mechanism that *mode* names.

        Raise InvalidRequestError for an unknown mode, an identifier without its provider, or nothing to search for.
        Raise ConfigurationError for *vector* without a model; *hybrid* then has the full-text list alone, and says so.
        """
        check_mode(mode)
        page = PageRequest(offset, self._default_limit if limit is None else limit).capped(MOST_HITS)
        where = await self._library.narrowed(scope)
        fts, read_as = await self._by_words(query, where, page) if mode in (FTS, HYBRID) else (None, "")
        vector, unavailable = None, dict[str, str]()
        if mode in (VECTOR, HYBRID):
            try:
                vector = await self._by_meaning(query, where, page)
            except (ConfigurationError, StorageError) as exc:
                if mode == VECTOR:
                    raise
                unavailable[VECTOR] = str(exc)
        return Found(fts, vector, await self._status(scope, where), unavailable, read_as)

    async def _by_words(self, query: str, where: Scope | None, page: PageRequest) -> tuple[Page[Shown[Hit]], str]:
        if where is None:
            return page.of((), 0), ""
        hits = await self._words.hits(query, where, page)
        return hits.of(await self._words.shown(hits)), hits.read_as

    async def _by_meaning(
        self, query: str, where: Scope | None, page: PageRequest
    ) -> Page[Shown[VectorHit[DocumentKey]]]:
        vector = await self._meaning.vector_of(query)
        nears = await self._meaning.nears(vector, where, page) if where else page.of((), 0)
        return nears.of(await self._meaning.shown(nears))

    async def _status(self, scope: Scope, where: Scope | None) -> dict[str, IndexStatus]:
        """Return the status of every mechanism, whichever was asked."""
        if scope.provider is None or scope.identifier is None or scope.format is None:
            return {}
        asked: dict[str, Callable[[DocumentKey], Awaitable[IndexStatus]]] = {
            FTS: self._words.status,
            VECTOR: self._meaning.status,
        }
        if where is None or where.identifier is None:
            return dict.fromkeys(asked, "not_built")
        key = DocumentKey(scope.provider, where.identifier, scope.format)
        return {name: await status(key) for name, status in asked.items()}


def beginning(text: str, widest: int = _SNIPPET) -> str:
    """Return the first words of a section, without its heading, in one line."""
    folded = " ".join(body(text).split()) or " ".join(text.split())
    return folded if len(folded) <= widest else f"{folded[:widest].rsplit(' ', 1)[0]}…"


def body(text: str) -> str:
    """Return the text of a section without its heading."""
    return text.partition("\n")[2] if text.lstrip().startswith("#") else text


def scope_of(provider: str | None, identifier: str | None, format_: str | None) -> Scope:
    """Return the scope that a caller's words mean; blank ones mean all."""
    return Scope(
        provider_named(provider) if provider else None,
        identifier.strip() or None if identifier else None,
        SourceFormat(format_) if format_ else None,
    )
