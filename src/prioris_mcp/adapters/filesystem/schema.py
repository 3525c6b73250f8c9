"""Define the schema of ``catalogue.sqlite``, as numbered steps."""

from __future__ import annotations

import apsw

from prioris_mcp.adapters.sqlite import history

_TABLES = """
CREATE TABLE library(id TEXT NOT NULL) STRICT;
INSERT INTO library VALUES (lower(hex(randomblob(8))));
CREATE TABLE artefact(
    id INTEGER PRIMARY KEY,
    provider TEXT NOT NULL,
    identifier TEXT NOT NULL,
    format TEXT NOT NULL,
    artefact TEXT NOT NULL,
    folder TEXT NOT NULL,
    name TEXT NOT NULL,
    size INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    stored_at TEXT NOT NULL,
    original_identifier TEXT,
    parser TEXT,
    paged INTEGER NOT NULL DEFAULT 0,
    UNIQUE(provider, identifier, format, artefact)
) STRICT;
CREATE INDEX artefact_by_folder ON artefact(folder);
CREATE TABLE manifest(
    artefact INTEGER NOT NULL REFERENCES artefact(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK(kind IN ('leaf', 'chunk', 'summary', 'image')),
    key TEXT NOT NULL,
    provenance TEXT NOT NULL CHECK(provenance IN ('parser', 'llm')),
    scheme TEXT,
    spans TEXT NOT NULL,
    PRIMARY KEY(artefact, kind, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE alias(
    provider TEXT NOT NULL,
    alias TEXT NOT NULL,
    identifier TEXT NOT NULL,
    PRIMARY KEY(provider, alias)
) STRICT, WITHOUT ROWID;
CREATE INDEX alias_by_identifier ON alias(provider, identifier);
CREATE TRIGGER aliases_go_with_the_last_artefact AFTER DELETE ON artefact
WHEN NOT EXISTS (SELECT 1 FROM artefact WHERE provider = old.provider AND identifier = old.identifier)
BEGIN
    DELETE FROM alias WHERE provider = old.provider AND identifier = old.identifier;
END;
CREATE TABLE change(
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    provider TEXT NOT NULL,
    identifier TEXT NOT NULL,
    format TEXT NOT NULL,
    UNIQUE(provider, identifier, format)
) STRICT;
"""
_NOTE_CHANGE = """
CREATE TRIGGER markdown_{event} AFTER {event} ON artefact WHEN {row}.artefact = 'markdown'
BEGIN
    DELETE FROM change
    WHERE provider = {row}.provider AND identifier = {row}.identifier AND format = {row}.format;
    INSERT INTO change(provider, identifier, format) VALUES ({row}.provider, {row}.identifier, {row}.format);
END;
"""
_IMAGES = """
CREATE TABLE image(
    artefact INTEGER NOT NULL REFERENCES artefact(id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    size INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    media_type TEXT NOT NULL,
    PRIMARY KEY(artefact, id)
) STRICT, WITHOUT ROWID;
"""


def _create(db: apsw.Connection) -> None:
    db.execute(_TABLES)
    for event, row in (("INSERT", "new"), ("UPDATE", "new"), ("DELETE", "old")):
        db.execute(_NOTE_CHANGE.format(event=event, row=row))


def _add_images(db: apsw.Connection) -> None:
    db.execute(_IMAGES)


MIGRATIONS = (_create, _add_images, history.create)
