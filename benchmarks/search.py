"""Searching and listing a large library, beside the bare FTS5 statements on the same file.

    python -m benchmarks.search [--documents 1000] [--rounds 40] [--texts corpus.jsonl]

One process, the two in turn for every query. *bare* is what nobody can do without: the exact count, the ten
best rows, and their snippets from an in-memory table, on an open connection. *tool* is research_search_fetched
as a client's call enters the server: arguments validated, library and index compared, texts read, result
serialised. Documents are put together from real sentences where a file with a "text" field in each line is given,
else from made-up words with a natural distribution.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import prioris_mcp.server  # noqa: F401 - settles FastMCP's own settings before it is imported

# isort: split
import apsw

from prioris_mcp.adapters.filesystem.backend import FilesystemStorageBackend, catalogue_of
from prioris_mcp.adapters.filesystem.blobs import Blobs
from prioris_mcp.adapters.sqlite.fts.index import SqliteFts5SearchIndex
from prioris_mcp.adapters.sqlite.fts.query import TOKENIZER, QueryFrontEnd
from prioris_mcp.app.indexing.text import Indexer
from prioris_mcp.domain import chunks
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.server.app import app
from prioris_mcp.settings import Settings
from prioris_mcp.wiring import open_services

QUERIES = {
    "rare word": "{rare}",
    "common word": "{common}",
    "phrase": '"{first} {second}"',
    "two words": "{common} {first}",
    "question": "what is the effect of {first} on {second}?",
}
SCORE = "bm25(section, 2.0, 1.0)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--texts", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder), options))


async def run(root: Path, options: argparse.Namespace) -> None:
    sentences = list(sentences_of(options.texts))
    settings = Settings(storage_dir=root, state_dir=root, vector_dir=root, notes_dir=root, embedding_model="/none")
    costs = await fill(root, options.documents, sentences)
    print(f"{options.documents} documents; indexing one more: {costs[0]:.2f} CPU ms at 100, {costs[1]:.2f} at the end")
    async with open_services(settings) as services:
        server = app(services)
        bare = Bare(root / "search.sqlite3")
        words = words_of(sentences)
        print(f"{'query':14} {'bare ms':>9} {'tool ms':>9} {'ratio':>6} {'tool p95':>9}")
        everything: list[float] = []
        for name, form in QUERIES.items():
            times = [await _pair(server, bare, form.format(**words())) for _ in range(options.rounds)]
            raw, tool = zip(*times, strict=True)
            everything += tool
            ratio = statistics.median(tool) / statistics.median(raw)
            print(f"{name:14} {_ms(raw):9.2f} {_ms(tool):9.2f} {ratio:6.2f} {_p95(tool):9.2f}")
        listing = [await _timed(lambda: server.call_tool("research_list_fetched", {})) for _ in range(options.rounds)]
        print(f"research_search_fetched: median {_ms(everything):.2f} ms, p95 {_p95(everything):.2f} ms")
        print(f"research_list_fetched:   median {_ms(listing):.2f} ms")


async def fill(root: Path, documents: int, sentences: list[str]) -> tuple[float, float]:
    """Store and index the documents; CPU ms of indexing one, after the first hundred and at the end."""
    catalogue, index = catalogue_of(root), SqliteFts5SearchIndex(root / "search.sqlite3")
    store = FilesystemStorageBackend(Blobs(root), catalogue, lambda: "2026-01-01T00:00:00+00:00")
    indexer, costs = Indexer(store, index), []
    for key, text in documents_of(documents, sentences):
        await store.write_markdown(key, Markdown.whole(text), chunks.split(key, text), "made")
        started = time.process_time()
        await indexer.follow()
        costs.append((time.process_time() - started) * 1e3)
    index.close()
    catalogue.close()
    return statistics.median(costs[75:125]), statistics.median(costs[-50:])


class Bare:
    """The statements alone."""

    def __init__(self, path: Path) -> None:
        self._db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        self._page = apsw.Connection(":memory:")
        self._page.execute(f"CREATE VIRTUAL TABLE page USING fts5(heading, body, tokenize='{TOKENIZER}')")
        self._plan = QueryFrontEnd().plan
        self._text = ("word " * 150 + "\n") * 3

    def search(self, query: str) -> int:
        for expression in self._plan(query).expressions:
            total = self._db.execute("SELECT count(*) FROM section WHERE section MATCH ?", (expression,)).get
            if not total:
                continue
            rows = self._db.execute(
                f"SELECT rowid, {SCORE} AS score FROM section WHERE section MATCH ? ORDER BY score, rowid LIMIT 10",
                (expression,),
            ).fetchall()
            self._page.execute("BEGIN")
            self._page.executemany("INSERT INTO page VALUES ('', ?)", [(self._text,) for _ in rows])
            snippet = "SELECT snippet(page, 1, '', '', '…', 40) FROM page WHERE page MATCH 'word'"
            self._page.execute(snippet).fetchall()
            self._page.execute("ROLLBACK")
            return int(total)
        return 0


async def _pair(server: Any, bare: Bare, query: str) -> tuple[float, float]:
    async def raw() -> None:
        bare.search(query)

    return await _timed(raw), await _timed(lambda: server.call_tool("research_search_fetched", {"query": query}))


async def _timed(call: Callable[[], Any]) -> float:
    started = time.perf_counter()
    await call()
    return (time.perf_counter() - started) * 1e3


def sentences_of(texts: Path | None) -> Iterator[str]:
    if texts:
        for line in texts.read_text("utf-8").splitlines():
            yield from (part.strip() + "." for part in json.loads(line)["text"].split(". ") if part.strip())
        return
    dice = random.Random(0)
    words = ["".join(dice.choice("aeioubcdfglmnprst") for _ in range(dice.randint(2, 9))) for _ in range(20000)]
    for _ in range(20000):
        yield " ".join(words[min(int(dice.paretovariate(0.6)), 19999)] for _ in range(20)) + "."


def documents_of(documents: int, sentences: list[str]) -> Iterator[tuple[DocumentKey, str]]:
    """That many documents, the same at every call."""
    dice = random.Random(1)
    for number in range(documents):
        identifier = f"{2000 + number // 99999}.{number:05d}v1"
        yield DocumentKey(ProviderName("arxiv"), identifier, SourceFormat.PDF), _document(dice, sentences, number)


def _document(dice: random.Random, sentences: list[str], number: int) -> str:
    """Twenty sections of six sentences under two levels of headings, and a word of its own."""
    parts = [f"# Document {number} rare{number % 500}word\n\n"]
    for section in range(20):
        parts.append(f"{'##' if section % 4 == 0 else '###'} {dice.choice(sentences)[:50]}\n\n")
        parts.append(" ".join(dice.choice(sentences) for _ in range(6)) + "\n\n")
    return "".join(parts)


def words_of(sentences: list[str]) -> Callable[[], dict[str, str]]:
    """Draws words for a query: a rare one, a common one, and two neighbours."""
    dice = random.Random(2)
    counts: dict[str, int] = {}
    for sentence in sentences:
        for word in set(sentence.strip(".").lower().split()):
            if word.isalpha() and len(word) > 3:
                counts[word] = counts.get(word, 0) + 1
    common = sorted(counts, key=counts.__getitem__)[-40:]

    def draw() -> dict[str, str]:
        pair: list[str] = []
        while len(pair) < 2:
            text = dice.choice(sentences).split()
            at = dice.randrange(max(1, len(text) - 1))
            pair = [word for word in text[at : at + 2] if word.isalpha()]
        return {
            "rare": f"rare{dice.randrange(500)}word",
            "common": dice.choice(common),
            "first": pair[0],
            "second": pair[1],
        }

    return draw


def _ms(values: Sequence[float]) -> float:
    return statistics.median(values)


def _p95(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


if __name__ == "__main__":
    main()
