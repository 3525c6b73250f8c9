"""Results that several tools share."""

from typing import Literal

from pydantic import Field

from prioris_mcp.models.base import WireModel

FormatName = Literal["pdf", "html", "xml"]


class FullTextFetchResult(WireModel):
    """A document that is now in the library."""

    location: str = Field(description="Where the library keeps it; for reference only")
    format_: FormatName = Field(alias="format")
    size_bytes: int
    served_from_storage: bool = Field(description="True where nothing had to be downloaded")
    resource_uri: str = Field(description="Resource with the document's bytes")


class PagedMarkdown(WireModel):
    """A window of a document's Markdown."""

    markdown: str
    offset: int = Field(description="Characters before the window, from the start of the document")
    limit: int = Field(description="Most characters that this answer could hold")
    total_length: int = Field(description="Characters of the whole document")
    has_more: bool
    total_pages: int | None = Field(description="Null for formats without pages")
    page_range: tuple[int, int] | None = Field(description="First and last page of the window")
    resource_uri: str = Field(description="Resource with the same text")
