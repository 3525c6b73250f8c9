"""Let callers of one process share work, and let them wait for each other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager

import anyio

from prioris_mcp.ports.coordination import Leases


class Coalesced:
    """Run *work* once at a time: all who ask during a run share the next, which sees what they know of.

    Without this every caller would have a run of its own, one after the other, and many callers at a time would wait
    for the sum of them. A run that fails raises for everyone who waits for it; a caller that is cancelled stops no run.
    """

    def __init__(self, work: Callable[[], Awaitable[object]]) -> None:
        self._work = work
        self._running: asyncio.Task[None] | None = None
        self._next: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Return when a run that began after this call has ended."""
        if self._next is None:
            self._next = asyncio.create_task(self._after(self._running))
            self._next.add_done_callback(_looked_at)
        await asyncio.shield(self._next)

    async def _after(self, before: asyncio.Task[None] | None) -> None:
        if before is not None and not before.done():
            await asyncio.wait({before})
        self._running, self._next = self._next, None
        await self._work()


def _looked_at(task: asyncio.Task[None]) -> None:
    """Read the exception of a task that nobody waits for any more, so that none is reported as lost."""
    if not task.cancelled():
        task.exception()


class LocalKeyedLock:
    """Hold at most one run per key within this process, by one lock per key that lasts while wanted."""

    def __init__(self) -> None:
        self._locks: dict[Hashable, tuple[anyio.Lock, int]] = {}

    @asynccontextmanager
    async def hold(self, key: Hashable) -> AsyncGenerator[None]:
        """Hold *key* for the block."""
        lock, users = self._locks.get(key, (anyio.Lock(), 0))
        self._locks[key] = (lock, users + 1)
        try:
            async with lock:
                yield
        finally:
            lock, users = self._locks.pop(key)
            if users > 1:
                self._locks[key] = (lock, users - 1)


class KeyedLock:
    """Hold at most one run per key, within this process and among all processes on the same store."""

    def __init__(self, leases: Leases) -> None:
        self._leases = leases
        self._flights = LocalKeyedLock()

    @asynccontextmanager
    async def hold(self, verb: str, key: object) -> AsyncGenerator[None]:
        """Hold *key* against every other run of *verb*."""
        name = f"{verb} {key}"
        async with self._flights.hold(name), self._leases.hold(name):
            yield
