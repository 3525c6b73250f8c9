"""Read what the library holds: as Markdown, parsed at first use, or as the bytes that were fetched."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from prioris_mcp.app.library import Library
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Markdown, Slice, Window
from prioris_mcp.errors import InvalidRequestError
from prioris_mcp.ports.parsing import Progress

ParseOnce = Callable[[DocumentKey, Progress | None], Awaitable[Markdown]]
"""Return the Markdown of a stored document, made at first use."""


@dataclass(frozen=True, slots=True)
class Read:
    """Hold one window of one document."""

    key: DocumentKey
    slice: Slice

    @property
    def resource_uri(self) -> str:
        """Name the address of the resource with the same text."""
        return self.key.uri("markdown")


class ReadMarkdown:
    """Read a window of stored Markdown. Never fetch and never parse."""

    def __init__(self, library: Library, default_limit: int) -> None:
        self._library, self._default_limit = library, default_limit

    async def __call__(self, provider: ProviderName, identifier: str, format_: SourceFormat, window: Window) -> Read:
        """Return the window. Raise NotFoundError where no Markdown is stored."""
        _check(window, format_)
        key = await self._library.locate(provider, identifier, format_)
        return Read(key, (await self._library.markdown(key)).cut(window, self._default_limit))


class ParseAndRead:
    """Read a window of a fetched document, which is parsed if nobody did before. Never fetch."""

    def __init__(self, library: Library, parse: ParseOnce, default_limit: int) -> None:
        self._library, self._parse, self._default_limit = library, parse, default_limit

    async def __call__(
        self,
        provider: ProviderName,
        identifier: str,
        format_: SourceFormat,
        window: Window,
        progress: Progress | None = None,
    ) -> Read:
        """Return the window. Raise NotFoundError where nothing was fetched, ParseError where parsing fails."""
        _check(window, format_)
        key = await self._library.locate(provider, identifier, format_)
        return Read(key, (await self._parse(key, progress)).cut(window, self._default_limit))


def _check(window: Window, format_: SourceFormat) -> None:
    if window.page is not None and not format_.paged:
        raise InvalidRequestError(f"page is for pdf only: {format_} has no pages, use offset and limit")
