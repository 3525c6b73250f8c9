"""Searching and listing a library beside the published implementation of the same tools, on the same texts.

    python -m benchmarks.beside --peer-python VENV/bin/python [--documents 1000] [--rounds 20] [--texts corpus.jsonl]

Two server processes over standard input and output, asked in turn, each question once and timed from the request's
first byte to the answer's last. The peer's library is filled by its own classes; only its search rows are written in
bulk, because its way of adding one document reads the whole index.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.search import QUERIES, documents_of, fill, sentences_of, words_of
from benchmarks.startup import INITIALIZE
from prioris_mcp.domain import chunks

SEARCH, LIST = "research_search_fetched", "research_list_fetched"
PEER_STORES = """
import asyncio, json, sys
from pathlib import Path
from prioris_mcp.storage.filesystem import FilesystemStorageBackend
from prioris_mcp.storage.search_index import SqliteFts5SearchIndex

async def fill():
    store = FilesystemStorageBackend(Path(sys.argv[1]))
    for number, line in enumerate(sys.stdin):
        identifier, text = json.loads(line)
        await store.write("arxiv", identifier, "pdf", b"%PDF-")
        await store.write("arxiv", identifier, "pdf", text.encode(), artefact="markdown")
        if number == 0:
            await SqliteFts5SearchIndex(Path(sys.argv[1]) / "search.sqlite3").index_entries(
                "arxiv", identifier, "pdf", [{"text": "x", "start": 0}])

asyncio.run(fill())
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer-python", required=True)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--texts", type=Path)
    options = parser.parse_args()
    sentences = list(sentences_of(options.texts))
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = Path(folder, "ours"), Path(folder, "theirs")
        asyncio.run(fill(ours, options.documents, sentences))
        _fill_peer(options.peer_python, theirs, options.documents, sentences)
        servers = {
            "ours": Server([sys.executable, "-m", "prioris_mcp"], ours),
            "peer": Server([str(Path(options.peer_python).with_name("prioris-mcp"))], theirs),
        }
        try:
            _report(servers, options, words_of(sentences))
        finally:
            for server in servers.values():
                server.end()


class Server:
    """One server over standard input and output, on a library that is there."""

    def __init__(self, command: list[str], storage: Path) -> None:
        env = os.environ | {f"PRIORIS_MCP_{name}_DIR": str(storage / name.lower()) for name in ("NOTES", "VECTOR")}
        env |= {"PRIORIS_MCP_STORAGE_DIR": str(storage), "XDG_STATE_HOME": str(storage), "HOME": str(storage)}
        env |= {
            "PRIORIS_MCP_EMBEDDING_MODEL": "/none" if command[1:] else "sentence-transformers/all-MiniLM-L6-v2"
        }  # neither is busy with vectors meanwhile
        self._process = subprocess.Popen(
            command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._number = 1
        self._send(INITIALIZE)
        self._answer(1)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, tool: str, arguments: Mapping[str, Any]) -> tuple[float, dict[str, Any]]:
        """Milliseconds, and the structured answer."""
        self._number += 1
        started = time.perf_counter()
        params = {"name": tool, "arguments": dict(arguments)}
        self._send({"jsonrpc": "2.0", "id": self._number, "method": "tools/call", "params": params})
        line = self._answer(self._number)
        seconds = time.perf_counter() - started
        result = json.loads(line)["result"]
        if result.get("isError"):
            raise SystemExit(f"{tool} {arguments}: {result['content']}")
        return seconds * 1e3, result["structuredContent"]

    def end(self) -> None:
        """Kill it."""
        self._process.kill()
        self._process.wait()

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def _answer(self, number: int) -> bytes:
        assert self._process.stdout
        mark = f'"id":{number}'.encode()
        for line in self._process.stdout:
            if mark in line.replace(b" ", b"")[:60] or json.loads(line).get("id") == number:
                return line
        raise SystemExit("the server has ended")


def _fill_peer(python: str, root: Path, documents: int, sentences: list[str]) -> None:
    root.mkdir()
    made = list(documents_of(documents, sentences))
    lines = "".join(json.dumps([key.identifier, text]) + "\n" for key, text in made)
    subprocess.run([python, "-c", PEER_STORES, str(root)], input=lines.encode(), check=True)
    with sqlite3.connect(root / "search.sqlite3") as index:
        index.execute("DELETE FROM search")
        index.executemany(
            "INSERT INTO search VALUES (?, 'arxiv', ?, 'pdf', ?)",
            (
                (text[chunk.span.start : chunk.span.start + chunk.span.length], key.identifier, chunk.span.start)
                for key, text in made
                for chunk in chunks.split(key, text)
            ),
        )
    index.close()


def _report(servers: Mapping[str, Server], options: argparse.Namespace, words: Any) -> None:
    print(f"{options.documents} documents, {options.rounds} rounds, medians (p95) in ms over the pipe")
    print(f"{'':14} {'ours':>16} {'peer':>16} {'peer/ours':>10}")
    random.seed(1)
    for name, form in QUERIES.items():
        queries = [form.format(**words()) for _ in range(options.rounds)]
        # The peer refuses what a person would type and FTS5 does not take.
        queries = [query.rstrip("?") for query in queries]
        _row(name, {who: [] for who in servers}, servers, SEARCH, [{"query": query, "limit": 10} for query in queries])
    _row("list", {who: [] for who in servers}, servers, LIST, [{"limit": 50}] * options.rounds)


def _row(
    name: str,
    times: dict[str, list[float]],
    servers: Mapping[str, Server],
    tool: str,
    questions: list[dict[str, Any]],
) -> None:
    for question in questions:
        for who, server in servers.items():
            times[who].append(server.call(tool, question)[0])
    shown = [f"{statistics.median(t):8.2f} ({statistics.quantiles(t, n=20)[-1]:.1f})" for t in times.values()]
    ratio = statistics.median(times["peer"]) / statistics.median(times["ours"])
    print(f"{name:14} {shown[0]:>16} {shown[1]:>16} {ratio:10.1f}", flush=True)


if __name__ == "__main__":
    main()
