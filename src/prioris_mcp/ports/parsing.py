"""Ask a parser to turn a document into Markdown."""

from __future__ import annotations

from enum import Enum, auto
from typing import Any, Protocol

from prioris_mcp.domain.markdown import Markdown


class ArticleKind(Enum):
    """Tell what bytes hold that should be an article in XML."""

    FULL_TEXT = auto()
    FRONT_MATTER = auto()
    CUT = auto()
    """Name an article whose end is missing."""
    OTHER = auto()


class Progress(Protocol):
    """Receive how many steps of a long call are done, and how many there are in all.

    Example::

        await progress(3, 12)  # three pages of twelve
    """

    async def __call__(self, progress: float, total: float, /) -> Any:
        """Take note that *progress* of *total* steps are done."""
        ...


class Parser(Protocol):
    """Turn the bytes of one format into Markdown.

    Do not trust the bytes: whatever they make the parsing code do, only this call fails, with a ParseError, within the
    parser's deadline. An empty result for a document that has text is a failure.

    Example::

        markdown = await parsers[SourceFormat.PDF].parse(content)
        assert "".join(markdown.text[leaf.start : leaf.end] for leaf in markdown.leaves) == markdown.text
    """

    @property
    def version(self) -> str:
        """Name the parsing code and its version; the name changes whenever the Markdown would."""
        ...

    async def parse(self, content: bytes, progress: Progress | None = None, files_at: str = "") -> Markdown:
        """Return the Markdown of *content*; its leaves partition the text.

        Pass as *files_at* the address below which the document's images are; the Markdown may name it.
        """
        ...
