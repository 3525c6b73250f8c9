"""Searches while the library is being embedded, beside the same searches when that is done.

    python -m benchmarks.embedding [--documents 300] [--notes 1000] [--clients 20] [--texts corpus.jsonl]

One server process over standard input and output; *clients* ask one search after another each, by words, by meaning
and both, on documents and notes. *busy* is while documents and notes are embedded in the background, *idle* as many
searches after it, a hundred of each client at most. Latencies in ms.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from prioris_mcp.adapters.sqlite.notes.backend import SqliteNotesBackend
from prioris_mcp.domain.documents import ProviderName
from prioris_mcp.domain.instants import Instant
from prioris_mcp.domain.notes.note import Content, Note, Subject

# isort: split
from benchmarks.search import fill, sentences_of, words_of
from tests.e2e.process import Home, Server

_MOST_IDLE = 100
"""Searches of each client when all is done."""
STATUS = "research://vector-index/rebuild-status"
KINDS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "fts": ("research_search_fetched", "query", {"mode": "fts"}),
    "hybrid": ("research_search_fetched", "query", {"mode": "hybrid"}),
    "find": ("research_find", "query", {}),
    "notes": ("research_notes_search", "keyword", {"mode": "hybrid", "limit": 10}),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=300)
    parser.add_argument("--notes", type=int, default=1000)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--texts", type=Path)
    options = parser.parse_args()
    sentences = list(sentences_of(options.texts))
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        asyncio.run(_fill(home, options, sentences))
        server = Server(home).start()
        try:
            server.initialize()
            asyncio.run(_run(server, options.clients, words_of(sentences)))
        finally:
            server.stop()


async def _fill(home: Home, options: argparse.Namespace, sentences: list[str]) -> None:
    home.store.mkdir(parents=True)
    await fill(home.store, options.documents, sentences)
    notes, dice = SqliteNotesBackend(home.root / "data" / "prioris-mcp" / "notes"), random.Random(3)
    subject, now = Subject(ProviderName("arxiv"), "2106.09685"), Instant.parse("2026-01-01", "now")
    made = [Note(f"{n:016x}", subject, Content(dice.choice(sentences)), now, now) for n in range(options.notes)]
    await notes.merge(made, now, await notes.position())
    notes.close()


async def _run(server: Server, clients: int, words: Any) -> None:
    server.ok(KINDS["find"][0], query="the first call loads the model")
    started, busy = time.perf_counter(), await _searched(server, clients, words, until_done=True)
    seconds = time.perf_counter() - started
    count = sum(map(len, busy.values()))
    print(f"embedded in {seconds:.0f} s beside {count} searches of {clients} clients: {json.dumps(_state(server))}")
    idle = await _searched(server, clients, words, most=min(count // clients, _MOST_IDLE))
    print(f"{'search':8} {'idle median':>12} {'p95':>8} {'busy median':>12} {'p95':>8} {'p95 ratio':>10}")
    for kind in KINDS:
        (low, high), (low_busy, high_busy) = _figures(idle[kind]), _figures(busy[kind])
        print(f"{kind:8} {low:12.1f} {high:8.1f} {low_busy:12.1f} {high_busy:8.1f} {high_busy / high:10.2f}")


async def _searched(
    server: Server, clients: int, words: Any, *, until_done: bool = False, most: int = sys.maxsize
) -> dict[str, list[float]]:
    """Latencies by kind of search."""
    times: dict[str, list[float]] = {kind: [] for kind in KINDS}
    done = asyncio.Event()

    async def client(number: int) -> None:
        for turn in range(most):
            if done.is_set():
                return
            kind = list(KINDS)[(number + turn) % len(KINDS)]
            tool, name, more = KINDS[kind]
            started = time.perf_counter()
            await asyncio.wrap_future(server.begin(tool, **{name: "{first} {second}".format(**words())}, **more))
            times[kind].append((time.perf_counter() - started) * 1e3)

    async def watch() -> None:
        await asyncio.to_thread(_until_embedded, server)
        done.set()

    await asyncio.gather(*(client(number) for number in range(clients)), *([watch()] if until_done else []))
    return times


def _until_embedded(server: Server) -> None:
    while any(part["pending"] for part in _state(server).values()):
        time.sleep(0.5)


def _state(server: Server) -> dict[str, Any]:
    state: dict[str, Any] = json.loads(server.read(STATUS)["text"])
    return state


def _figures(times: list[float]) -> tuple[float, float]:
    return statistics.median(times), statistics.quantiles(times, n=20)[-1]


if __name__ == "__main__":
    main()
