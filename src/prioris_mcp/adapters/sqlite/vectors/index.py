"""Keep vectors in SQLite, a row for each document or note, searched in memory where there is room for that."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import apsw

from prioris_mcp.adapters.sqlite.engine import Database
from prioris_mcp.adapters.sqlite.vectors.matrix import Matrix, Stored, firsts, near, top
from prioris_mcp.domain.documents import DocumentKey, SourceFormat
from prioris_mcp.domain.page import Page, PageRequest
from prioris_mcp.domain.search import IndexStatus, worst
from prioris_mcp.domain.sources.table import provider_named
from prioris_mcp.domain.vectors import Embedded, Selection, Vector, VectorHit

K = TypeVar("K")
T = TypeVar("T")


def _create(db: apsw.Connection) -> None:
    db.execute("DROP TABLE IF EXISTS document")  # of an older layout; what was in it is made again
    db.execute(
        """
        CREATE TABLE entry(
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            key TEXT NOT NULL UNIQUE,
            model TEXT NOT NULL,
            change TEXT NOT NULL,
            windows INTEGER NOT NULL,
            sections TEXT NOT NULL,
            vectors BLOB NOT NULL
        ) STRICT;
        CREATE INDEX entry_by_model ON entry(model, number, key, change, windows);
        CREATE TABLE generation(value INTEGER NOT NULL) STRICT;
        -- Random, so that no number of a lost file comes again.
        INSERT INTO generation VALUES (abs(random()) >> 16);
        INSERT INTO sqlite_sequence SELECT 'entry', value FROM generation;
        """
    )


def _name(db: apsw.Connection) -> None:
    db.execute("CREATE TABLE origin(name TEXT NOT NULL) STRICT; INSERT INTO origin VALUES (lower(hex(randomblob(8))))")


_LAYOUTS = (lambda _: None, _create, _name)
"""Name the steps of the schema. The first is of the past: what it made is dropped."""


@dataclass(frozen=True, slots=True)
class Codec(Generic[K]):
    """Tell how keys are written."""

    write: Callable[[K], str]
    read: Callable[[str], K]


DOCUMENTS: Codec[DocumentKey] = Codec(
    lambda key: json.dumps([key.provider, key.identifier, key.format]), lambda text: _document(*json.loads(text))
)
NOTES: Codec[str] = Codec(str, str)


class SqliteVectorIndex(Generic[K]):
    """Implement VectorIndex of ``ports/embedding.py``: exact, without an extension, equal on every Python."""

    def __init__(self, path: Path, codec: Codec[K], memory: int) -> None:
        """Let the matrix take *memory* bytes at most; read a larger index from the file at every search."""
        self.database = Database(path, _LAYOUTS, disposable=True)
        self._codec, self._memory = codec, memory
        self._view: _View[K] = _View()
        self._lock = threading.Lock()

    async def origin(self) -> str:
        return await self._read(lambda db: str(db.execute("SELECT name FROM origin").get))

    async def held(self, model: str) -> dict[K, str]:
        def work(db: apsw.Connection) -> dict[K, str]:
            rows = db.execute("SELECT key, change FROM entry WHERE model = ?", (model,))
            return {self._codec.read(str(key)): str(change) for key, change in rows}

        return await self._read(work)

    async def holds(self, model: str, key: K, change: str) -> bool:
        def work(db: apsw.Connection) -> bool:
            found = db.execute("SELECT model, change FROM entry WHERE key = ?", (self._codec.write(key),)).fetchone()
            return found == (model, change)

        return await self._read(work)

    async def put(self, model: str, key: K, change: str, sections: Sequence[Embedded]) -> None:
        places = [(s.chunk_id, s.span.start, s.span.length, len(s.vectors)) for s in sections if s.vectors]
        vectors = [vector for section in sections for vector in section.vectors]
        row = (self._codec.write(key), model, change, len(vectors), json.dumps(places), b"".join(vectors))

        def work(db: apsw.Connection) -> None:
            db.execute("DELETE FROM entry WHERE key = ?", row[:1])
            db.execute(
                "INSERT INTO entry(key, model, change, windows, sections, vectors) VALUES (?, ?, ?, ?, ?, ?)", row
            )
            db.execute("UPDATE generation SET value = value + 1")

        await self.database.heal(self.database.write, work)

    async def remove(self, keys: Collection[K]) -> None:
        def work(db: apsw.Connection) -> None:
            db.executemany("DELETE FROM entry WHERE key = ?", [(self._codec.write(key),) for key in keys])
            db.execute("UPDATE generation SET value = value + 1")

        if keys:
            await self.database.heal(self.database.write, work)

    async def search(self, model: str, query: Vector, only: Selection[K], page: PageRequest) -> Page[VectorHit[K]]:
        def work(db: apsw.Connection) -> Page[VectorHit[K]]:
            with self._lock:
                matrix = self._fresh(db, model, len(query) // 4)
                if matrix is not None:
                    return matrix.search(query, _chosen(only, matrix.keys()), page)
            return self._streamed(db, model, query, only, page)

        return await self._read(work)

    async def status(self, model: str, keys: Collection[K]) -> IndexStatus:
        def work(db: apsw.Connection) -> IndexStatus:
            if len(keys) == 1:
                [key] = keys
                models = dict(db.execute("SELECT key, model FROM entry WHERE key = ?", (self._codec.write(key),)))
            else:
                models = dict(db.execute("SELECT key, model FROM entry"))
            found = (models.get(self._codec.write(key)) for key in keys)
            return worst("not_built" if of is None else "ready" if of == model else "stale" for of in found)

        return await self._read(work)

    async def _read(self, work: Callable[[apsw.Connection], T]) -> T:
        return await self.database.heal(self.database.read, work)

    def close(self) -> None:
        """Close the file."""
        self.database.close()

    def _fresh(self, db: apsw.Connection, model: str, dimension: int) -> Matrix[K] | None:
        """Return the matrix of *model* with all writes since the last search; None if too large.

        Look once at a counter where nothing was written.
        """
        view, generation = self._view, db.execute("SELECT value FROM generation").get
        if (view.model, view.generation) == (model, generation):
            return view.matrix
        [(windows,)] = db.execute("SELECT total(windows) FROM entry WHERE model = ?", (model,))
        matrix = view.matrix if view.model == model else None
        if windows * dimension * 4 > self._memory:
            matrix = None
        else:
            matrix = matrix or Matrix(_numpy(), dimension)
            there = {number for (number,) in db.execute("SELECT number FROM entry WHERE model = ?", (model,))}
            matrix.drop(matrix.numbers() - there)
            matrix.add(self._stored(db, number, dimension) for number in sorted(there - matrix.numbers()))
        self._view = _View(model, generation, matrix)
        return matrix

    def _stored(self, db: apsw.Connection, number: int, dimension: int) -> Stored[K]:
        [(key, sections, vectors)] = db.execute("SELECT key, sections, vectors FROM entry WHERE number = ?", (number,))
        rows = _numpy().frombuffer(vectors, "<f4").reshape(-1, dimension)
        return Stored(number, self._codec.read(str(key)), tuple(map(tuple, json.loads(str(sections)))), rows)

    def _streamed(
        self, db: apsw.Connection, model: str, query: Vector, only: Selection[K], page: PageRequest
    ) -> Page[VectorHit[K]]:
        """Answer as the matrix does, from the file, with one entry at a time in memory."""
        numpy, dimension = _numpy(), len(query) // 4
        direction = numpy.frombuffer(query, "<f4")
        listed: list[Any] = db.execute(
            "SELECT key, number FROM entry WHERE model = ? ORDER BY number", (model,)
        ).fetchall()
        keys = {self._codec.read(key): number for key, number in listed}
        chosen = _chosen(only, keys.keys())
        numbers = list(keys.values()) if chosen is None else sorted(keys[key] for key in chosen if key in keys)
        scores, edges = [numpy.empty(0, numpy.float32)], [0]
        for number in numbers:
            entry: Stored[K] = self._stored(db, number, dimension)
            if entry.sections:
                scores.append(numpy.maximum.reduceat(entry.vectors @ direction, firsts(numpy, entry.sections)))
            edges.append(edges[-1] + len(entry.sections))
        best = numpy.concatenate(scores)
        items = []
        for at in top(numpy, best, page):
            which = int(numpy.searchsorted(edges, at, side="right")) - 1
            entry = self._stored(db, numbers[which], dimension)
            items.append(near(entry.key, entry.sections[int(at) - edges[which]], float(best[at])))
        return page.of(items, len(best))


@dataclass(frozen=True, slots=True)
class _View(Generic[K]):
    """Hold what is in memory, and of which state of the file."""

    model: str = ""
    generation: int = 0
    matrix: Matrix[K] | None = None


def _chosen(only: Selection[K], there: Collection[K]) -> Collection[K] | None:
    if only is None:
        return None
    return [key for key in there if only(key)] if callable(only) else only


def _numpy() -> Any:
    import numpy as np  # noqa: PLC0415 - only semantic search pays for it

    return np


def _document(provider: str, identifier: str, format_: str) -> DocumentKey:
    return DocumentKey(provider_named(provider), identifier, SourceFormat(format_))
