"""Read and write rows of ``catalogue.sqlite``: the stored artefacts, and the parts of their Markdown.

Functions here run inside a transaction that the caller opened.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from prioris_mcp.adapters.sqlite.history import session_of
from prioris_mcp.domain.changes import Change, Parsed, Position
from prioris_mcp.domain.chunks import SCHEME, Chunk
from prioris_mcp.domain.documents import Artefact, DocumentKey, Entry, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Markdown, Span
from prioris_mcp.domain.page import Page
from prioris_mcp.domain.sources.table import provider_named

_OF_KEY = "provider = ? AND identifier = ? AND format = ?"


@dataclass(frozen=True, slots=True)
class ArtefactRow:
    """Hold one stored artefact, as ``metadata.jsonl`` repeats it."""

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
    """Hold 1 where the Markdown has pages, else 0."""


_COLUMNS = (
    "id, provider, identifier, format, artefact, folder, name, size, sha256, stored_at,"
    " original_identifier, parser, paged"
)


_REPLACED = ", ".join(
    f"{column} = excluded.{column}"
    for column in ("name", "size", "sha256", "stored_at", "original_identifier", "parser", "paged")
)


def _row(values: tuple[Any, ...]) -> ArtefactRow:
    number, provider, identifier, format_, artefact, *rest = values
    key = DocumentKey(provider_named(provider), identifier, SourceFormat(format_))
    return ArtefactRow(number, key, Artefact(artefact), *rest)


def values_of(key: DocumentKey) -> tuple[str, str, str]:
    """Return the key as the columns provider, identifier, format."""
    return key.provider, key.identifier, key.format.value


def find(db: apsw.Connection, key: DocumentKey, artefact: Artefact) -> ArtefactRow | None:
    """Return the row of one artefact; None where there is none."""
    found = db.execute(
        f"SELECT {_COLUMNS} FROM artefact WHERE {_OF_KEY} AND artefact = ?", (*values_of(key), artefact.value)
    ).fetchone()
    return _row(found) if found else None


def find_all(db: apsw.Connection, key: DocumentKey) -> list[ArtefactRow]:
    """Return the rows of all artefacts of one key."""
    return [_row(values) for values in db.execute(f"SELECT {_COLUMNS} FROM artefact WHERE {_OF_KEY}", values_of(key))]


def put(db: apsw.Connection, row: ArtefactRow) -> int:
    """Add *row* (its id is ignored), or replace the one for the same artefact; return the row's id.

    Remove what else was known of that one, manifest and images.
    """
    values = (*values_of(row.key), row.artefact.value, row.folder, row.name, row.size, row.sha256, row.stored_at)
    number: int = db.execute(
        f"INSERT INTO artefact({_COLUMNS.removeprefix('id, ')}) VALUES ({', '.join('?' * 12)})"
        f" ON CONFLICT(provider, identifier, format, artefact) DO UPDATE SET {_REPLACED} RETURNING id",
        (*values, row.original_identifier, row.parser, row.paged),
    ).get
    db.execute("DELETE FROM manifest WHERE artefact = ?", (number,))
    db.execute("DELETE FROM image WHERE artefact = ?", (number,))
    return number


def remove(db: apsw.Connection, key: DocumentKey, artefact: Artefact) -> None:
    """Delete one artefact's row, and with it its manifest and images."""
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
    """Return the leaf spans of a Markdown artefact, in order."""
    return tuple(_span(spans) for _, _, spans in _parts(db, artefact, "leaf"))


def chunks(db: apsw.Connection, row: ArtefactRow) -> tuple[Chunk, ...]:
    """Return the chunks of a Markdown artefact, in order."""
    parts = _parts(db, row.id, "chunk")
    return tuple(Chunk(number, row.key, tuple(json.loads(path)), _span(spans)) for number, path, spans in parts)


def _parts(db: apsw.Connection, artefact: int, kind: str) -> Iterable[tuple[Any, ...]]:
    return db.execute(
        "SELECT id, key, spans FROM manifest WHERE artefact = ? AND kind = ? ORDER BY position", (artefact, kind)
    ).fetchall()


