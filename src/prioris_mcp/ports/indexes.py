"""Ask a search index, which is disposable: it can always be rebuilt from the library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from prioris_mcp.domain.changes import Position
from prioris_mcp.domain.documents import DocumentKey
from prioris_mcp.domain.page import PageRequest
from prioris_mcp.domain.search import WIDEST_SNIPPET, Hits, Scope, Section


class SearchIndex(Protocol):
    """Find sections by their words.

    Remember up to which change of which library the index is complete. Treat a missing or useless file as an empty
    index. Raise IndexLostError once where the file is found damaged while in use; the index is empty after that.

    Example::

        await index.index_entries(key, sections, at=position)
        hits = await index.search("graph transformer", Scope(), PageRequest(0, 10))
    """

    async def position(self) -> Position:
        """Return the position of the last change that was applied."""
        ...

    async def reset(self, library: str) -> None:
        """Forget everything, and start before the first change of *library*."""
        ...

    async def index_entries(self, key: DocumentKey, sections: Sequence[Section], at: Position) -> None:
        """Replace all rows of *key* by *sections*, as change *at*; do nothing where that was applied already."""
        ...

    async def remove_document(self, key: DocumentKey, at: Position) -> None:
        """Remove all rows of *key*, as change *at*; do nothing where that was applied already."""
        ...

    async def search(self, query: str, scope: Scope, page: PageRequest, *, loosely: bool = False) -> Hits:
        """Return one page of matches, best first and older first where equal, with the exact total.

        Ask for some of the words where no section has all of them; *loosely* at once, unless *query* forbids it.
        Raise InvalidRequestError only where *query* has nothing that can be searched for.
        """
        ...

    async def snippets(self, expression: str, texts: Sequence[str], widest: int = WIDEST_SNIPPET) -> list[str]:
        """Return, for each text, one readable line of *widest* characters around its best match of *expression*."""
        ...

    async def holds(self, key: DocumentKey) -> bool:
        """Return whether *key* can be found."""
        ...
