"""From what was found to the wire."""

from __future__ import annotations

from typing import Any

from prioris_mcp.app.indexing.embedding import Rebuild
from prioris_mcp.app.search.documents import Found, Listed, Shown
from prioris_mcp.app.search.find import Citable, Finding
from prioris_mcp.domain.changes import DocumentSpan
from prioris_mcp.domain.documents import DocumentKey
from prioris_mcp.domain.notes.note import Note
from prioris_mcp.domain.search import Hit
from prioris_mcp.domain.vectors import VectorHit
from prioris_mcp.models.common import (
    FindHit,
    FindResult,
    PagedSearchMatches,
    PagedVectorSearchMatches,
    RebuildCounts,
    SearchFetchedResult,
    SearchMatch,
    VectorSearchMatch,
)
from prioris_mcp.server.present.documents import paging


def found(result: Found) -> SearchFetchedResult:
    """A page of matches for each mechanism that was asked."""
    fts, vector = result.fts, result.vector
    return SearchFetchedResult(
        fts=fts and PagedSearchMatches(matches=[_match(shown) for shown in fts.hits], **_page(fts)),
        vector=vector and PagedVectorSearchMatches(matches=[_near(shown) for shown in vector.hits], **_page(vector)),
        index_status=result.status,
        unavailable=result.unavailable or None,
    )


def finding(result: Finding) -> FindResult:
    """One page of citable hits."""
    hits = [_citable(hit) for hit in result.hits]
    return FindResult(hits=hits, without_vectors=result.without_meaning, **paging(result.page, len(hits), result.total))


def rebuild(state: Rebuild) -> RebuildCounts:
    """How far background work is."""
    return RebuildCounts(
        total=state.total,
        pending=state.pending,
        succeeded=state.succeeded,
        failed=state.failed,
        cancelled=state.cancelled,
        active=state.pending > 0,
    )


def _match(shown: Shown[Hit]) -> SearchMatch:
    hit = shown.hit
    return SearchMatch(**_place(hit.key), snippet=shown.snippet, offset=hit.span.start, score=hit.score)


def _near(shown: Shown[VectorHit[DocumentKey]]) -> VectorSearchMatch:
    near = shown.hit
    return VectorSearchMatch(
        **_place(near.key),
        chunk_id=near.chunk_id,
        offset=near.span.start,
        snippet=shown.snippet,
        score=near.distance,
    )


def _citable(hit: Citable) -> FindHit:
    what = hit.candidate.what
    about = _note(what) if isinstance(what, Note) else _section(what)
    return FindHit(
        **about,
        title=hit.title,
        section_path=list(hit.path),
        page_range=hit.pages,
        snippet=hit.snippet,
        score=round(hit.candidate.score, 4),
        fts_rank=hit.candidate.fts_rank,
        vector_rank=hit.candidate.vector_rank,
    )


def _section(place: DocumentSpan) -> dict[str, Any]:
    key, span = place.key, place.span
    uri = f"{key.uri('markdown')}?offset={span.start}"
    return _place(key) | {"note_id": None, "offset": span.start, "length": span.length, "resource_uri": uri}


def _note(note: Note) -> dict[str, Any]:
    subject = note.subject
    return {
        "provider": subject.provider.value,
        "identifier": subject.identifier,
        "format_": subject.format.value if subject.format else None,
        "note_id": note.id,
        "offset": 0,
        "length": len(note.content.text),
        "resource_uri": f"notes://{note.id}/export",
    }


def _place(key: DocumentKey) -> dict[str, Any]:
    return {"provider": key.provider.value, "identifier": key.identifier, "format_": key.format.value}


def _page(listed: Listed[Any]) -> dict[str, Any]:
    return paging(listed.page, len(listed.hits), listed.total)
