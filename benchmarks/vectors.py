"""Nearest sections, a page with its total, and deleting, beside sqlite-vec on the same vectors.

    python -m benchmarks.vectors [--vectors 10000] [--rounds 20] [--memory MIB]

One process, the two in turn. *ours* is the vector index as the application calls it, with its look for other
processes' writes. *vec0* is a table of sqlite-vec through apsw with the document's number as a metadata column, cosine
distance, filled in one transaction. Vectors are random, in documents of a hundred. Needs ``pip install sqlite-vec``.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import apsw
import numpy as np
import psutil
import sqlite_vec

from prioris_mcp.adapters.sqlite.vectors.index import DOCUMENTS, SqliteVectorIndex
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Span
from prioris_mcp.domain.page import PageRequest
from prioris_mcp.domain.search import Scope
from prioris_mcp.domain.vectors import Embedded

MODEL, DIMENSION, EACH = "random", 384, 100
Step = Callable[[], Awaitable[object]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vectors", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--memory", type=int, default=2048, help="MiB for the matrix; 0: read from the file")
    options = parser.parse_args()
    if options.rounds >= options.vectors // EACH // 2:
        parser.error("each round deletes a document, and half of them are to stay: fewer rounds or more vectors")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder), options.vectors // EACH, options.rounds, options.memory * 2**20))


async def run(folder: Path, documents: int, rounds: int, memory: int) -> None:
    """Fill both, then measure each operation in turn."""
    made = np.random.default_rng(1).standard_normal((documents * EACH, DIMENSION)).astype("<f4")
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    ours, peer = SqliteVectorIndex(folder / "ours.sqlite3", DOCUMENTS, memory), vec0(folder / "vec0.sqlite3", made)
    for number in range(documents):
        rows = made[number * EACH : (number + 1) * EACH]
        sections = [Embedded(f"s{i}", Span(i, 1), (row.tobytes(),)) for i, row in enumerate(rows)]
        await ours.put(MODEL, key(number), "1", sections)
    print(f"matrix of {made.nbytes >> 20} MiB; resident {psutil.Process().memory_info().rss >> 20} MiB before")
    await ours.search(MODEL, made[0].tobytes(), None, PageRequest(0, 10))
    print(f"resident {psutil.Process().memory_info().rss >> 20} MiB after the first search")
    dice = random.Random(1)
    steps = operations(ours, peer, documents, dice)
    print(f"{documents * EACH} vectors in {documents} documents, {rounds} rounds; median in ms, and vec0 against ours")
    for name, (one, other) in steps.items():
        await one(), await other()
        pairs = [(await timed(one), await timed(other)) for _ in range(rounds)]
        mine, theirs = (1000 * statistics.median(times) for times in zip(*pairs, strict=True))
        print(f"{name:24} ours {mine:8.2f}  vec0 {theirs:8.2f}  {theirs / mine:6.1f}x")
    ours.close()


def operations(
    ours: SqliteVectorIndex[DocumentKey], peer: apsw.Connection, documents: int, dice: random.Random
) -> dict[str, tuple[Step, Step]]:
    """The same question to both; the peer's only what answers it."""
    query = np.random.default_rng(2).standard_normal(DIMENSION).astype("<f4")
    vector, last = (query / np.linalg.norm(query)).tobytes(), list(range(documents))
    dice.shuffle(last)
    gone, lost = iter(last[: documents // 2]), iter(last[: documents // 2])
    one = key(documents // 3)
    where = Scope(one.provider, one.identifier, one.format).selection()
    near = "SELECT rowid, distance FROM v WHERE vector MATCH ? AND k = 10"

    async def asked(sql: str, *values: object) -> None:
        peer.execute(sql, values).fetchall()

    async def with_total() -> None:
        await asked(near, vector)
        await asked("SELECT count(*) FROM (SELECT DISTINCT document, section FROM v)")

    return {
        "ten nearest": (lambda: ours.search(MODEL, vector, None, PageRequest(0, 10)), lambda: asked(near, vector)),
        "ten nearest, exact total": (lambda: ours.search(MODEL, vector, None, PageRequest(0, 10)), with_total),
        "ten nearest of half": (
            lambda: ours.search(MODEL, vector, lambda key: int(key.identifier[4:]) % 2 == 0, PageRequest(0, 10)),
            lambda: asked(f"{near} AND odd = 1", vector),
        ),
        "within one document": (
            lambda: ours.search(MODEL, vector, where, PageRequest(0, 10)),
            lambda: asked(f"{near} AND document = ?", vector, documents // 3),
        ),
        "delete a document": (
            lambda: ours.remove([key(next(gone))]),
            lambda: asked("DELETE FROM v WHERE document = ?", next(lost)),
        ),
    }


def key(number: int) -> DocumentKey:
    """The key of a made-up document."""
    return DocumentKey(ProviderName("europepmc"), f"MED:{number + 1}", SourceFormat.XML)


def vec0(path: Path, made: np.ndarray) -> apsw.Connection:
    """The peer's table, filled."""
    peer = apsw.Connection(str(path))
    peer.enable_load_extension(True)
    peer.load_extension(sqlite_vec.loadable_path())
    peer.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    columns = f"vector float[{DIMENSION}] distance_metric=cosine, document int, odd int, section int"
    peer.execute(f"CREATE VIRTUAL TABLE v USING vec0({columns})")
    with peer:
        rows = ((row.tobytes(), place // EACH, place // EACH % 2, place % EACH) for place, row in enumerate(made))
        peer.executemany("INSERT INTO v(vector, document, odd, section) VALUES (?, ?, ?, ?)", rows)
    return peer


async def timed(step: Step) -> float:
    """Seconds that *step* takes."""
    start = time.perf_counter()
    await step()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
