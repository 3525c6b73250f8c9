"""Keep a full-text index in memory: for tests, and the shortest statement of what a SearchIndex does."""

from __future__ import annotations

import re
from collections.abc import Sequence

from prioris_mcp.domain.changes import Position
from prioris_mcp.domain.documents import DocumentKey
from prioris_mcp.domain.page import PageRequest
from prioris_mcp.domain.search import WIDEST_SNIPPET, Hit, Hits, Scope, Section
from prioris_mcp.errors import InvalidRequestError

_AROUND = 100


class MemorySearchIndex:
    """Implement SearchIndex with plain words only, all of which must stand in a section, or any of them."""

    def __init__(self) -> None:
        self._position = Position()
        self._documents: dict[DocumentKey, list[Section]] = {}

    async def position(self) -> Position:
        return self._position

    async def reset(self, library: str) -> None:
        self._documents.clear()
        self._position = Position(library)

    async def index_entries(self, key: DocumentKey, sections: Sequence[Section], at: Position) -> None:
        if self._move(at):
            self._documents.pop(key, None)
            self._documents[key] = list(sections)

    async def remove_document(self, key: DocumentKey, at: Position) -> None:
        if self._move(at):
            self._documents.pop(key, None)

    async def search(self, query: str, scope: Scope, page: PageRequest, *, loosely: bool = False) -> Hits:
        words, enough = _words(query), any if loosely else all
        if not words:
            raise InvalidRequestError(f"query has nothing to search for: {query[:200]!r}; write words")
        scores = [
            Hit(key, section.span, float(sum(map(_words(f"{section.heading} {section.text}").count, words))))
            for key, sections in self._documents.items()
            if scope.covers(key)
            for section in sections
            if enough(word in _words(f"{section.heading} {section.text}") for word in words)
        ]
        ranked = sorted(scores, key=lambda hit: -hit.score)
        found = page.cut(ranked)
        return Hits(found.items, found.total, page.offset, page.limit, query, loosely)

    async def snippets(self, expression: str, texts: Sequence[str], widest: int = WIDEST_SNIPPET) -> list[str]:
        places = [max(0, text.lower().find(_words(expression)[0]) - _AROUND) for text in texts]
        cut = (text[place : place + 2 * _AROUND] for text, place in zip(texts, places, strict=True))
        return [" ".join(text.split())[:widest] for text in cut]

    async def holds(self, key: DocumentKey) -> bool:
        return key in self._documents

    def _move(self, to: Position) -> bool:
        if self._position.library == to.library and self._position.number >= to.number:
            return False
        self._position = to
        return True


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
