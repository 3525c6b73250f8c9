"""Places in the library, and its history, by which an index knows what it lacks."""

from __future__ import annotations

from dataclasses import dataclass

from prioris_mcp.domain.documents import DocumentKey
from prioris_mcp.domain.markdown import Span


@dataclass(frozen=True, slots=True)
class Position:
    """A place in one library's history: everything up to change *number*."""

    library: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """The last thing that happened to the Markdown of *key*."""

    number: int
    key: DocumentKey
    stored: bool
    """Whether there is Markdown now."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What happened after some position, oldest first; each document at most once."""

    library: str
    items: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of a document's Markdown."""

    key: DocumentKey
    span: Span


@dataclass(frozen=True, slots=True)
class Added:
    """A document that was handed in, and whether the library did not have it before."""

    key: DocumentKey
    new: bool
