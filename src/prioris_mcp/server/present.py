"""From the application's results to the wire's."""

from __future__ import annotations

from typing import Any

from prioris_mcp.app.fetching import Fetched
from prioris_mcp.app.library import Deleted, Deletion, Listed
from prioris_mcp.app.reading import Read
from prioris_mcp.app.searching import Found
from prioris_mcp.domain.search import Page
from prioris_mcp.models.common import (
    DeleteFetchedResult,
    DeletionEntry,
    FetchedEntry,
    FullTextFetchResult,
    ListFetchedResult,
    PagedMarkdown,
    PagedSearchMatches,
    SearchFetchedResult,
    SearchMatch,
)
from prioris_mcp.models.localfile import LocalFileFetchResult, LocalFilePage


def fetched(result: Fetched) -> FullTextFetchResult:
    """A document that is in the library."""
    return FullTextFetchResult(**_fetched(result))


def added(result: Fetched) -> LocalFileFetchResult:
    """A local file that is in the library."""
    return LocalFileFetchResult(id=result.key.identifier, **_fetched(result))


def _fetched(result: Fetched) -> dict[str, Any]:
    key = result.key
    return {
        "location": f"{key.provider}/{key.identifier}/{key.format}/document",
        "format_": key.format.value,
        "size_bytes": result.size,
        "served_from_storage": result.from_storage,
        "resource_uri": key.uri("fulltext"),
    }


def paged(read: Read) -> PagedMarkdown:
    """A window of a document's Markdown."""
    return PagedMarkdown(**_window(read))


def local_page(read: Read) -> LocalFilePage:
    """A window of a local file's Markdown."""
    return LocalFilePage(**_window(read))


def _window(read: Read) -> dict[str, Any]:
    part = read.slice
    return {
        "markdown": part.text,
        "offset": part.span.start,
        "limit": part.limit,
        "total_length": part.total_length,
        "has_more": part.has_more,
        "total_pages": part.total_pages,
        "page_range": part.page_range,
        "resource_uri": read.key.uri("markdown"),
    }


def listed(result: Listed) -> ListFetchedResult:
    """One page of the catalogue."""
    entries = [
        FetchedEntry(
            provider=entry.key.provider.value,
            identifier=entry.key.identifier,
            format_=entry.key.format.value,
            artefact=entry.artefact.value,
            fetched_at_or_parsed_at=entry.stored_at,
            size_bytes=entry.size,
        )
        for entry in result.entries.items
    ]
    return ListFetchedResult(entries=entries, **_paging(result.page, len(entries), result.entries.total))


def deleted(result: Deleted) -> DeleteFetchedResult:
    """What was deleted, in the caller's words."""
    return DeleteFetchedResult(
        deleted=[_deletion(item) for item in result.deleted], not_found=[_deletion(item) for item in result.not_found]
    )


def _deletion(item: Deletion) -> DeletionEntry:
    return DeletionEntry.model_validate(
        {
            "provider": item.provider.value,
            "identifier": item.identifier,
            "format": item.format.value,
            "artefact": item.artefact,
        }
    )


def found(result: Found) -> SearchFetchedResult:
    """One page of full-text matches."""
    matches = [
        SearchMatch(
            provider=shown.hit.key.provider.value,
            identifier=shown.hit.key.identifier,
            format_=shown.hit.key.format.value,
            snippet=shown.snippet,
            offset=shown.hit.span.start,
            score=shown.hit.score,
        )
        for shown in result.hits
    ]
    return SearchFetchedResult(
        fts=PagedSearchMatches(matches=matches, **_paging(result.page, len(matches), result.total)),
        vector=None,
        index_status={} if result.status is None else {"fts": result.status},
    )


def _paging(page: Page, shown: int, total: int) -> dict[str, Any]:
    return {
        "offset": page.offset,
        "limit": page.limit,
        "total": total,
        "has_more": page.offset + shown < total and shown > 0,
    }
