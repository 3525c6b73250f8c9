"""Hold Markdown with its page structure, and cut bounded windows from it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from prioris_mcp.errors import InvalidRequestError

HARD_LIMIT = 100_000
"""Most characters of Markdown that one answer carries, whatever its caller asks for."""


@dataclass(frozen=True, slots=True)
class Span:
    """Name a stretch of text, in characters."""

    start: int
    length: int

    @property
    def end(self) -> int:
        """Return the first position after the span."""
        return self.start + self.length


@dataclass(frozen=True, slots=True)
class Window:
    """Name the part of a document's Markdown that a reader wants. Raise InvalidRequestError if it cannot exist.

    Count *offset* from the start of *page* where one is given; leave the size to the reader where *limit* is None.
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
    """Hold one window of a document's Markdown, and where it lies."""

    text: str
    span: Span
    limit: int
    total_length: int
    total_pages: int | None
    page_range: tuple[int, int] | None

    @property
    def has_more(self) -> bool:
        """Tell whether text follows the window."""
        return self.span.end < self.total_length


@dataclass(frozen=True, slots=True)
class Image:
    """Hold an image of a document; *id* is unique within the document, and fit for an address."""

    id: str
    media_type: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Markdown:
    """Hold a parsed document.

    Cover the text by *leaves* without gap or overlap: one for each page where *paged*, else one for everything. Have
    *images* on a fresh parse only; a store returns them one by one.
    """

    text: str
    leaves: tuple[Span, ...]
    paged: bool = False
    images: tuple[Image, ...] = field(default=(), compare=False)

    @classmethod
    def whole(cls, text: str) -> Markdown:
        """Return Markdown of a format that knows no pages."""
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
        """Return where the text shows the image at *address* for the first time; None where it does not."""
        end = self.text.find(f"]({address})")
        start = self.text.rfind("![", 0, max(0, end))
        return Span(start, end + len(address) + 3 - start) if end >= 0 and start >= 0 else None

    def cut(self, window: Window, default_limit: int) -> Slice:
        """Return the part of the text that *window* names; an empty one for an offset past the end.

        Raise InvalidRequestError for a page that is not there.
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
        """Return the first and last page of *span*; for an empty span its page twice, without pages None."""
        if not self.paged:
            return None
        starts = [leaf.start for leaf in self.leaves]
        first = max(1, bisect_right(starts, span.start))
        return first, max(first, bisect_right(starts, span.end - 1))
