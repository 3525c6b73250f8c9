"""Read what can be read of a row of ``notes.sqlite`` that this program did not write as it is, field by field."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from prioris_mcp.domain.documents import SourceFormat
from prioris_mcp.domain.instants import Instant
from prioris_mcp.domain.notes.note import Anchor, Content, Location, Note, Selectors, Subject
from prioris_mcp.domain.sources.localfiles import LOCALFILE
from prioris_mcp.domain.sources.table import provider_named
from prioris_mcp.errors import PriorisError

T = TypeVar("T")
_WRONG = (ValueError, TypeError, KeyError, AttributeError, RecursionError, PriorisError)
_NOTHING = "(nothing that can be read)"


def anchor_of(facts: list[list[Any] | None]) -> Anchor:
    """Return one anchor from its JSON."""
    place, words = facts
    return Anchor(Location(*place) if place else None, Selectors(*words) if words else None)


def salvaged(row: tuple[Any, ...]) -> Note:
    """Return the note without the fields that make no sense; `Note.damaged` names these."""
    note_id, provider, identifier, format_, author, created, updated, anchors, tags, metadata, text = row
    lost: list[str] = []

    def part(name: str, make: Callable[[], T], instead: T) -> T:
        try:
            return make()
        except _WRONG:
            lost.append(name)
            return instead

    source = part("provider", lambda: provider_named(provider), LOCALFILE.name)
    kind = part("format", lambda: SourceFormat(format_) if format_ else None, None)
    content = Content(
        part("text", lambda: Content(text).text, _NOTHING),
        part("anchors", lambda: tuple(map(anchor_of, json.loads(anchors))), ()),
        part("author_name", lambda: Content("x", author_name=author).author_name, None),
        part("tags", lambda: Content("x", tags=tuple(json.loads(tags))).tags, ()),
        part("metadata", lambda: Content("x", metadata=json.loads(metadata)).metadata, None),
    )
    made = part("created_at", lambda: Instant(created), Instant.nearest(created))
    changed = part("updated_at", lambda: Instant(updated), Instant.nearest(updated))
    return Note(note_id, Subject(source, identifier, kind), content, made, changed, ", ".join(lost))
