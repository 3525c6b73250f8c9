"""Number what happens to the library, so that an index knows what it lacks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from prioris_mcp.domain.documents import DocumentKey
from prioris_mcp.domain.markdown import Span

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Position:
    """Name a place in one library's history: everything up to change *number*.

    Tell apart by *session* the histories that a library has before and after a backup of it was put back.
    """

    library: str = ""
    number: int = 0
    session: str = ""

    def __str__(self) -> str:
        return ":".join([self.library, str(self.number), *([self.session] if self.session else [])])


@dataclass(frozen=True, slots=True)
class Change(Generic[K]):
    """Report the last thing that happened to the text of *key*: a document's Markdown, or a note's text."""

    at: Position
    key: K
    stored: bool
    """Tell whether there is a text now."""


@dataclass(frozen=True, slots=True)
class Changes(Generic[K]):
    """Report what happened after some position, oldest first; each key at most once."""

    library: str
    items: tuple[Change[K], ...]
    known: bool
    """Tell whether that position is in this library's history; else these are its changes from the first on."""


@dataclass(frozen=True, slots=True)
class Revision:
    """Name what is stored under one key at a moment; equal only if nothing was deleted or replaced between."""

    document: str | None
    markdown: str | None


@dataclass(frozen=True, slots=True)
class DocumentSpan:
    """Name a stretch of a document's Markdown."""

    key: DocumentKey
    span: Span


@dataclass(frozen=True, slots=True)
class Parsed:
    """Name stored Markdown, and the name and version of the parser that made it; "" where that is not known."""

    key: DocumentKey
    parser: str


@dataclass(frozen=True, slots=True)
class Added:
    """Name a document that was uploaded, and tell whether the library lacked it before."""

    key: DocumentKey
    new: bool
