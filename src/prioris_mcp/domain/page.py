"""Cut a list into pages: what was asked for, and what there is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from prioris_mcp.errors import InvalidRequestError

T = TypeVar("T")
U = TypeVar("U")
_DEEPEST = 2**62


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Hold up to *limit* *items*, from the one at *offset* on, of the *total* that there are."""

    items: tuple[T, ...]
    total: int
    offset: int = 0
    limit: int = 0

    @property
    def has_more(self) -> bool:
        """Tell whether a later page has something to show."""
        return bool(self.items) and self.offset + len(self.items) < self.total

    def of(self, items: Iterable[U]) -> Page[U]:
        """Return the same page with *items* made of its own."""
        return Page(tuple(items), self.total, self.offset, self.limit)


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Tell which page of a list is wanted. Raise InvalidRequestError for one that cannot be."""

    offset: int
    limit: int

    def __post_init__(self) -> None:
        if self.offset < 0:
            raise InvalidRequestError(f"offset must be 0 or more, got {self.offset}")
        if self.limit < 1:
            raise InvalidRequestError(f"limit must be 1 or more, got {self.limit}")

    def capped(self, most: int) -> PageRequest:
        """Return the same page with at most *most* items."""
        return PageRequest(min(self.offset, _DEEPEST), min(self.limit, most))

    def of(self, items: Iterable[T], total: int) -> Page[T]:
        """Return *items* as this page of *total*."""
        return Page(tuple(items), total, self.offset, self.limit)

    def cut(self, everything: Sequence[T]) -> Page[T]:
        """Return this page of *everything*."""
        return self.of(everything[self.offset : self.offset + self.limit], len(everything))
