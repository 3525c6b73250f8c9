"""A parser over the pool, with a limit of its own."""

from __future__ import annotations

import anyio
import pytest

from prioris_mcp.adapters.parsers.workers.backends import IsolatedParser
from prioris_mcp.adapters.parsers.workers.pool import WorkerPool
from tests.unit.adapters.parsers.workers.hostile import HERE

pytestmark = pytest.mark.anyio


async def test_a_parser_can_be_held_below_its_pool() -> None:
    """One after the other, though two processes might run."""
    pool = WorkerPool(2)
    parser = IsolatedParser(pool, f"{HERE}:nap", "nap", options={"seconds": 0.2}, at_once=1)
    spans: list[tuple[float, float]] = []

    async def parse() -> None:
        start, end = (await parser.parse(b"")).text.split()
        spans.append((float(start), float(end)))

    try:
        async with anyio.create_task_group() as group:
            group.start_soon(parse)
            group.start_soon(parse)
    finally:
        await pool.aclose()
    first, second = sorted(spans)
    assert first[1] <= second[0]
