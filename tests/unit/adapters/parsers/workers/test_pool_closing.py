"""Closing the pool ends every process of it, at work or about to end."""

from __future__ import annotations

import anyio
import pytest
from anyio.lowlevel import checkpoint

from prioris_mcp.adapters.parsers.workers.pool import WorkerPool
from prioris_mcp.errors import ParseError
from tests.unit.adapters.parsers.conftest import until, workers
from tests.unit.adapters.parsers.workers.test_pool import run

pytestmark = pytest.mark.anyio


async def test_closing_stops_what_runs() -> None:
    """Closing kills workers at work, whose callers get a ParseError, and refuses what comes later."""
    pool = WorkerPool(1)
    async with anyio.create_task_group() as group:

        async def expect_failure() -> None:
            with pytest.raises(ParseError, match="shut down"):
                await run(pool, "hang")

        group.start_soon(expect_failure)
        await until(lambda: bool(workers()))
        await anyio.sleep(0.2)
        await pool.aclose()
    with pytest.raises(ParseError, match="shut down"):
        await run(pool, "echo")
    assert not workers()


async def test_closing_waits_for_what_is_being_killed() -> None:
    """A call that was cancelled a moment ago still has its process: none is left when the pool is closed."""
    pool = WorkerPool(1)
    async with anyio.create_task_group() as group:
        group.start_soon(run, pool, "hang")
        await until(lambda: bool(workers()))
        await anyio.sleep(0.2)
        group.cancel_scope.cancel()
        with anyio.CancelScope(shield=True):
            await checkpoint()
            await pool.aclose()
            assert not workers()
