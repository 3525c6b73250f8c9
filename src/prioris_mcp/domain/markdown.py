"""Markdown with its page structure, and bounded windows onto it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from prioris_mcp.errors import InvalidRequestError

HARD_LIMIT = 100_000
"""Characters: no answer carries more Markdown than this, whatever its caller asks for."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text, in characters."""

    start: int
    length: int

    @property
    def end(self) -> int:
        """First position after the span."""
        return self.start + self.length


@dataclass(frozen=True, slots=True)
class Window:
    """What part of a document's Markdown a reader wants; InvalidRequestError for what can never be there.

    *offset* counts from the start of *page* where one is given; *limit* None leaves it to the reader's side.
    """

    offset: int = 0
    limit: int | None = None
    page: int | None = None

    def __post_init__(self) -> None:
        if self.offset < 0:
            raise InvalidRequestError(f"offset must be 0 or more, got {self.offset}")
        if self.limit is not None and self.limit < 1:
            raise InvalidRequestError(f"limit must be 1 or more, got {self.limit}")
        if self.page is not None and self.page < 1:
            raise InvalidRequestError(f"page must be 1 or more, got {self.page}")


@dataclass(frozen=True, slots=True)
class Slice:
    """One window of a document's Markdown, and where it lies."""

    text: str
    span: Span
    limit: int
    total_length: int
    total_pages: int | None
    page_range: tuple[int, int] | None

    @property
    def has_more(self) -> bool:
        """Whether text follows the window."""
        return self.span.end < self.total_length


@dataclass(frozen=True, slots=True)
class Image:
    """An image of a document; *id* is unique within the document, and fit for an address."""

    id: str
    media_type: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Markdown:
    """A parsed document.

    *leaves* cover the text without gap or overlap: one a page where *paged*, else one for everything.
    *images* come with a fresh parse only; a store hands them out one by one.
    """

    text: str
    leaves: tuple[Span, ...]
    paged: bool = False
    images: tuple[Image, ...] = field(default=(), compare=False)

    @classmethod
    def whole(cls, text: str) -> Markdown:
        """Markdown of a format that knows no pages."""
        return cls(text, (Span(0, len(text)),))

    @classmethod
    def of_pages(cls, pages: list[str]) -> Markdown:
        """Join *pages* as they are; each becomes one leaf."""
        leaves, start = [], 0
        for page in pages:
            leaves.append(Span(start, len(page)))
            start += len(page)
        return cls("".join(pages), tuple(leaves), paged=True)

    def showing(self, address: str) -> Span | None:
        """Where the text shows the image at *address* for the first time."""
        end = self.text.find(f"]({address})")
        start = self.text.rfind("![", 0, max(0, end))
        return Span(start, end + len(address) + 3 - start) if end >= 0 and start >= 0 else None

    def cut(self, window: Window, default_limit: int) -> Slice:
        """The part of the text that *window* names; an offset past the end gives an empty slice.

        Raises InvalidRequestError for a page that is not there.
        """
        limit = min(window.limit or default_limit, HARD_LIMIT)
        start = window.offset + (0 if window.page is None else self._page(window.page).start)
        text = self.text[start : start + limit]
        span = Span(start, len(text))
        return Slice(text, span, limit, len(self.text), len(self.leaves) if self.paged else None, self.pages_of(span))

    def _page(self, number: int) -> Span:
        if not self.paged or number > len(self.leaves):
            raise InvalidRequestError(
                f"page {number} does not exist: pages run from 1 to {len(self.leaves)}; give one of these"
            )
        return self.leaves[number - 1]

    def pages_of(self, span: Span) -> tuple[int, int] | None:
        """First and last page of *span*, for an empty one the page where it lies, twice; None without pages."""
        if not self.paged:
            return None
        starts = [leaf.start for leaf in self.leaves]
        first = max(1, bisect_right(starts, span.start))
        return first, max(first, bisect_right(starts, span.end - 1))
