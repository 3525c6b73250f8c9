"""How well the library's search ranks: nDCG@10 over a collection with judged queries, through the tool's own code.

    python -m benchmarks.relevance FOLDER [--how fts|vector|find ...] [--least SCORE ...]

FOLDER holds ``corpus.jsonl`` (_id, title, text), ``queries.jsonl`` (_id, text) and ``qrels.tsv`` (query, document,
grade), as the BEIR collections do. The exit code is 1 where a way to search is below its least score.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import math
import statistics
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

import prioris_mcp.server  # noqa: F401 - settles FastMCP's own settings before it is imported

# isort: split
from prioris_mcp.adapters.filesystem.backend import FilesystemStorageBackend, catalogue_of
from prioris_mcp.adapters.filesystem.blobs import Blobs
from prioris_mcp.domain import chunks
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.server.app import app
from prioris_mcp.settings import Settings
from prioris_mcp.wiring import open_services


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--how", nargs="+", choices=("fts", "vector", "find"), default=["fts"])
    parser.add_argument("--least", nargs="+", type=float, default=[], metavar="SCORE", help="one for each way")
    parsed = parser.parse_args()
    with tempfile.TemporaryDirectory() as root:
        scores, queries = asyncio.run(run(parsed.folder, Path(root), parsed.how))
    for how, score in scores.items():
        print(f"{how}: nDCG@10 {score:.4f} over {queries} queries")
    missed = [how for how, least in zip(parsed.how, parsed.least, strict=False) if scores[how] < least]
    if missed:
        sys.exit(f"below what was once measured: {', '.join(missed)}")


async def run(collection: Path, root: Path, hows: list[str]) -> tuple[dict[str, float], int]:
    """Mean nDCG@10 of each way to search, and the number of judged queries."""
    await fill(collection, root)
    grades: defaultdict[str, dict[str, int]] = defaultdict(dict)
    with (collection / "qrels.tsv").open() as file:
        for query, document, grade in csv.reader(file, delimiter="\t"):
            if grade.isdecimal() and int(grade):
                grades[query][document] = int(grade)
    settings = Settings(storage_dir=root, state_dir=root, vector_dir=root, notes_dir=root)
    async with open_services(settings) as services:
        server = app(services)
        await services.search._words._indexer.follow()
        while set(hows) != {"fts"} and (services.embedding.rebuild.pending or not services.embedding.rebuild.total):  # noqa: ASYNC110
            await asyncio.sleep(1)
        texts = {line["_id"]: line["text"] for line in _lines(collection / "queries.jsonl")}
        scores = {
            how: statistics.mean([await _ndcg(server, how, texts[query], judged) for query, judged in grades.items()])
            for how in hows
        }
    return scores, len(grades)


async def fill(collection: Path, root: Path) -> None:
    """Store every abstract as a parsed document under its title."""
    catalogue = catalogue_of(root)
    store = FilesystemStorageBackend(Blobs(root), catalogue, lambda: "2026-01-01T00:00:00+00:00")
    for line in _lines(collection / "corpus.jsonl"):
        key = DocumentKey(ProviderName("europepmc"), line["_id"], SourceFormat.XML)
        text = f"# {' '.join(line['title'].split())}\n\n{line['text']}\n"
        await store.write_markdown(key, Markdown.whole(text), chunks.split(key, text), "made")
    catalogue.close()


async def _ndcg(server: Any, how: str, query: str, judged: dict[str, int]) -> float:
    if how == "find":
        result = await server.call_tool("research_find", {"query": query, "limit": 10, "snippet_chars": 0})
        hits = result.structured_content["hits"]
    else:
        result = await server.call_tool("research_search_fetched", {"query": query, "limit": 10, "mode": how})
        hits = result.structured_content[how]["matches"]
    found = [hit["identifier"] for hit in hits]
    gains = [judged.get(document, 0) for document in dict.fromkeys(found)]
    ideal = sorted(judged.values(), reverse=True)[:10]
    return _dcg(gains) / _dcg(ideal)


def _dcg(gains: list[int]) -> float:
    return sum(gain / math.log2(rank + 2) for rank, gain in enumerate(gains))


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


if __name__ == "__main__":
    main()
