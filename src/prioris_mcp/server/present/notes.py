"""Notes, from the wire to the application and back."""

from __future__ import annotations

from collections.abc import Sequence

from prioris_mcp.app.notes.search import NoteLists
from prioris_mcp.domain.notes import note as domain
from prioris_mcp.domain.notes.files import file_name
from prioris_mcp.models.notes import (
    NoteExport,
    NoteFrontmatter,
    NotesSearchResult,
    PagedNotes,
    PagedNoteVectorMatches,
    WireAnchor,
)

_PREVIEW = 300


def anchors(given: Sequence[WireAnchor]) -> tuple[domain.Anchor, ...]:
    """What a caller sent, checked."""
    return tuple(
        domain.Anchor(
            domain.Location.given(**dict(anchor.location)) if anchor.location else None,
            domain.Selectors(**dict(anchor.selectors)) if anchor.selectors else None,
        )
        for anchor in given
    )


def listed(result: NoteLists) -> NotesSearchResult:
    """A page for each mechanism that was asked."""
    return NotesSearchResult(
        fts=result.fts and PagedNotes.of(result.fts),
        vector=result.vector and PagedNoteVectorMatches.of(result.vector),
        index_status={"vector": result.status} if result.status else None,
        unavailable={"vector": result.unavailable} if result.unavailable else None,
    )


def export(kept: domain.Note) -> NoteExport:
    """One note, ready to be written to a file."""
    return NoteExport(
        suggested_filename=file_name(kept), frontmatter=NoteFrontmatter.of(kept), markdown_body=kept.content.text
    )
