"""From the application's results to the wire's."""

from __future__ import annotations

from typing import Any

from prioris_mcp.app.discover import Discovered
from prioris_mcp.app.fetch import Fetched
from prioris_mcp.app.library import CataloguePage, Deleted, Deletion
from prioris_mcp.app.read import Read
from prioris_mcp.domain.discovery import Work, route
from prioris_mcp.domain.documents import Resolution
from prioris_mcp.domain.search import PageRequest
from prioris_mcp.models.common import (
    ArxivResolvedIdentifierResult,
    DeleteFetchedResult,
    DeletionEntry,
    EuropePmcMarkdown,
    EuropePmcResolvedIdentifierResult,
    FetchedEntry,
    FormatName,
    FullTextFetchResult,
    ListFetchedResult,
    PagedMarkdown,
    ResolvedIdentifierResult,
)
from prioris_mcp.models.discovery import DiscoveryAuthor, DiscoveryFetchRoute, DiscoveryHit, DiscoveryResult
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


def resolved(result: Resolution) -> ResolvedIdentifierResult:
    """Which source serves an identifier."""
    key = result.key
    if result.available is None:
        return ArxivResolvedIdentifierResult(
            provider="arxiv",
            identifier=key.identifier,
            resolved_url=result.url,
            format_=key.format.value,
            formats=_names(result),
            next_step=result.next_step(),
        )
    return EuropePmcResolvedIdentifierResult(
        provider="europepmc",
        identifier=key.identifier,
        resolved_url=result.url,
        format_=key.format.value,
        full_text_available=result.available,
        formats=_names(result) if result.available else (),
        next_step=result.next_step(),
    )


def _names(result: Resolution) -> tuple[FormatName, ...]:
    return tuple(offered.value for offered in result.formats)


def article(read: Read) -> EuropePmcMarkdown:
    """A window of an article's Markdown."""
    window = _window(read)
    return EuropePmcMarkdown(**{name: window[name] for name in window if name in EuropePmcMarkdown.model_fields})


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


def discovered(result: Discovered) -> DiscoveryResult:
    """One page of works, each with its route."""
    return DiscoveryResult(
        hits=[_hit(work) for work in result.works],
        page=result.query.page,
        per_page=result.query.max_results,
        total=result.total,
        has_more=result.has_more,
        hits_in_library=result.held,
    )


def _hit(work: Work) -> DiscoveryHit:
    way = route(work)
    return DiscoveryHit(
        openalex_id=work.openalex_id,
        title=work.title,
        publication_year=work.year,
        doi=work.doi,
        abstract=work.abstract,
        authors=[DiscoveryAuthor(name=name) for name in work.authors],
        work_type=work.kind,
        score=work.score,
        fetch_route=DiscoveryFetchRoute.model_validate(
            {"kind": way.kind, "provider": way.provider, "identifier": way.identifier, "pdf_url": way.pdf_url}
        ),
        next_step=way.next_step(),
        is_authors_truncated=work.more_authors,
    )


def listed(result: CataloguePage) -> ListFetchedResult:
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
    return ListFetchedResult(entries=entries, **paging(result.page, len(entries), result.entries.total))


def deleted(result: Deleted) -> DeleteFetchedResult:
    """What was deleted, one by one."""
    return DeleteFetchedResult(
        deleted=[_deletion(item) for item in result.deleted], not_found=[_deletion(item) for item in result.not_found]
    )


def _deletion(item: Deletion) -> DeletionEntry:
    return DeletionEntry.model_validate(
        {
            "provider": item.provider.value,
            "identifier": item.identifier,
            "format": item.format.value if item.format else None,
            "artefact": item.artefact,
        }
    )


def paging(page: PageRequest, shown: int, total: int) -> dict[str, Any]:
    """The fields of a page."""
    return {
        "offset": page.offset,
        "limit": page.limit,
        "total": total,
        "has_more": page.offset + shown < total and shown > 0,
    }
