"""Places in the library, and its history, by which an index knows what it lacks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from prioris_mcp.domain.documents import DocumentKey
from prioris_mcp.domain.markdown import Span

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Position:
    """A place in one library's history: everything up to change *number*.

    *session* tells the histories apart that a library has before and after a backup of it was put back.
    """

    library: str = ""
    number: int = 0
    session: str = ""

    def __str__(self) -> str:
        return ":".join([self.library, str(self.number), *([self.session] if self.session else [])])


@dataclass(frozen=True, slots=True)
class Change(Generic[K]):
    """The last thing that happened to the text of *key*: a document's Markdown, or a note's text."""

    at: Position
    key: K
    stored: bool
    """Whether there is a text now."""


@dataclass(frozen=True, slots=True)
class Changes(Generic[K]):
    """What happened after some position, oldest first; each key at most once."""

    library: str
    items: tuple[Change[K], ...]
    known: bool
    """Whether that position is one of this library's history; else these are its changes from the first on."""


@dataclass(frozen=True, slots=True)
class Revision:
    """What is stored under one key at a moment. Two are equal only where nothing was deleted or replaced between."""

    document: str | None
    markdown: str | None


@dataclass(frozen=True, slots=True)
class DocumentSpan:
    """A stretch of a document's Markdown."""

    key: DocumentKey
    span: Span


@dataclass(frozen=True, slots=True)
class Parsed:
    """Markdown that is stored, and the name and version of the parser that made it; "" where that is not known."""

    key: DocumentKey
    parser: str


@dataclass(frozen=True, slots=True)
class Added:
    """A document that was handed in, and whether the library did not have it before."""

    key: DocumentKey
    new: bool
