"""Make whatever is made of texts follow their changes: one loop for every index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

import anyio

from prioris_mcp.domain.changes import Change, Position
from prioris_mcp.ports.changes import ChangeLog

K = TypeVar("K")


class Target(Protocol[K]):
    """Keep something in step with texts, and know how far it is."""

    async def position(self) -> Position:
        """Return the last change that was applied."""
        ...

    async def reset(self, library: str) -> None:
        """Begin with the first change of *library*, because what is held is of another library or history."""
        ...

    async def apply(self, changes: Sequence[Change[K]]) -> None:
        """Apply *changes*, oldest first; those that were applied already change nothing."""
        ...


class Follower(Generic[K]):
    """Bring a target up to the last change, whatever happened in between, in whatever process."""

    def __init__(self, log: ChangeLog[K], target: Target[K]) -> None:
        self._log, self._target = log, target
        self._turn = anyio.Lock()

    async def step(self, most: int) -> bool:
        """Apply *most* changes at most; return whether there may be more."""
        async with self._turn:
            changes = await self._log.changes(await self._target.position(), most)
            if not changes.known:
                await self._target.reset(changes.library)
            await self._target.apply(changes.items)
        return len(changes.items) == most
