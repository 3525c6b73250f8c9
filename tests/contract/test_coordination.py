"""What all leases and gates promise."""

from __future__ import annotations

import anyio
import pytest

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
