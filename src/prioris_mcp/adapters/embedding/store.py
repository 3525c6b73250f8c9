"""Vectors in SQLite, one row a document, searched through a matrix in memory."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from pathlib import Path

import apsw
from anyio import to_thread

from prioris_mcp.adapters.embedding.matrix import Matrix, Stored
from prioris_mcp.adapters.sqlite.engine import DamagedError, Database
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.search import IndexStatus, Page, Scope
from prioris_mcp.domain.vectors import Embedded, Nears, Vector

_OF_KEY = "provider = ? AND identifier = ? AND format = ?"


def _create(db: apsw.Connection) -> None:
    db.execute(
        """
        CREATE TABLE document(
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            model TEXT NOT NULL,
            change TEXT NOT NULL,
            provider TEXT NOT NULL,
            identifier TEXT NOT NULL,
            format TEXT NOT NULL,
            sections TEXT NOT NULL,
            vectors BLOB NOT NULL,
            UNIQUE(provider, identifier, format)
        ) STRICT;
        CREATE INDEX document_by_model ON document(model, number);
        INSERT INTO sqlite_sequence VALUES ('document', abs(random()) >> 16); -- no number of a lost file comes again
        """
    )


class SqliteVectorIndex:
    """VectorIndex of ``ports/embedding.py``: exact, without an extension, equal on every Python."""

    def __init__(self, path: Path) -> None:
        self._database = Database(path, (_create,), disposable=True)
        self._matrices: dict[str, Matrix] = {}
        self._lock = threading.Lock()

    async def held(self, model: str) -> dict[DocumentKey, str]:
        def work(db: apsw.Connection) -> dict[DocumentKey, str]:
            rows = db.execute("SELECT provider, identifier, format, change FROM document WHERE model = ?", (model,))
            return {_key(row[:3]): str(row[3]) for row in rows}

        try:
            return await self._database.read(work)
        except DamagedError:
            await to_thread.run_sync(self._database.discard)
            return {}

    async def holds(self, model: str, key: DocumentKey, change: str) -> bool:
        def work(db: apsw.Connection) -> bool:
            found = db.execute(f"SELECT model, change FROM document WHERE {_OF_KEY}", _values(key)).fetchone()
            return found == (model, change)

        return await self._database.read(work)

    async def put(self, model: str, key: DocumentKey, change: str, sections: Sequence[Embedded]) -> None:
        places = [(s.chunk_id, s.span.start, s.span.length, len(s.vectors)) for s in sections if s.vectors]
        vectors = b"".join(vector for section in sections for vector in section.vectors)

        def work(db: apsw.Connection) -> None:
            db.execute(f"DELETE FROM document WHERE {_OF_KEY}", _values(key))
            db.execute(
                "INSERT INTO document(model, change, provider, identifier, format, sections, vectors)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (model, change, *_values(key), json.dumps(places), vectors),
            )

        await self._database.write(work)

    async def remove(self, keys: Sequence[DocumentKey]) -> None:
        def work(db: apsw.Connection) -> None:
            db.executemany(f"DELETE FROM document WHERE {_OF_KEY}", [_values(key) for key in keys])

        if keys:
            await self._database.write(work)

    async def search(
        self, model: str, query: Vector, scope: Scope, page: Page, *, besides: DocumentKey | None = None
    ) -> Nears:
        def work(db: apsw.Connection) -> Nears:
            with self._lock:
                matrix = self._fresh(db, model, len(query) // 4)
                wanted = sorted(n for n, key in matrix.keys().items() if scope.covers(key) and key != besides)
                return matrix.search(query, wanted, page)

        return await self._database.read(work)

    async def status(self, model: str, key: DocumentKey) -> IndexStatus:
        def work(db: apsw.Connection) -> IndexStatus:
            found = db.execute(f"SELECT model FROM document WHERE {_OF_KEY}", _values(key)).get
            return "not_built" if found is None else "ready" if found == model else "stale"

        return await self._database.read(work)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _fresh(self, db: apsw.Connection, model: str, dimension: int) -> Matrix:
        """The matrix of *model*, with what was written since the last search, by whatever process."""
        import numpy as np  # noqa: PLC0415 - only semantic search pays for it

        matrix = self._matrices.setdefault(model, Matrix(np, dimension))
        there = {number for (number,) in db.execute("SELECT number FROM document WHERE model = ?", (model,))}
        matrix.drop(matrix.numbers() - there)
        for number in sorted(there - matrix.numbers()):
            row = db.execute(
                "SELECT provider, identifier, format, sections, vectors FROM document WHERE number = ?", (number,)
            ).fetchone()
            if row:
                sections = tuple((str(i), int(s), int(n), int(w)) for i, s, n, w in json.loads(str(row[3])))
                matrix.add([Stored(number, _key(row[:3]), sections, bytes(row[4]))])
        return matrix


def _key(columns: Sequence[object]) -> DocumentKey:
    provider, identifier, format_ = map(str, columns)
    return DocumentKey(ProviderName(provider), identifier, SourceFormat(format_))


def _values(key: DocumentKey) -> tuple[str, str, str]:
    return key.provider.value, key.identifier, key.format.value
