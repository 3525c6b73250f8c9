"""Keep several server processes that share one store out of each other's way."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from prioris_mcp.domain.pacing import Gate


class Leases(Protocol):
    """Give each name to one holder at a time, among all processes that share the store.

    Example::

        async with leases.hold("fetch:arxiv:2106.09685v2"):
            ...  # no other process runs this block for this name
    """

    def hold(self, name: str) -> AbstractAsyncContextManager[None]:
        """Wait until *name* is free, hold it for the block, and release it after.

        Notice a holder whose process died, and free its name within seconds.
        """
        ...


class Gates(Protocol):
    """Keep the gate of each source, shared by every process of one user on one machine.

    Example::

        gate = await gates.update("arxiv", lambda gate: take(gate, now, holder, pace))
    """

    async def update(self, source: str, change: Callable[[Gate], Gate]) -> Gate:
        """Replace the gate of *source* by what *change* returns for it, as one step, and return the new gate.

        Show *change* no holder whose process is known to be dead. Keep *change* quick and pure: it may run inside a
        transaction.
        """
        ...
