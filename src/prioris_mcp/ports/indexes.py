"""What the application asks of a search index: disposable, and always to be rebuilt from the library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from prioris_mcp.domain.changes import Position
from prioris_mcp.domain.documents import DocumentKey
from prioris_mcp.domain.page import PageRequest
from prioris_mcp.domain.search import Hits, Scope, Section


class SearchIndex(Protocol):
    """Finds sections by their words.

    It remembers up to which change of which library it is complete. A missing or useless file is an empty index;
    one that is found damaged while it is in use is an IndexLostError once, and empty after it.
    """

    async def position(self) -> Position:
        """The last change that was applied."""
        ...

    async def reset(self, library: str) -> None:
        """Forget everything, and begin with the first change of *library*."""
        ...

    async def index_entries(self, key: DocumentKey, sections: Sequence[Section], at: Position) -> None:
        """Replace all rows of *key* by *sections*, as change *at*; nothing where that was applied already."""
        ...

    async def remove_document(self, key: DocumentKey, at: Position) -> None:
        """Drop all rows of *key*, as change *at*; nothing where that was applied already."""
        ...

    async def search(self, query: str, scope: Scope, page: PageRequest) -> Hits:
        """The best matches first, ties by age, with the exact total.

        InvalidRequestError only where *query* has nothing that can be searched for.
        """
        ...

    async def snippets(self, expression: str, texts: Sequence[str]) -> list[str]:
        """For each text the stretch around its first match of *expression*, one line of readable length."""
        ...

    async def holds(self, key: DocumentKey) -> bool:
        """Whether *key* can be found."""
        ...
