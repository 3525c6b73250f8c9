"""How callers of one process share work, and how they wait for each other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager

import anyio

from prioris_mcp.ports.coordination import Leases


class Coalesced:
    """One run of *work* at a time; all who ask while one is going on share the next, which sees what they know of.

    Without this each would have a run of its own, one after the other, and many callers at a time would wait for the
    sum of them. A failure of a run is that of everyone who waits for it; a caller that is cancelled stops no run.
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
    """Where nobody waits any more, nobody needs to be told."""
    if not task.cancelled():
        task.exception()


class LocalKeyedLock:
    """One lock for each key, which exists while somebody wants it: at most one run per key within this process."""

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
    """One run per key at a time, within this process and between processes on the same store."""

    def __init__(self, leases: Leases) -> None:
        self._leases = leases
        self._flights = LocalKeyedLock()

    @asynccontextmanager
    async def hold(self, verb: str, key: object) -> AsyncGenerator[None]:
        """Hold *key* against every other run of *verb*."""
        name = f"{verb} {key}"
        async with self._flights.hold(name), self._leases.hold(name):
            yield
