"""The queue in front of a source, with real clocks and small numbers."""

from __future__ import annotations

import subprocess
import sys
import time
from itertools import pairwise

import anyio
import pytest

from prioris_mcp.adapters.http.gateway import Answer
from prioris_mcp.adapters.http.throttle import Throttle
from prioris_mcp.adapters.memory.coordination import MemoryGates
from prioris_mcp.adapters.sqlite.coordination import SqliteGates
from prioris_mcp.domain import pacing
from prioris_mcp.domain.pacing import Pace
from prioris_mcp.errors import ProviderUnavailableError, RateLimitedError

pytestmark = pytest.mark.anyio
SPACING = 0.05
PACE = Pace(spacing=SPACING, first_backoff=SPACING, budget=0.5)


def answer(status: int = 200, **headers: str) -> Answer:
    return Answer("https://source.example/", status, {k.replace("_", "-"): v for k, v in headers.items()}, b"")


def refused(found: Answer) -> bool:
    return found.status == 429


class Source:
    """Answers from a list, the last one for ever; notes when it was asked, and by how many at once."""

    def __init__(self, *answers: Answer, seconds: float = 0.0) -> None:
        self.answers, self.seconds = list(answers), seconds
        self.asked: list[float] = []
        self.inside = self.most = 0

    async def __call__(self, on_sent) -> Answer:
        on_sent()
        self.asked.append(time.monotonic())
        self.inside += 1
        self.most = max(self.most, self.inside)
        try:
            await anyio.sleep(self.seconds)
        finally:
            self.inside -= 1
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def gaps(self) -> list[float]:
        return [after - before for before, after in pairwise(self.asked)]


def throttle(gates=None, pace=PACE, queue_seconds=5.0) -> Throttle:
    return Throttle("source", "The source", gates or MemoryGates(), pace, queue_seconds)


async def test_many_calls_pass_one_at_a_time_and_apart():
    """Ten calls at once: never two in flight, never closer than the spacing."""
    source, queue = Source(answer(), seconds=0.01), throttle()
    async with anyio.create_task_group() as group:
        for _ in range(10):
            group.start_soon(queue.run, source, refused)
    assert source.most == 1
    assert len(source.asked) == 10
    assert min(source.gaps()) >= SPACING


async def test_two_processes_share_one_gate(tmp_path):
    """Two queues over one file behave like one."""
    source = Source(answer(), seconds=0.01)
    gates = [SqliteGates(tmp_path / "gates.sqlite") for _ in range(2)]
    async with anyio.create_task_group() as group:
        for gate in gates:
            queue = throttle(gate)
            for _ in range(4):
                group.start_soon(queue.run, source, refused)
    for gate in gates:
        gate.close()
    assert source.most == 1
    assert min(source.gaps()) >= SPACING


async def test_a_refusal_is_waited_out():
    """3, 6, 12 … scaled down: each wait is at least twice the one before."""
    source = Source(answer(429), answer(429), answer(429, retry_after="0"), answer())
    assert (await throttle().run(source, refused)).status == 200
    assert [round(gap / SPACING) >= wait for gap, wait in zip(source.gaps(), [1, 2, 4], strict=True)] == [True] * 3


async def test_endless_refusals_end_within_the_budget():
    """The failure says how often the source was asked and when to try again."""
    source = Source(answer(429))
    with anyio.fail_after(2), pytest.raises(RateLimitedError, match=r"HTTP 429, asked \d times.*try again in"):
        await throttle().run(source, refused)
    assert len(source.asked) > 1


async def test_a_long_retry_after_fails_at_once():
    """It names the seconds, and nothing is slept on."""
    source = Source(answer(429, retry_after="3600"))
    with anyio.fail_after(0.4), pytest.raises(RateLimitedError, match="try again in 3600 s"):
        await throttle().run(source, refused)
    assert len(source.asked) == 1


async def test_a_retry_after_that_fits_is_honoured():
    """Also as a date."""
    source = Source(answer(429, retry_after="1"), answer())
    started = time.monotonic()
    await throttle(pace=Pace(SPACING, SPACING, budget=5)).run(source, refused)
    assert time.monotonic() - started >= 1


async def test_waiting_in_the_queue_counts_as_waiting():
    """Ten calls behind a source that refuses for ever: each ends within the budget, its time in the queue included."""
    source, queue, ended = Source(answer(429)), throttle(), []

    async def call() -> None:
        started = time.monotonic()
        with pytest.raises(RateLimitedError):
            await queue.run(source, refused)
        ended.append(time.monotonic() - started)

    async with anyio.create_task_group() as group:
        for _ in range(10):
            group.start_soon(call)
    assert len(ended) == 10
    assert max(ended) < 4 * PACE.budget


async def test_a_full_queue_gives_up_in_time():
    """While nobody is refused, a call waits for its turn as long as it may, and then says so."""
    source, queue = Source(answer(), seconds=0.4), throttle(pace=Pace(SPACING, SPACING, budget=0), queue_seconds=0.2)
    async with anyio.create_task_group() as group:
        group.start_soon(queue.run, source, refused)
        await anyio.sleep(0.05)
        with pytest.raises(RateLimitedError, match="too many requests are waiting"):
            await queue.run(source, refused)


async def test_a_failed_or_cancelled_request_frees_the_gate():
    """The next one waits for the spacing, and for nothing else."""
    queue = throttle()

    async def fail(_on_sent) -> Answer:
        raise ProviderUnavailableError("x")

    with pytest.raises(ProviderUnavailableError):
        await queue.run(fail, refused)
    with anyio.move_on_after(0.1):
        await queue.run(Source(answer(), seconds=60), refused)
    with anyio.fail_after(1):
        assert (await queue.run(Source(answer()), refused)).status == 200


async def test_a_slow_holder_says_that_it_is_there(monkeypatch):
    """While a request takes longer than the grip, its hold on the gate is renewed, and ends with it."""
    monkeypatch.setattr(pacing, "GRIP", 0.03)
    gates, held = MemoryGates(), set()

    async def ask(on_sent):
        on_sent()
        with anyio.fail_after(30):
            while len(held) < 3:
                held.add((await gates.update("source", lambda gate: gate)).held_until)
                await anyio.sleep(0.005)
        return answer()

    await throttle(gates).run(ask, refused)
    assert (await gates.update("source", lambda gate: gate)).holder == ""


async def test_a_killed_holder_blocks_nobody(tmp_path):
    """A gate held by a process that is gone opens when its pause is over."""
    gates = SqliteGates(tmp_path / "gates.sqlite")
    program = (
        "import asyncio, sys, time; from pathlib import Path; from prioris_mcp.adapters.owners import new_owner;"
        "from prioris_mcp.adapters.sqlite.coordination import SqliteGates; from prioris_mcp.domain import pacing;"
        "asyncio.run(SqliteGates(Path(sys.argv[1])).update('source', lambda gate: pacing.take("
        "gate, time.time(), new_owner(), pacing.Pace(spacing=0.3))))"
    )
    await anyio.run_process([sys.executable, "-c", program, str(tmp_path / "gates.sqlite")], stderr=subprocess.DEVNULL)
    with anyio.fail_after(3):
        await throttle(gates).run(Source(answer()), refused)
    gates.close()
