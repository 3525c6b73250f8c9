"""Name what is searched, and what a search finds: one shape for every mechanism."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Span
from prioris_mcp.domain.page import Page
from prioris_mcp.domain.vectors import Selection
from prioris_mcp.errors import InvalidRequestError

IndexStatus = Literal["not_built", "stale", "ready", "building"]
Match = Literal["phrase", "all_words", "some_words", "meaning"]
"""How a hit answers a query: with its quoted phrases, all or some of its words, or in other words."""
Strength = Literal["strong", "weak", "none"]
FTS, VECTOR, HYBRID = "fts", "vector", "hybrid"
_MODES = (FTS, VECTOR, HYBRID)
_WORST_FIRST: tuple[IndexStatus, ...] = ("building", "not_built", "stale", "ready")
MOST_HITS = 200
"""Most hits that one page of a search holds, whatever its caller asks for."""


WIDEST_SNIPPET = 320
"""Most characters of a snippet where nobody gives it more room, ellipses included."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Name the documents that a search looks at; None means all."""

    provider: ProviderName | None = None
    identifier: str | None = None
    format: SourceFormat | None = None

    def covers(self, key: DocumentKey) -> bool:
        """Return whether *key* is looked at."""
        return (
            self.provider in (None, key.provider)
            and self.identifier in (None, key.identifier)
            and self.format in (None, key.format)
        )

    def selection(self, exclude: DocumentKey | None = None) -> Selection[DocumentKey]:
        """Return the same documents as a selection, without *exclude*."""
        if self.provider and self.identifier and self.format:
            return frozenset({DocumentKey(self.provider, self.identifier, self.format)} - {exclude})
        if self == Scope() and exclude is None:
            return None
        return lambda key: self.covers(key) and key != exclude


@dataclass(frozen=True, slots=True)
class Section:
    """Hold one row of an index: a stretch of a document under its headings."""

    path: tuple[str, ...]
    span: Span
    text: str

    @property
    def heading(self) -> str:
        """Return the section's own heading; "" for text that stands under none."""
        return self.path[-1] if self.path else ""


@dataclass(frozen=True, slots=True)
class Hit:
    """Name one section that matches. A higher score is a better match."""

    key: DocumentKey
    span: Span
    score: float


@dataclass(frozen=True, slots=True)
class Hits(Page[Hit]):
    """Hold one page of a ranked list, the expression that found it, and whether that asked for some words only.

    Say in *read_as* how the query was read, in FTS5's language; "" where it was taken as typed.
    """

    expression: str = ""
    loose: bool = False
    read_as: str = ""


def check_mode(mode: str) -> None:
    """Raise InvalidRequestError for what is no search mechanism."""
    if mode not in _MODES:
        raise InvalidRequestError(f"no search mechanism is called {mode[:100]!r}; there is {', '.join(_MODES)}")


def worst(statuses: Iterable[IndexStatus]) -> IndexStatus:
    """Return what holds for all of them together; of none, ``not_built``."""
    return min(statuses, key=_WORST_FIRST.index, default="not_built")
