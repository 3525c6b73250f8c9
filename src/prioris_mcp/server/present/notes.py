"""Notes, from the wire to the application and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from prioris_mcp.app.notes.search import NoteLists, NoteVectorHit, NoteVectorHits
from prioris_mcp.domain.notes import note as domain
from prioris_mcp.domain.notes.files import file_name
from prioris_mcp.domain.notes.note import NotesFound
from prioris_mcp.domain.search import PageRequest
from prioris_mcp.models.notes import (
    AnchorLocation,
    AnchorSelectors,
    NoteExport,
    NoteFrontmatter,
    NotesSearchResult,
    NoteVectorMatch,
    PagedNotes,
    PagedNoteVectorMatches,
    WireAnchor,
    WireNote,
)
from prioris_mcp.server.present.documents import paging

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


def note(kept: domain.Note) -> WireNote:
    """One note."""
    return WireNote(text=kept.content.text, damaged=kept.damaged or None, **_facts(kept))


def listed(result: NoteLists) -> NotesSearchResult:
    """One page of notes."""
    fts, vector = result.fts, result.vector
    return NotesSearchResult(
        fts=fts and _paged(result, fts),
        vector=vector
        and PagedNoteVectorMatches(matches=[_near(kept) for kept in vector.items], **_page(result, vector)),
        index_status={"vector": result.status} if result.status else None,
        unavailable={"vector": result.unavailable} if result.unavailable else None,
    )


def _paged(result: NoteLists, found: NotesFound) -> PagedNotes:
    """A page; where it is cut, the limit is what it holds, so that offset and limit lead to the next one."""
    page = PageRequest(result.page.offset, len(found.items)) if found.cut else result.page
    return PagedNotes(notes=[note(kept) for kept in found.items], **paging(page, len(found.items), found.total))


def _page(result: NoteLists, found: NoteVectorHits) -> dict[str, Any]:
    return paging(result.page, len(found.items), found.total)


def _near(near: NoteVectorHit) -> NoteVectorMatch:
    line = " ".join(near.note.content.text.split())
    preview = line if len(line) <= _PREVIEW else f"{line[:_PREVIEW]}…"
    return NoteVectorMatch(note_id=near.note.id, text_preview=preview, score=near.distance)


def export(kept: domain.Note) -> NoteExport:
    """One note, ready to be written to a file."""
    return NoteExport(
        suggested_filename=file_name(kept),
        frontmatter=NoteFrontmatter(**_facts(kept)),
        markdown_body=kept.content.text,
    )


def _facts(kept: domain.Note) -> dict[str, Any]:
    """Everything but the text."""
    subject, content = kept.subject, kept.content
    return {
        "id": kept.id,
        "provider": subject.provider.value,
        "canonical_identifier": subject.identifier,
        "format_": subject.format.value if subject.format else None,
        "anchors": [_anchor(anchor) for anchor in content.anchors],
        "author_name": content.author_name,
        "tags": list(content.tags),
        "metadata": content.metadata,
        "created_at": str(kept.created_at),
        "updated_at": str(kept.updated_at),
    }


def _anchor(anchor: domain.Anchor) -> WireAnchor:
    place, words = anchor.location, anchor.selectors
    return WireAnchor(
        location=AnchorLocation(
            page_number=place.page_number,
            section_heading=place.section_heading,
            paragraph_index=place.paragraph_index,
        )
        if place
        else None,
        selectors=AnchorSelectors(
            exact_text_quote=words.exact_text_quote,
            prefix_context=words.prefix_context,
            suffix_context=words.suffix_context,
        )
        if words
        else None,
    )
