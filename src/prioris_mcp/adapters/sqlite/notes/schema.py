"""Define the schemas of ``notes.sqlite`` and ``notes-search.sqlite3``, as numbered steps.

Instants are microseconds since 1970, UTC. Every index holds all that the filters it serves look at, in the order in
which notes are listed, so that counting and finding a page read no note that is not shown. A tag's rows repeat
``created`` for the same reason.
"""

from __future__ import annotations

import apsw

from prioris_mcp.adapters.sqlite import history
from prioris_mcp.adapters.sqlite.fts.query import TOKENIZER

_NOTES = """
CREATE TABLE library(id TEXT NOT NULL) STRICT;
INSERT INTO library VALUES (lower(hex(randomblob(8))));
CREATE TABLE note(
    id INTEGER PRIMARY KEY,
    note_id TEXT NOT NULL UNIQUE,
    provider TEXT NOT NULL,
    work TEXT NOT NULL,
    identifier TEXT NOT NULL,
    format TEXT,
    author TEXT,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    anchors TEXT NOT NULL,
    tags TEXT NOT NULL,
    metadata TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX note_by_time ON note(created, id, format, author);
CREATE INDEX note_by_provider ON note(provider, created, id, format, author);
CREATE INDEX note_by_work ON note(work, created, id, provider, identifier, format, author);
CREATE INDEX note_by_author ON note(author, created, id, format) WHERE author IS NOT NULL;
CREATE TABLE tag(
    tag TEXT NOT NULL,
    created INTEGER NOT NULL,
    note INTEGER NOT NULL REFERENCES note(id) ON DELETE CASCADE,
    PRIMARY KEY(tag, created, note)
) STRICT, WITHOUT ROWID;
CREATE INDEX tag_by_note ON tag(note);
CREATE TABLE change(
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    note INTEGER NOT NULL UNIQUE
) STRICT;
"""
_NUMBER_CHANGE = """
CREATE TRIGGER text_{name} AFTER {event} ON note
BEGIN
    DELETE FROM change WHERE note = {row}.id;
    INSERT INTO change(note) VALUES ({row}.id);
END;
"""


def _create_notes(db: apsw.Connection) -> None:
    db.execute(_NOTES)
    for name, event, row in (
        ("came", "INSERT", "new"),
        ("changed", "UPDATE OF text", "new"),
        ("went", "DELETE", "old"),
    ):
        db.execute(_NUMBER_CHANGE.format(name=name, event=event, row=row))


def _name_changes(db: apsw.Connection) -> None:
    """Let changes also say which note it was, when its row is gone or has become another note's."""
    db.execute(
        """
        CREATE TABLE named(
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            note INTEGER NOT NULL,
            note_id TEXT NOT NULL UNIQUE
        ) STRICT;
        INSERT INTO named SELECT number, change.note, ifnull(note_id, 'gone ' || number)
            FROM change LEFT JOIN note ON note.id = change.note ORDER BY number;
        DROP TRIGGER text_came; DROP TRIGGER text_changed; DROP TRIGGER text_went;
        DROP TABLE change;
        ALTER TABLE named RENAME TO change;
        """
    )
    for name, event, row in (
        ("came", "INSERT ON note", "new"),
        ("changed", "UPDATE OF text ON note WHEN old.text IS NOT new.text", "new"),
        ("went", "DELETE ON note", "old"),
    ):
        db.execute(
            f"""
            CREATE TRIGGER text_{name} AFTER {event}
            BEGIN
                DELETE FROM change WHERE note_id = {row}.note_id;
                INSERT INTO change(note, note_id) VALUES ({row}.id, {row}.note_id);
            END;
            """
        )


def _create_search(db: apsw.Connection) -> None:
    db.execute(
        f"""
        CREATE TABLE position(library TEXT NOT NULL, number INTEGER NOT NULL) STRICT;
        INSERT INTO position VALUES ('', 0);
        CREATE VIRTUAL TABLE word USING fts5(text, content='', contentless_delete=1, tokenize='{TOKENIZER}');
        """
    )


NOTES = (_create_notes, _name_changes, history.create)
SEARCH = (_create_search, history.add_session, history.begin_anew)
