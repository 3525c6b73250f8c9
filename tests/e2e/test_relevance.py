"""How well the library's search ranks, on a small judged collection."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.relevance import run
from tests.corpus import SHARED, needs_corpus

pytest.importorskip("onnxruntime", reason="the extra for semantic search is not installed")
pytestmark = [*needs_corpus, pytest.mark.anyio]


@pytest.mark.timeout(900)
async def test_rankings_keep_their_quality(tmp_path: Path) -> None:
    """By words, by meaning, and fused: nDCG@10 over 300 queries is what was once measured, or better."""
    scores, queries = await run(SHARED / "corpus" / "ir" / "scifact-mini", tmp_path, ["fts", "vector", "find"])
    assert queries == 300
    assert scores["fts"] >= 0.805
    assert scores["vector"] >= 0.788
    assert scores["find"] >= 0.85
