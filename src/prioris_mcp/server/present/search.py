"""From what was found to the wire."""

from __future__ import annotations

from typing import Any

from prioris_mcp.app.search.find import Citable, Finding
from prioris_mcp.domain.changes import DocumentSpan
from prioris_mcp.domain.notes.note import Note
from prioris_mcp.models.common import (
    FindHit,
    FindResult,
)


def finding(result: Finding) -> FindResult:
    """One page of citable hits."""
    hits = result.hits
    return FindResult(
        hits=[_citable(hit) for hit in hits.items],
        offset=hits.offset,
        limit=hits.limit,
        total=hits.total,
        has_more=hits.has_more,
        strength=result.strength,
        without_vectors=result.without_meaning,
        pending_documents=result.pending,
        read_as=result.read_as,
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
        match=hit.candidate.match,
        fts_rank=hit.candidate.fts_rank,
        vector_rank=hit.candidate.vector_rank,
    )


def _section(place: DocumentSpan) -> dict[str, Any]:
    key, span = place.key, place.span
    uri = f"{key.uri('markdown')}?offset={span.start}"
    about = {"provider": key.provider, "identifier": key.identifier, "format_": key.format}
    return about | {"note_id": None, "offset": span.start, "length": span.length, "resource_uri": uri}


def _note(note: Note) -> dict[str, Any]:
    subject = note.subject
    return {
        "provider": subject.provider,
        "identifier": subject.identifier,
        "format_": subject.format,
        "note_id": note.id,
        "offset": 0,
        "length": len(note.content.text),
        "resource_uri": f"notes://{note.id}/export",
    }
