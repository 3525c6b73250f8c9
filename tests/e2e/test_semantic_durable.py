"""A server killed at any moment of embedding: the next one finishes, and nothing is embedded twice.

`PRIORIS_EMBEDDING_CRASHES` says how often to kill (3), `PRIORIS_CRASH_SEED` where in the sequence of chances to start
(1). Every few kills a new library is begun, so that there is work to interrupt.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from prioris_mcp.adapters.filesystem.backend import FilesystemStorageBackend, catalogue_of
from prioris_mcp.adapters.filesystem.blobs import Blobs
from prioris_mcp.domain import chunks
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.domain.vectors import BUNDLED_MODEL
from tests.e2e.conftest import Launch
from tests.e2e.process import Home, Server
from tests.e2e.waiting import until
from tests.replay.papers import DATA

pytest.importorskip("onnxruntime", reason="the extra for semantic search is not installed")

CRASHES = int(os.environ.get("PRIORIS_EMBEDDING_CRASHES", "3"))
SEED = int(os.environ.get("PRIORIS_CRASH_SEED", "1"))
KILLS_A_LIBRARY = 5
DOCUMENTS = 40
SECTIONS = 3
LONGEST = 2.5
"""Seconds of one life; all documents take longer."""
SENTENCES = (DATA / "sample-paper.txt").read_text("utf-8").replace("\n", " ").split(". ")
VECTOR_BYTES = 384 * 4


def test_killed_servers_embed_each_document_once(launch: Launch, tmp_path: Path) -> None:
    """After SIGKILL at any moment every document becomes ready, by one model, with one row that was written once."""
    chance = random.Random(SEED)
    for first in range(0, CRASHES, KILLS_A_LIBRARY):
        home = Home(tmp_path / str(first))
        made = asyncio.run(_filled(home, chance))
        written: dict[str, int] = {}
        for _ in range(min(KILLS_A_LIBRARY, CRASHES - first)):
            server = _opened(launch, home)
            time.sleep(chance.uniform(0, LONGEST))
            server.kill()
            assert written.items() <= _rows(home).items()
            written = _rows(home)
        server = _opened(launch, home)
        _check_search(server, made)
        server.stop()
        assert written.items() <= _rows(home).items()
        numbers = sorted(_rows(home).values())
        assert numbers == list(range(numbers[0], numbers[0] + DOCUMENTS))


async def _filled(home: Home, chance: random.Random) -> list[str]:
    """A library of parsed articles; their identifiers."""
    home.store.mkdir(parents=True)
    catalogue = catalogue_of(home.store)
    store = FilesystemStorageBackend(Blobs(home.store), catalogue, lambda: "2026-01-01T00:00:00+00:00")
    names = [f"MED:{number}" for number in range(1, DOCUMENTS + 1)]
    for name in names:
        key = DocumentKey(ProviderName("europepmc"), name, SourceFormat.XML)
        sections = (f"## Section {at}\n\n{'. '.join(chance.choices(SENTENCES, k=5))}.\n\n" for at in range(SECTIONS))
        text = f"# Article {name}\n\n{''.join(sections)}"
        await store.write_markdown(key, Markdown.whole(text), chunks.split(key, text), "made")
    catalogue.close()
    return names


def _opened(launch: Launch, home: Home) -> Server:
    server = launch(home=home)
    server.initialize()
    return server


def _pending(server: Server) -> int:
    """Documents that are still to do, in a state that adds up."""
    counts: dict[str, int] = json.loads(server.read("research://vector-index/rebuild-status")["text"])["documents"]
    total = counts.pop("total")
    assert total == sum(counts[name] for name in ("pending", "succeeded", "failed", "cancelled"))
    assert not counts["failed"]
    return counts["pending"]


def _check_search(server: Server, made: list[str]) -> None:
    """All become ready, and each is found."""

    def found(identifier: str) -> dict[str, Any]:
        scope = {"provider": "europepmc", "identifier": identifier, "format": "xml"}
        return server.ok("research_search_fetched", query="earlier publications", mode="vector", **scope)

    def is_ready(identifier: str) -> bool:
        _pending(server)
        return bool(found(identifier)["index_status"]["vector"] == "ready")

    until(lambda: all(map(is_ready, made)), seconds=60.0)
    assert _pending(server) == 0
    assert all(found(identifier)["vector"]["matches"] for identifier in made)


def _rows(home: Home) -> dict[str, int]:
    """Which documents have vectors, each with the number that its row was given when it was written."""
    file = next(home.root.rglob("vectors.sqlite3"), None)
    if file is None:
        return {}
    with closing(apsw.Connection(str(file))) as database:
        if not database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'entry'").fetchall():
            return {}
        rows: list[Any] = database.execute("SELECT key, number, model, windows, length(vectors) FROM entry").fetchall()
    assert {model for _, _, model, _, _ in rows} <= {BUNDLED_MODEL}
    assert all(size == windows * VECTOR_BYTES for _, _, _, windows, size in rows)
    return {str(key): int(number) for key, number, *_ in rows}