def page(
    db: apsw.Connection, provider: ProviderName | None, format_: SourceFormat | None, offset: int, limit: int
) -> Page[Entry]:
    """Return one page of the catalogue, newest first, with the exact total."""
    filters = {"provider": provider, "format": format_}
    given = {column: str(value) for column, value in filters.items() if value is not None}
    where = f" WHERE {' AND '.join(f'{column} = ?' for column in given)}" if given else ""
    total = db.execute(f"SELECT count(*) FROM artefact{where}", tuple(given.values())).get
    found = db.execute(
        f"SELECT {_COLUMNS} FROM artefact{where} ORDER BY id DESC LIMIT ? OFFSET ?", (*given.values(), limit, offset)
    )
    rows = [_row(values) for values in found]
    return Page(tuple(Entry(row.key, row.artefact, row.stored_at, row.size) for row in rows), total, offset, limit)


def parsed(db: apsw.Connection) -> tuple[Parsed, ...]:
    """Return every Markdown with its parser, oldest first."""
    found = db.execute(f"SELECT {_COLUMNS} FROM artefact WHERE artefact = 'markdown' ORDER BY id")
    return tuple(Parsed(row.key, row.parser or "") for row in map(_row, found))


def every(db: apsw.Connection) -> list[ArtefactRow]:
    """Return all rows, oldest first."""
    return [_row(values) for values in db.execute(f"SELECT {_COLUMNS} FROM artefact ORDER BY id")]


def identifiers_from(db: apsw.Connection, provider: ProviderName, base: str, format_: SourceFormat) -> list[str]:
    """Return stored identifiers that begin with ``{base}v``."""
    return [
        identifier
        for (identifier,) in db.execute(
            "SELECT DISTINCT identifier FROM artefact"
            " WHERE provider = ? AND identifier >= ? AND identifier < ? AND format = ?",
            (provider, f"{base}v", f"{base}w", format_.value),
        )
    ]


def changes(db: apsw.Connection, after: int, most: int) -> list[Change[DocumentKey]]:
    """Return at most *most* changes of Markdown after change *after*, oldest first."""
    library = library_id(db)
    found = db.execute(
        f"SELECT number, {session_of('number')}, provider, identifier, format,"
        " EXISTS(SELECT 1 FROM artefact AS stored WHERE"
        " stored.provider = change.provider AND stored.identifier = change.identifier"
        " AND stored.format = change.format AND stored.artefact = 'markdown')"
        " FROM change WHERE number > ? ORDER BY number LIMIT ?",
        (after, most),
    )
    return [
        Change(
            Position(library, number, session),
            DocumentKey(provider_named(provider), identifier, SourceFormat(format_)),
            bool(stored),
        )
        for number, session, provider, identifier, format_, stored in found
    ]


def library_id(db: apsw.Connection) -> str:
    """Return the name of this catalogue, unlike any other."""
    found: str = db.execute("SELECT id FROM library").get
    return found


def named(db: apsw.Connection, provider: ProviderName, alias: str) -> str | None:
    """Return the identifier that *alias* stands for; None where it stands for none."""
    found: str | None = db.execute(
        "SELECT identifier FROM alias WHERE provider = ? AND alias = ?", (provider, alias)
    ).get
    return found


def put_alias(db: apsw.Connection, key: DocumentKey, alias: str) -> None:
    """Let *alias* stand for the identifier of *key*."""
    db.execute("INSERT OR REPLACE INTO alias VALUES (?, ?, ?)", (key.provider, alias, key.identifier))


def aliases(db: apsw.Connection, provider: ProviderName, identifier: str) -> list[str]:
    """Return every alias that stands for *identifier*."""
    found = db.execute("SELECT alias FROM alias WHERE provider = ? AND identifier = ?", (provider, identifier))
    return [alias for (alias,) in found]


def is_used(db: apsw.Connection, provider: ProviderName, identifier: str) -> bool:
    """Return whether anything is stored under *identifier*."""
    return bool(
        db.execute(
            "SELECT EXISTS(SELECT 1 FROM artefact WHERE provider = ? AND identifier = ?)", (provider, identifier)
        ).get
    )


def names_in(db: apsw.Connection, folder: str) -> set[str]:
    """Return the file names that the catalogue lists in *folder*."""
    return {name for (name,) in db.execute("SELECT name FROM artefact WHERE folder = ?", (folder,))}


def _spans(spans: Sequence[Span]) -> str:
    return json.dumps([{"start": span.start, "length": span.length} for span in spans])


def _span(text: str) -> Span:
    (first, *_) = json.loads(text)
    return Span(first["start"], first["length"])
