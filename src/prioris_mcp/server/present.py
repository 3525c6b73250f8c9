"""From the application's results to the wire's."""

from __future__ import annotations

from prioris_mcp.app.fetching import Fetched
from prioris_mcp.app.reading import Read
from prioris_mcp.models.common import FullTextFetchResult, PagedMarkdown


def fetched(result: Fetched) -> FullTextFetchResult:
    """A document that is in the library."""
    key = result.key
    return FullTextFetchResult(
        location=f"{key.provider}/{key.identifier}/{key.format}/document",
        format_=key.format.value,
        size_bytes=result.size,
        served_from_storage=result.from_storage,
        resource_uri=key.uri("fulltext"),
    )


def paged(read: Read) -> PagedMarkdown:
    """A window of a document's Markdown."""
    part = read.slice
    return PagedMarkdown(
        markdown=part.text,
        offset=part.span.start,
        limit=part.limit,
        total_length=part.total_length,
        has_more=part.has_more,
        total_pages=part.total_pages,
        page_range=part.page_range,
        resource_uri=read.key.uri("markdown"),
    )
