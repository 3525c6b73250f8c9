"""Work that brings something up to now, shared by all who ask for it at about the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable


class Shared:
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
