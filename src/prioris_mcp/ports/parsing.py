"""What the application asks of a parser."""

from __future__ import annotations

from enum import Enum, auto
from typing import Any, Protocol

from prioris_mcp.domain.markdown import Markdown


class ArticleKind(Enum):
    """What bytes that should be an article in XML are."""

    FULL_TEXT = auto()
    FRONT_MATTER = auto()
    CUT = auto()
    """An article whose end is missing."""
    OTHER = auto()


class Progress(Protocol):
    """Is told how many steps are done, and how many there are in all."""

    async def __call__(self, progress: float, total: float, /) -> Any:
        """Take note of it."""
        ...


class Parser(Protocol):
    """Turns one format's bytes into Markdown.

    The bytes are not trusted: whatever they make the parsing code do, only this call fails, with a
    ParseError, within the parser's deadline. An empty result for a document that has text is a failure.
    """

    @property
    def version(self) -> str:
        """Name and version of the parsing code; it changes whenever the Markdown would."""
        ...

    async def parse(self, content: bytes, progress: Progress | None = None, files_at: str = "") -> Markdown:
        """The Markdown of *content*; its leaves partition the text.

        *files_at*: the address below which images of the document are, which the text may name.
        """
        ...
