"""What the application asks for so that several server processes on one store do not get in each other's way."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from prioris_mcp.domain.pacing import Gate


class Leases(Protocol):
    """One holder per name at a time, among all processes that share the store."""

    def hold(self, name: str) -> AbstractAsyncContextManager[None]:
        """Wait until *name* is free, hold it for the block, free it after.

        A holder whose process died is noticed, and its name becomes free within seconds.
        """
        ...


class Gates(Protocol):
    """The gates of all sources, shared by every process of one user on one machine."""

    async def update(self, source: str, change: Callable[[Gate], Gate]) -> Gate:
        """Replace the gate of *source* by what *change* makes of it, as one step, and return that.

        *change* sees no holder whose process is known to be dead. It must be quick and pure: it may run
        inside a transaction.
        """
        ...
