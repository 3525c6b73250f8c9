"""The queue in front of a source, with its real numbers: time passes by waiting only, and at once."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import format_datetime
from itertools import pairwise

import anyio
import pytest

from prioris_mcp.adapters.http.gateway import Answer
from prioris_mcp.adapters.http.throttle import Throttle
from prioris_mcp.adapters.memory.coordination import MemoryGates
from prioris_mcp.adapters.sqlite.coordination import SqliteGates
from prioris_mcp.domain import pacing
from prioris_mcp.domain.pacing import MARGIN, Pace
from prioris_mcp.errors import ProviderUnavailableError, RateLimitedError
from prioris_mcp.ports.coordination import Gates
from tests.patient import PatientLoop

pytestmark = pytest.mark.anyio
PACE = Pace()
REALLY = pytest.mark.parametrize("anyio_backend", ["asyncio"])
"""For tests with threads and processes, whose time cannot be made to pass: real clocks and small numbers."""
SMALL = Pace(spacing=0.05, first_backoff=0.05, budget=0.5)


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, Callable[[], PatientLoop]]]:
    """A loop in which waiting takes no time."""
    return "asyncio", {"loop_factory": PatientLoop}


def now() -> float:
    """The clock of the loop."""
    return asyncio.get_running_loop().time()


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

    async def __call__(self, on_sent: Callable[[], None]) -> Answer:
        self.asked.append(now())  # before it is said, so that a slow machine cannot make two look close
        on_sent()
        self.inside += 1
        self.most = max(self.most, self.inside)
        try:
            await anyio.sleep(self.seconds)
        finally:
            self.inside -= 1
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def gaps(self) -> list[float]:
        return [after - before for before, after in pairwise(self.asked)]


def throttle(
    gates: Gates | None = None, pace: Pace = PACE, queue_seconds: float = 90.0, clock: Callable[[], float] = now
) -> Throttle:
    return Throttle("source", "The source", gates or MemoryGates(), pace, queue_seconds, clock)


async def test_many_calls_pass_one_at_a_time_and_apart():
    """Ten calls at once: never two in flight, never closer than the spacing."""
    source, queue = Source(answer(), seconds=1), throttle()
    async with anyio.create_task_group() as group:
        for _ in range(10):
            group.start_soon(queue.run, source, refused)
    assert source.most == 1
    assert source.gaps() == pytest.approx([PACE.spacing + MARGIN] * 9)


async def test_a_slow_answer_is_waited_for():
    """What takes longer than the spacing is not overtaken; the spacing counts from the start."""
    source, queue = Source(answer(), seconds=2 * PACE.spacing), throttle()
    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(queue.run, source, refused)
    assert source.most == 1
    assert source.gaps() == pytest.approx([2 * PACE.spacing] * 2)


@REALLY
async def test_two_processes_share_one_gate(tmp_path):
    """Two queues over one file behave like one."""
    source = Source(answer(), seconds=0.01)
    gates = [SqliteGates(tmp_path / "gates.sqlite") for _ in range(2)]
    async with anyio.create_task_group() as group:
        for gate in gates:
            queue = throttle(gate, SMALL, clock=time.time)
            for _ in range(4):
                group.start_soon(queue.run, source, refused)
    for gate in gates:
        gate.close()
    assert source.most == 1
    assert min(source.gaps()) >= SMALL.spacing


async def test_a_refusal_is_waited_out():
    """For 3, 6 and 12 seconds; asked to wait for none, it waits for its own."""
    source = Source(answer(429), answer(429), answer(429, retry_after="0"), answer())
    assert (await throttle().run(source, refused)).status == 200
    assert source.gaps() == pytest.approx([3 + MARGIN, 6, 12])


async def test_endless_refusals_end_within_the_budget():
    """The failure says how often the source was asked and when to try again."""
    source, started = Source(answer(429)), now()
    with pytest.raises(RateLimitedError, match=r"HTTP 429, asked 5 times.*try again in 48 s"):
        await throttle().run(source, refused)
    assert now() - started == pytest.approx(3 + 6 + 12 + 24 + MARGIN)


async def test_a_long_retry_after_fails_at_once():
    """It names the seconds, and nothing is slept on."""
    source, started = Source(answer(429, retry_after="3600")), now()
    with pytest.raises(RateLimitedError, match="try again in 3600 s"):
        await throttle().run(source, refused)
    assert len(source.asked) == 1
    assert now() == started


async def test_a_long_retry_after_locks_nobody_out():
    """It ends the call that was refused; the next one may ask after our own pause, and is not told to wait an hour."""
    queue, source = throttle(), Source(answer(429, retry_after="3600"), answer())
    with pytest.raises(RateLimitedError):
        await queue.run(source, refused)
    assert (await queue.run(source, refused)).status == 200
    assert source.gaps() == pytest.approx([PACE.first_backoff + MARGIN])


@pytest.mark.parametrize("asked", ["40", format_datetime(datetime.fromtimestamp(1040, UTC), usegmt=True)])
async def test_a_retry_after_that_fits_is_honoured(asked):
    """Also as a date."""
    source = Source(answer(429, retry_after=asked), answer())
    await throttle().run(source, refused)
    assert source.gaps() == pytest.approx([40])


async def test_waiting_in_the_queue_counts_as_waiting():
    """Ten calls behind a source that refuses for ever: each ends within the budget, its time in the queue included."""
    source, queue, started = Source(answer(429)), throttle(), now()
    ended: list[float] = []

    async def call() -> None:
        with pytest.raises(RateLimitedError):
            await queue.run(source, refused)
        ended.append(now() - started)

    async with anyio.create_task_group() as group:
        for _ in range(10):
            group.start_soon(call)
    assert len(ended) == 10
    assert max(ended) <= PACE.budget


async def test_who_comes_while_a_source_refuses_waits_as_long_as_one_who_was_refused():
    """Another process was told to wait for longer than that."""
    gates, source, started = MemoryGates(), Source(answer()), now()
    await gates.update("source", lambda gate: pacing.refuse(gate, now(), 80))
    with pytest.raises(RateLimitedError, match="not be asked within 60 s"):
        await throttle(gates).run(source, refused)
    assert now() - started == pytest.approx(PACE.budget)
    assert source.asked == []


async def test_a_full_queue_gives_up_in_time():
    """While nobody is refused, a call waits for its turn as long as it may, and then says so."""
    source, queue, started = Source(answer(), seconds=95), throttle(), now()
    async with anyio.create_task_group() as group:
        group.start_soon(queue.run, source, refused)
        await anyio.sleep(0)
        with pytest.raises(RateLimitedError, match="not be asked within 90 s: too many requests are waiting"):
            await queue.run(source, refused)
        assert now() - started == pytest.approx(90)


async def test_a_failed_or_cancelled_request_frees_the_gate():
    """The next one waits for the spacing, and for nothing else."""
    queue = throttle()

    async def fail(_on_sent: Callable[[], None]) -> Answer:
        raise ProviderUnavailableError("x")

    with pytest.raises(ProviderUnavailableError):
        await queue.run(fail, refused)
    with anyio.move_on_after(10):
        await queue.run(Source(answer(), seconds=60), refused)
    with anyio.fail_after(PACE.spacing):
        assert (await queue.run(Source(answer()), refused)).status == 200


async def test_a_slow_holder_says_that_it_is_there():
    """While a request takes longer than the grip, its hold on the gate is renewed, and ends with it."""
    gates = MemoryGates()
    async with anyio.create_task_group() as group:
        group.start_soon(throttle(gates).run, Source(answer(), seconds=5 * pacing.GRIP), refused)
        for _ in range(4):
            await anyio.sleep(1.2 * pacing.GRIP)
            gate = await gates.update("source", lambda gate: gate)
            assert gate.holder
            assert gate.held_until > now()
    assert (await gates.update("source", lambda gate: gate)).holder == ""


@REALLY
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
    with anyio.fail_after(60):
        await throttle(gates, SMALL, clock=time.time).run(Source(answer()), refused)
    gates.close()
