"""The tables of ``catalogue.sqlite``: which artefacts are stored, and what parts their Markdown has.

Functions here run inside a transaction that the caller opened.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from prioris_mcp.domain.chunks import SCHEME, Chunk
from prioris_mcp.domain.documents import Artefact, DocumentKey, Entries, Entry, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Markdown, Span


def _create(db: apsw.Connection) -> None:
    db.execute(
        """
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
        """
    )


MIGRATIONS = (_create,)

_OF_KEY = "provider = ? AND identifier = ? AND format = ?"


@dataclass(frozen=True, slots=True)
class Row:
    """One stored artefact, as ``metadata.jsonl`` repeats it."""

    id: int
    key: DocumentKey
    artefact: Artefact
    folder: str
    name: str
    size: int
    sha256: str
    stored_at: str
    original_identifier: str | None = None
    parser: str | None = None
    paged: int = 0
    """1 where the Markdown has pages."""

    def facts(self) -> dict[str, Any]:
        """Everything that the catalogue could be rebuilt from, but the leaves."""
        return {
            "provider": self.key.provider,
            "identifier": self.key.identifier,
            "format": self.key.format,
            "artefact": self.artefact,
            "name": self.name,
            "size": self.size,
            "sha256": self.sha256,
            "stored_at": self.stored_at,
            "original_identifier": self.original_identifier,
            "parser": self.parser,
            "paged": self.paged,
        }


_COLUMNS = (
    "id, provider, identifier, format, artefact, folder, name, size, sha256, stored_at,"
    " original_identifier, parser, paged"
)


def _row(values: tuple[Any, ...]) -> Row:
    number, provider, identifier, format_, artefact, *rest = values
    key = DocumentKey(ProviderName(provider), identifier, SourceFormat(format_))
    return Row(number, key, Artefact(artefact), *rest)


def values_of(key: DocumentKey) -> tuple[str, str, str]:
    """The key as the columns provider, identifier, format."""
    return key.provider.value, key.identifier, key.format.value


def find(db: apsw.Connection, key: DocumentKey, artefact: Artefact) -> Row | None:
    """The row of one artefact."""
    found = db.execute(
        f"SELECT {_COLUMNS} FROM artefact WHERE {_OF_KEY} AND artefact = ?", (*values_of(key), artefact.value)
    ).fetchone()
    return _row(found) if found else None


def find_all(db: apsw.Connection, key: DocumentKey) -> list[Row]:
    """The rows of all artefacts of one key."""
    return [_row(values) for values in db.execute(f"SELECT {_COLUMNS} FROM artefact WHERE {_OF_KEY}", values_of(key))]


def insert(db: apsw.Connection, row: Row) -> int:
    """Add *row* (its id is ignored), in place of an earlier one for the same artefact; the new id."""
    remove(db, row.key, row.artefact)
    values = (*values_of(row.key), row.artefact.value, row.folder, row.name, row.size, row.sha256, row.stored_at)
    db.execute(
        f"INSERT INTO artefact({_COLUMNS.removeprefix('id, ')}) VALUES ({', '.join('?' * 12)})",
        (*values, row.original_identifier, row.parser, row.paged),
    )
    return db.last_insert_rowid()


def remove(db: apsw.Connection, key: DocumentKey, artefact: Artefact) -> None:
    """Delete one artefact's row, and with it its manifest."""
    db.execute(f"DELETE FROM artefact WHERE {_OF_KEY} AND artefact = ?", (*values_of(key), artefact.value))


def put_manifest(db: apsw.Connection, artefact: int, markdown: Markdown, chunks: Sequence[Chunk]) -> None:
    """Write the leaf and chunk rows of a Markdown artefact."""
    leaves = (
        (artefact, n, f"leaf-{n}", "leaf", str(n), None, _spans([leaf])) for n, leaf in enumerate(markdown.leaves, 1)
    )
    sections = (
        (artefact, n, chunk.id, "chunk", json.dumps(chunk.path), SCHEME, _spans([chunk.span]))
        for n, chunk in enumerate(chunks, 1)
    )
    db.executemany(
        "INSERT INTO manifest(artefact, position, id, kind, key, provenance, scheme, spans)"
        " VALUES (?, ?, ?, ?, ?, 'parser', ?, ?)",
        [*leaves, *sections],
    )


def leaves(db: apsw.Connection, artefact: int) -> tuple[Span, ...]:
    """The leaf spans of a Markdown artefact, in order."""
    return tuple(_span(spans) for _, _, spans in _parts(db, artefact, "leaf"))


def chunks(db: apsw.Connection, row: Row) -> tuple[Chunk, ...]:
    """The chunk rows of a Markdown artefact, in order."""
    parts = _parts(db, row.id, "chunk")
    return tuple(Chunk(number, row.key, tuple(json.loads(path)), _span(spans)) for number, path, spans in parts)


def _parts(db: apsw.Connection, artefact: int, kind: str) -> Iterable[tuple[Any, ...]]:
    return db.execute(
        "SELECT id, key, spans FROM manifest WHERE artefact = ? AND kind = ? ORDER BY position", (artefact, kind)
    ).fetchall()


def page(
    db: apsw.Connection, provider: ProviderName | None, format_: SourceFormat | None, offset: int, limit: int
) -> Entries:
    """One page of the catalogue, newest first, with the exact total."""
    filters = {"provider": provider, "format": format_}
    given = {column: value.value for column, value in filters.items() if value is not None}
    where = f" WHERE {' AND '.join(f'{column} = ?' for column in given)}" if given else ""
    total = db.execute(f"SELECT count(*) FROM artefact{where}", tuple(given.values())).get
    found = db.execute(
        f"SELECT {_COLUMNS} FROM artefact{where} ORDER BY id DESC LIMIT ? OFFSET ?", (*given.values(), limit, offset)
    )
    rows = [_row(values) for values in found]
    return Entries(tuple(Entry(row.key, row.artefact, row.stored_at, row.size) for row in rows), total)


def identifiers_from(db: apsw.Connection, provider: ProviderName, base: str, format_: SourceFormat) -> list[str]:
    """Stored identifiers that begin with ``{base}v``."""
    return [
        identifier
        for (identifier,) in db.execute(
            "SELECT DISTINCT identifier FROM artefact"
            " WHERE provider = ? AND identifier >= ? AND identifier < ? AND format = ?",
            (provider.value, f"{base}v", f"{base}w", format_.value),
        )
    ]


def names_in(db: apsw.Connection, folder: str) -> set[str]:
    """File names that the catalogue lists in *folder*."""
    return {name for (name,) in db.execute("SELECT name FROM artefact WHERE folder = ?", (folder,))}


def sidecar(db: apsw.Connection, rows: Sequence[Row]) -> bytes:
    """The text of ``metadata.jsonl`` for *rows*: one JSON object a line."""
    lines = [
        row.facts() | {"leaves": [[leaf.start, leaf.length] for leaf in leaves(db, row.id)]}
        for row in sorted(rows, key=lambda row: row.artefact)
    ]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def _spans(spans: Sequence[Span]) -> str:
    return json.dumps([{"start": span.start, "length": span.length} for span in spans])


def _span(text: str) -> Span:
    (first, *_) = json.loads(text)
    return Span(first["start"], first["length"])
