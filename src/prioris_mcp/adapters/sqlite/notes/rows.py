"""Read and write rows of ``notes.sqlite``: one for each note, and one for each of its tags.

Functions here run inside a transaction that the caller opened.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import astuple
from functools import lru_cache
from typing import Any

import apsw

from prioris_mcp.adapters.sqlite import history
from prioris_mcp.adapters.sqlite.notes.salvage import anchor_of, salvaged
from prioris_mcp.domain.changes import Change, Changes, Position
from prioris_mcp.domain.documents import SourceFormat
from prioris_mcp.domain.instants import Instant
from prioris_mcp.domain.notes.note import Anchor, Content, Note, Subject
from prioris_mcp.domain.sources.table import provider_named
from prioris_mcp.errors import PriorisError

COLUMNS = "note_id, provider, identifier, format, author, created, updated, anchors, tags, metadata, text"
_PLACES = "note_id, provider, work, identifier, format, author, created, updated, anchors, tags, metadata, text"
_REPLACED = ", ".join(f"{column} = excluded.{column}" for column in _PLACES.split(", ")[1:])
_SMALL = 4096
_WRONG = (ValueError, TypeError, KeyError, AttributeError, RecursionError, PriorisError)
"""Errors that decoding can raise for a row that this program did not write as it is."""
_FORMATS = {format_.value: format_ for format_ in SourceFormat}


def put(db: apsw.Connection, note: Note) -> None:
    """Store *note* in place of what has its id."""
    subject, content = note.subject, note.content
    row: int = db.execute(
        f"INSERT INTO note({_PLACES}) VALUES ({', '.join('?' * 12)})"
        f" ON CONFLICT(note_id) DO UPDATE SET {_REPLACED} RETURNING id",
        (
            note.id,
            subject.provider,
            subject.work,
            subject.identifier,
            subject.format.value if subject.format else None,
            content.author_name,
            note.created_at.micros,
            note.updated_at.micros,
            _json([_facts(anchor) for anchor in content.anchors]),
            _json(content.tags),
            _json(content.metadata),
            content.text,
        ),
    ).get
    db.execute("DELETE FROM tag WHERE note = ?", (row,))
    tags = [(tag, note.created_at.micros, row) for tag in content.tags]
    db.executemany("INSERT INTO tag(tag, created, note) VALUES (?, ?, ?)", tags)


def find(db: apsw.Connection, note_id: str) -> Note | None:
    """Return the note with this id; None where there is none."""
    row = db.execute(f"SELECT {COLUMNS} FROM note WHERE note_id = ?", (note_id,)).fetchone()
    return note_of(row) if row else None


def remove(db: apsw.Connection, note_id: str) -> bool:
    """Delete the note with this id; return whether there was one."""
    return db.execute("DELETE FROM note WHERE note_id = ? RETURNING id", (note_id,)).get is not None


def after(db: apsw.Connection, note_id: str, most: int) -> tuple[Note, ...]:
    """Return the notes whose ids follow *note_id*, at most *most*."""
    return notes_of(
        db.execute(f"SELECT {COLUMNS} FROM note WHERE note_id > ? ORDER BY note_id LIMIT ?", (note_id, most))
    )


def was_deleted(db: apsw.Connection, note_id: str, since: Position) -> bool:
    """Return whether a note that is not there was deleted after *since*."""
    found: int = db.execute(
        "SELECT EXISTS(SELECT 1 FROM change WHERE note_id = ? AND number > ?)", (note_id, since.number)
    ).get
    return bool(found)


def changes(db: apsw.Connection, position: Position, most: int) -> Changes[str]:
    """Return the changes of texts after *position*, or all where that is a position in another file."""
    library, known = str(db.execute("SELECT id FROM library").get), history.knows(db, position)
    rows = db.execute(
        f"SELECT number, {history.session_of('number')}, change.note_id, note.id IS NOT NULL"
        " FROM change LEFT JOIN note USING (note_id)"
        " WHERE number > ? ORDER BY number LIMIT ?",
        (position.number if known else 0, most),
    )
    found = (
        Change(Position(library, number, session), str(note), bool(there)) for number, session, note, there in rows
    )
    return Changes(library, tuple(found), known)


def notes_of(rows: Iterable[tuple[Any, ...]]) -> tuple[Note, ...]:
    """Return the notes in *rows* of `COLUMNS`."""
    return tuple(map(note_of, rows))


def note_of(row: tuple[Any, ...]) -> Note:
    """Return the note in one row of `COLUMNS`; of a damaged row what can be read, so that it breaks no list."""
    try:
        return _remembered(row) if len(row[-1]) <= _SMALL else _decoded(row)
    except _WRONG:
        return salvaged(row)


@lru_cache(maxsize=1024)
def _remembered(row: tuple[Any, ...]) -> Note:
    """Return the note in a row, remembered: lists show the same again and again, and making one costs more."""
    return _decoded(row)


def _decoded(row: tuple[Any, ...]) -> Note:
    note_id, provider, identifier, format_, author, created, updated, anchors, tags, metadata, text = row
    passages, labels, more = json.loads(f"[{anchors},{tags},{metadata}]")
    content = Content(text, tuple(map(anchor_of, passages)), author, tuple(labels), more)
    subject = Subject(provider_named(provider), identifier, format_ and _FORMATS[format_])
    return Note(note_id, subject, content, Instant(created), Instant(updated))


def _facts(anchor: Anchor) -> list[list[Any] | None]:
    place, words = anchor.location, anchor.selectors
    return [
        list(astuple(place)) if place else None,
        list(astuple(words)) if words else None,
    ]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
