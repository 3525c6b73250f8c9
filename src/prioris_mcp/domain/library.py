"""Places in the library, and its history, by which an index knows what it lacks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from prioris_mcp.domain.documents import DocumentKey
from prioris_mcp.domain.markdown import Span

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Position:
    """A place in one library's history: everything up to change *number*."""

    library: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Change(Generic[K]):
    """The last thing that happened to the text of *key*: a document's Markdown, or a note's text."""

    number: int
    key: K
    stored: bool
    """Whether there is a text now."""


@dataclass(frozen=True, slots=True)
class Changes(Generic[K]):
    """What happened after some position, oldest first; each key at most once."""

    library: str
    items: tuple[Change[K], ...]


@dataclass(frozen=True, slots=True)
class Place:
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
