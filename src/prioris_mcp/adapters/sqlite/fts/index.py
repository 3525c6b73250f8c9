"""Search sections by their words, in a file that can be thrown away at any time.

A document owns a block of row numbers, so replacing, deleting and searching one document never looks at another. The
text itself is not kept: hits are shown from the library.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import apsw
from anyio import to_thread

from prioris_mcp.adapters.sqlite.database_file import DamagedError
from prioris_mcp.adapters.sqlite.engine import Database
from prioris_mcp.adapters.sqlite.fts.query import TOKENIZER, QueryFrontEnd
from prioris_mcp.adapters.sqlite.history import add_session, begin_anew
from prioris_mcp.domain.changes import Position
from prioris_mcp.domain.documents import DocumentKey, SourceFormat
from prioris_mcp.domain.folding import fold
from prioris_mcp.domain.markdown import Span
from prioris_mcp.domain.page import PageRequest
from prioris_mcp.domain.search import WIDEST_SNIPPET, Hit, Hits, Scope, Section
from prioris_mcp.domain.sources.table import provider_named
from prioris_mcp.errors import IndexLostError

T = TypeVar("T")

_BLOCK = 20
"""Number of bits of a row number that count the sections of one document."""
_HEADING_WEIGHT, _BODY_WEIGHT = 2.0, 1.0
# Lower is better, so a hit's score is its negative: https://www.sqlite.org/fts5.html#the_bm25_function
_SCORE = f"bm25(section, {_HEADING_WEIGHT}, {_BODY_WEIGHT})"


# The text is in the library already, and rows come and go: https://www.sqlite.org/fts5.html#contentless_delete_tables
def _create(db: apsw.Connection) -> None:
    db.execute(
        f"""
        CREATE TABLE position(library TEXT NOT NULL, number INTEGER NOT NULL) STRICT;
        INSERT INTO position VALUES ('', 0);
        CREATE TABLE document(
            id INTEGER PRIMARY KEY,
            provider TEXT NOT NULL,
            identifier TEXT NOT NULL,
            format TEXT NOT NULL,
            UNIQUE(provider, identifier, format)
        ) STRICT;
        CREATE TABLE place(id INTEGER PRIMARY KEY, start INTEGER NOT NULL, length INTEGER NOT NULL) STRICT;
        CREATE VIRTUAL TABLE section USING fts5(
            heading, body, content='', contentless_delete=1, tokenize='{TOKENIZER}'
        );
        """
    )


class SqliteFts5SearchIndex:
    """Implement SearchIndex of ``ports/indexes.py`` on FTS5."""

    def __init__(self, path: Path) -> None:
        self.database = Database(path, (_create, add_session, begin_anew), disposable=True)
        self._front_end = QueryFrontEnd()

    async def position(self) -> Position:
        return await self._read(_position)

    async def reset(self, library: str) -> None:
        def work(db: apsw.Connection) -> None:
            db.execute("DELETE FROM document; DELETE FROM place; INSERT INTO section(section) VALUES ('delete-all')")
            _move(db, Position(library))

        await self._write(work)

    async def index_entries(self, key: DocumentKey, sections: Sequence[Section], at: Position) -> None:
        def work(db: apsw.Connection) -> None:
            if _move(db, at):
                _drop(db, key)
                _add(db, key, sections)

        await self._write(work)

    async def remove_document(self, key: DocumentKey, at: Position) -> None:
        def work(db: apsw.Connection) -> None:
            if _move(db, at):
                _drop(db, key)

        await self._write(work)

    async def search(self, query: str, scope: Scope, page: PageRequest, *, loosely: bool = False) -> Hits:
        plan = self._front_end.plan(query)
        expressions = (plan.loose,) if loosely and plan.loose else plan.expressions

        def hits(items: tuple[Hit, ...], total: int, expression: str) -> Hits:
            read_as, loose = self._front_end.read_as(query, expression), expression == plan.loose
            return Hits(items, total, page.offset, page.limit, expression, loose, read_as)

        def work(db: apsw.Connection) -> Hits:
            for expression in expressions:
                if total := _count(db, expression, scope):
                    return hits(_page(db, expression, scope, page), total, expression)
            return hits((), 0, expressions[0])

        return await self._read(work)

    async def snippets(self, expression: str, texts: Sequence[str], widest: int = WIDEST_SNIPPET) -> list[str]:
        found = await to_thread.run_sync(self._front_end.snippets, texts, expression, widest)
        return [snippet.text for snippet in found]

    async def holds(self, key: DocumentKey) -> bool:
        return await self._read(lambda db: _number(db, key) is not None)

    def close(self) -> None:
        """Close the file."""
        self.database.close()

    async def _read(self, work: Callable[[apsw.Connection], T]) -> T:
        return await self._whole(self.database.read, work)

    async def _write(self, work: Callable[[apsw.Connection], None]) -> None:
        await self._whole(self.database.write, work)

    async def _whole(self, run: Callable[..., Any], work: Callable[[apsw.Connection], T]) -> T:
        """Run *work*; replace a damaged or removed file by an empty one, and tell the caller."""
        try:
            result: T = await run(work)
        except DamagedError as exc:
            await to_thread.run_sync(self.database.discard)
            raise IndexLostError("the full-text index was damaged and is built anew; ask again") from exc
        return result


def _position(db: apsw.Connection) -> Position:
    [(library, number, session)] = db.execute("SELECT library, number, session FROM position")
    return Position(str(library), int(number), str(session))


def _move(db: apsw.Connection, to: Position) -> bool:
    """Note that change *to* is applied; return False where it was before, by whatever process."""
    here = _position(db)
    if here.library == to.library and here.number >= to.number > 0:
        return False
    db.execute("UPDATE position SET library = ?, number = ?, session = ?", (to.library, to.number, to.session))
    return True


def _number(db: apsw.Connection, key: DocumentKey) -> int | None:
    found: int | None = db.execute(
        "SELECT id FROM document WHERE provider = ? AND identifier = ? AND format = ?",
        (key.provider, key.identifier, key.format.value),
    ).get
    return found


def _block(document: int) -> tuple[int, int]:
    """Return the first and last row number of a document."""
    return document << _BLOCK, (document + 1 << _BLOCK) - 1


def _drop(db: apsw.Connection, key: DocumentKey) -> None:
    document = _number(db, key)
    if document is None:
        return
    rows = [row for (row,) in db.execute("SELECT id FROM place WHERE id BETWEEN ? AND ?", _block(document))]
    db.executemany("DELETE FROM section WHERE rowid = ?", [(row,) for row in rows])
    db.execute("DELETE FROM place WHERE id BETWEEN ? AND ?", _block(document))
    db.execute("DELETE FROM document WHERE id = ?", (document,))


def _add(db: apsw.Connection, key: DocumentKey, sections: Sequence[Section]) -> None:
    document: int = db.execute(
        "INSERT INTO document(provider, identifier, format) VALUES (?, ?, ?) RETURNING id",
        (key.provider, key.identifier, key.format.value),
    ).get
    first, last = _block(document)
    rows = list(zip(range(first, last), sections, strict=False))
    db.executemany(
        "INSERT INTO place VALUES (?, ?, ?)", [(row, part.span.start, part.span.length) for row, part in rows]
    )
    db.executemany(
        "INSERT INTO section(rowid, heading, body) VALUES (?, ?, ?)",
        [(row, fold(part.heading), fold(part.text)) for row, part in rows],
    )


def _where(db: apsw.Connection, scope: Scope) -> tuple[str, tuple[Any, ...]]:
    """Return the condition on row numbers that *scope* means; for one document a range, else a list of documents."""
    wanted = {"provider": scope.provider, "identifier": scope.identifier, "format": scope.format}
    given = {column: str(value) for column, value in wanted.items() if value is not None}
    if not given:
        return "", ()
    condition = " AND ".join(f"{column} = ?" for column in given)
    if scope.identifier is None:
        return f" AND rowid >> {_BLOCK} IN (SELECT id FROM document WHERE {condition})", tuple(given.values())
    found = db.execute(f"SELECT id FROM document WHERE {condition}", tuple(given.values()))
    edges = [edge for (document,) in found for edge in _block(int(document))]
    ranges = " OR ".join(["rowid BETWEEN ? AND ?"] * (len(edges) // 2)) or "0"
    return f" AND ({ranges})", tuple(edges)


def _count(db: apsw.Connection, expression: str, scope: Scope) -> int:
    condition, values = _where(db, scope)
    found: int = db.execute(f"SELECT count(*) FROM section WHERE section MATCH ?{condition}", (expression, *values)).get
    return found


def _page(db: apsw.Connection, expression: str, scope: Scope, page: PageRequest) -> tuple[Hit, ...]:
    condition, values = _where(db, scope)
    rows = db.execute(
        f"SELECT provider, identifier, format, start, length, score FROM ("
        f" SELECT rowid AS row, {_SCORE} AS score FROM section WHERE section MATCH ?{condition}"
        f" ORDER BY score, row LIMIT ? OFFSET ?)"
        f" JOIN place ON place.id = row JOIN document ON document.id = row >> {_BLOCK} ORDER BY score, row",
        (expression, *values, page.limit, page.offset),
    )
    return tuple(
        Hit(DocumentKey(provider_named(provider), identifier, SourceFormat(format_)), Span(start, length), -score)
        for provider, identifier, format_, start, length, score in rows
    )
