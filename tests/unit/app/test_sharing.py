"""Work that many share."""

from __future__ import annotations

import asyncio

import pytest

from prioris_mcp.app.concurrency import Coalesced


class Work:
    """Runs that each wait until they are let go."""

    def __init__(self) -> None:
        self.begun = 0
        self.at_once = 0
        self.go = asyncio.Event()
        self.fails = False

    async def __call__(self) -> None:
        """One run."""
        self.begun += 1
        self.at_once += 1
        assert self.at_once == 1
        await self.go.wait()
        self.at_once -= 1
        if self.fails:
            raise ValueError("no")


async def _settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_all_who_wait_share_the_next_run() -> None:
    """One that is going on may have missed what a caller knows of, so they get one that begins after they asked."""

    async def scenario() -> int:
        work = Work()
        shared = Coalesced(work)
        first = asyncio.create_task(shared.run())
        await _settled()
        others = [asyncio.create_task(shared.run()) for _ in range(20)]
        await _settled()
        assert work.begun == 1
        work.go.set()
        await asyncio.gather(first, *others)
        return work.begun

    assert asyncio.run(scenario()) == 2


def test_a_failure_is_that_of_everyone_who_waits() -> None:
    """And the next caller gets a run of its own."""

    async def scenario() -> list[object]:
        work = Work()
        work.fails = True
        work.go.set()
        shared = Coalesced(work)
        found: list[object] = list(await asyncio.gather(shared.run(), shared.run(), return_exceptions=True))
        work.fails = False
        return [*found, await shared.run()]

    one, other, last = asyncio.run(scenario())
    assert isinstance(one, ValueError) and isinstance(other, ValueError)
    assert last is None


def test_a_caller_that_is_cancelled_stops_nobody() -> None:
    """The run goes on for the others, and a failure that nobody waits for is not complained about."""

    async def scenario() -> None:
        work = Work()
        shared = Coalesced(work)
        gone, stays = (asyncio.create_task(shared.run()) for _ in range(2))
        await _settled()
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        work.go.set()
        await stays

    asyncio.run(scenario())
