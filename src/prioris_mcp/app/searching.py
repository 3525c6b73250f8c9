"""Search what the library holds, by words."""

from __future__ import annotations

from dataclasses import dataclass

from prioris_mcp.app.indexing import Indexer
from prioris_mcp.app.reading import Library
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.library import Place
from prioris_mcp.domain.search import MOST_HITS, Hit, Hits, IndexStatus, Page, Scope
from prioris_mcp.errors import IndexLostError, InvalidRequestError
from prioris_mcp.ports.indexes import SearchIndex
from prioris_mcp.ports.library import StorageBackend

_TRIES = 3
MODES = ("fts",)


@dataclass(frozen=True, slots=True)
class Shown:
    """A hit with the text around its match."""

    hit: Hit
    snippet: str


@dataclass(frozen=True, slots=True)
class Found:
    """One page of hits, and the state of the index where the search was for one document."""

    hits: tuple[Shown, ...]
    page: Page
    total: int
    status: IndexStatus | None


class SearchLibrary:
    """Full-text search over all sections of all stored documents."""

    def __init__(
        self, library: Library, store: StorageBackend, index: SearchIndex, indexer: Indexer, default_limit: int
    ) -> None:
        self._library, self._store, self._index, self._indexer = library, store, index, indexer
        self._default_limit = default_limit

    async def __call__(self, query: str, scope: Scope, mode: str, offset: int, limit: int | None) -> Found:
        """InvalidRequestError for an unknown mode, an identifier without its provider, or nothing to search for."""
        if mode not in MODES:
            raise InvalidRequestError(f"no search mechanism is called {mode[:100]!r}; there is {', '.join(MODES)}")
        page = Page(offset, self._default_limit if limit is None else limit).capped(MOST_HITS)
        where = await self._narrowed(scope)
        if where is None:
            return Found((), page, 0, "not_built" if scope.format else None)
        hits = await self._hits(query, where, page)
        return Found(await self._shown(hits), page, hits.total, await self._status(where))

    async def _narrowed(self, scope: Scope) -> Scope | None:
        """*scope* with its identifier as the library spells it; None where nothing is stored under that."""
        if scope.identifier is None:
            return scope
        if scope.provider is None:
            raise InvalidRequestError("identifier needs provider: say which source it belongs to")
        if scope.format is None:
            key = await self._library.recall_any(scope.provider, scope.identifier)
        else:
            key = await self._library.recall(scope.provider, scope.identifier, scope.format)
        return Scope(key.provider, key.identifier, scope.format) if key else None

    async def _hits(self, query: str, scope: Scope, page: Page) -> Hits:
        for left in reversed(range(_TRIES)):
            try:
                await self._indexer.catch_up()
                return await self._index.search(query, scope, page)
            except IndexLostError:
                if not left:
                    raise
        raise AssertionError

    async def _shown(self, hits: Hits) -> tuple[Shown, ...]:
        """The hits with their snippets; one whose document went away meanwhile is left out."""
        texts = await self._store.excerpts([Place(hit.key, hit.span) for hit in hits.items])
        there = [(hit, text) for hit, text in zip(hits.items, texts, strict=True) if text is not None]
        snippets = await self._index.snippets(hits.expression, [text for _, text in there])
        return tuple(Shown(hit, snippet) for (hit, _), snippet in zip(there, snippets, strict=True))

    async def _status(self, scope: Scope) -> IndexStatus | None:
        if scope.provider is None or scope.identifier is None or scope.format is None:
            return None
        key = DocumentKey(scope.provider, scope.identifier, scope.format)
        return "ready" if await self._index.holds(key) else "not_built"


def scope_of(provider: str | None, identifier: str | None, format_: str | None) -> Scope:
    """The scope that a caller's words mean; blank ones mean all."""
    return Scope(
        ProviderName(provider) if provider else None,
        identifier.strip() or None if identifier else None,
        SourceFormat(format_) if format_ else None,
    )
