"""What all leases and gates promise."""

from __future__ import annotations

import anyio
import apsw
import pytest

from prioris_mcp.adapters.sqlite import coordination
from prioris_mcp.adapters.sqlite.coordination import SqliteLeases
from prioris_mcp.domain.pacing import Gate

pytestmark = pytest.mark.anyio


async def test_one_holder_at_a_time(leases):
    """Of ten that want one name, never two have it."""
    inside, most = 0, 0

    async def enter():
        nonlocal inside, most
        async with leases.hold("a"):
            inside += 1
            most = max(most, inside)
            await anyio.sleep(0)
            inside -= 1

    async with anyio.create_task_group() as group:
        for _ in range(10):
            group.start_soon(enter)
    assert (inside, most) == (0, 1)


async def test_names_do_not_wait_for_each_other(leases):
    """A holder of one name leaves the others free."""
    async with leases.hold("a"), leases.hold("b"):
        pass


async def test_a_failed_holder_frees_its_name(leases):
    """An exception inside the block passes through, and the name is free."""
    with pytest.raises(KeyError):
        async with leases.hold("a"):
            raise KeyError("x")
    async with leases.hold("a"):
        pass


async def test_a_gate_is_remembered(gates):
    """What one update made is what the next one sees."""
    made = Gate(since=1.0, opens_at=2.5, cooling=True)
    assert await gates.update("arxiv", lambda gate: made) == made
    seen = []
    await gates.update("arxiv", lambda gate: seen.append(gate) or gate)
    assert seen == [made]
    assert await gates.update("other", lambda gate: gate) == Gate()


async def test_a_lease_is_renewed_while_it_is_held(tmp_path, monkeypatch):
    """However long the work takes, nobody else gets in; with its end the name is free."""
    monkeypatch.setattr(coordination, "HELD_SECONDS", 0.03)
    now = [1000.0]
    mine, other = (SqliteLeases(tmp_path / "leases.sqlite", lambda: now[0]) for _ in range(2))
    async with mine.hold("a"):
        for _ in range(3):
            now[0] += 0.02
            with anyio.fail_after(30):
                while await _end(tmp_path) < now[0] + 0.03:
                    await anyio.sleep(0.005)
        with anyio.move_on_after(0.2) as waited:
            async with other.hold("a"):
                pass
        assert waited.cancelled_caught
    async with other.hold("a"):
        pass
    mine.close()
    other.close()


async def test_a_holder_that_stands_still_loses_its_lease(tmp_path):
    """Its process was stopped, or its machine: after the time of one lease the next one gets in, and keeps it."""
    now = [1000.0]
    stopped, other = (SqliteLeases(tmp_path / "leases.sqlite", lambda: now[0]) for _ in range(2))
    async with stopped.hold("a"):
        now[0] += coordination.HELD_SECONDS + 1
        async with other.hold("a"):
            assert await _end(tmp_path) == now[0] + coordination.HELD_SECONDS
    assert coordination.HELD_SECONDS <= 30
    stopped.close()
    other.close()


async def test_a_lease_of_a_clock_that_was_ahead_is_none(tmp_path):
    """It would last until that time had come."""
    now = [9_000_000.0]
    ahead, other = (SqliteLeases(tmp_path / "leases.sqlite", lambda: now[0]) for _ in range(2))
    async with ahead.hold("a"):
        now[0] = 1_000.0
        with anyio.fail_after(30):
            async with other.hold("a"):
                assert await _end(tmp_path) == now[0] + coordination.HELD_SECONDS
    ahead.close()
    other.close()


async def _end(folder):
    """When the only lease ends."""
    with apsw.Connection(str(folder / "leases.sqlite")) as db:
        return db.execute("SELECT expires FROM lease").get
