"""A server killed at any moment of fetching and parsing leaves a library that is whole.

`PRIORIS_CRASH_POINTS` says how often to kill (12), `PRIORIS_CRASH_SEED` where in the sequence of chances to start (1).
"""

from __future__ import annotations

import itertools
import json
import os
import random
import time
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import LORA, SAMPLE, SPACING, Launch, pdf_of, uri
from tests.e2e.process import FETCH, PARSE, Home, Server
from tests.e2e.terminal import listed
from tests.e2e.waiting import until
from tests.replay.papers import DATA, papers

POINTS = int(os.environ.get("PRIORIS_CRASH_POINTS", "12"))
SEED = int(os.environ.get("PRIORIS_CRASH_SEED", "1"))
POINTS_A_LIBRARY = 4
NEW_PAPERS = 3
LONGEST = 0.6
"""Seconds after which the work of one life is done on an idle machine."""
SIDECAR = "metadata.jsonl"
HTML = (DATA / "html" / "2106.09685.html").read_text("utf-8")

Wanted = tuple[str, str]
"""An identifier and a format."""
Stored = tuple[str, str, str]
"""The same, and the artefact."""


@dataclass
class Life:
    """What one library has been asked for, and what it said that it has done."""

    home: Home
    env: dict[str, str]
    chance: random.Random
    wanted: list[Wanted] = field(default_factory=list)
    acknowledged: set[Stored] = field(default_factory=set)

    def begin(self, server: Server, more: list[Wanted]) -> None:
        """Ask for everything that is wanted and not acknowledged, all at once."""
        self.wanted += more
        for identifier, kind in self.wanted:
            if (identifier, kind, "markdown") not in self.acknowledged:
                self._fetch(server, identifier, kind)

    def _fetch(self, server: Server, identifier: str, kind: str) -> None:
        def fetched(answer: Future[dict[str, Any]]) -> None:
            if self._done(answer, (identifier, kind, "document")):
                parse = server.begin(PARSE, arxiv_id=identifier, format=kind, limit=1)
                parse.add_done_callback(lambda answer: self._done(answer, (identifier, kind, "markdown")))

        server.begin(FETCH, arxiv_id=identifier, format=kind).add_done_callback(fetched)

    def _done(self, answer: Future[dict[str, Any]], what: Stored) -> bool:
        done = answer.exception() is None and not answer.result()["isError"]
        if done:
            self.acknowledged.add(what)
        return done


@pytest.fixture(scope="module")
def texts(library: Server) -> dict[str, str]:
    """The Markdown that undisturbed parses make, by format."""
    return {kind: library.ok(PARSE, arxiv_id=LORA, format=kind, limit=100_000)["markdown"] for kind in ("pdf", "html")}


def _everything() -> Iterator[Wanted]:
    """Documents whose bytes are known."""
    for paper in papers().values():
        for version in range(1, len(paper.dates) + 1):
            if not paper.withdrawn:
                yield f"{paper.id}v{version}", "pdf"
    yield from (("2106.09685v1", "html"), ("2106.09685v2", "html"))


def _libraries() -> Iterator[Any]:
    for number, start in enumerate(range(0, POINTS, POINTS_A_LIBRARY)):
        yield pytest.param(SEED + number, min(POINTS_A_LIBRARY, POINTS - start), id=f"seed {SEED + number}")


@pytest.mark.parametrize(("seed", "points"), list(_libraries()))
def test_killed_library_is_whole(
    launch: Launch, home: Home, env: dict[str, str], texts: dict[str, str], seed: int, points: int
) -> None:
    """After SIGKILL at any moment all acknowledged is listed, all listed is whole, and nothing else is kept."""
    chance = random.Random(seed)
    life = Life(home, {**env, SPACING: "0.02"}, chance)
    supply = iter(chance.sample(list(_everything()), points * NEW_PAPERS))
    for _ in range(points):
        server = launch({SPACING: "0.02"})
        if chance.random() < 0.75:  # else it is killed while it starts, and cleans up
            _check(life, server, texts)
        life.begin(server, list(itertools.islice(supply, NEW_PAPERS)))
        time.sleep(chance.uniform(0, LONGEST))
        server.kill()
    _check(life, launch({SPACING: "0.02"}), texts)


def _check(life: Life, server: Server, texts: dict[str, str]) -> None:
    server.request("tools/list")
    entries = listed(life.home, life.env)
    found = {(entry["identifier"], entry["format"], entry["artefact"]) for entry in entries}
    assert life.acknowledged <= found
    for entry in entries:
        _read_back(server, entry, texts)
    until(lambda: _files(life.home.store) == len(entries), 10)


def _read_back(server: Server, entry: dict[str, Any], texts: dict[str, str]) -> None:
    """What is listed is there, as it was fetched and as an undisturbed parse makes it."""
    identifier, kind = entry["identifier"], entry["format"]
    if entry["artefact"] == "markdown":
        window = json.loads(server.read(uri(identifier, kind, "markdown") + "?limit=100000")["text"])
        assert (window["markdown"], window["total_length"]) == (texts[kind], len(texts[kind]))
        assert entry["size_bytes"] == len(texts[kind].encode())
    elif kind == "pdf":
        assert pdf_of(server, identifier) == SAMPLE
        assert entry["size_bytes"] == len(SAMPLE)
    else:
        assert server.read(uri(identifier, kind, "fulltext"))["text"] == HTML
        assert entry["size_bytes"] == len(HTML.encode())


def _files(store: Path) -> int:
    """How many files the library keeps, staged ones included, beside its databases and its lists of artefacts."""
    folders = (store / "documents", store / "incoming")
    return sum(path.is_file() and path.name != SIDECAR for folder in folders for path in folder.rglob("*"))
