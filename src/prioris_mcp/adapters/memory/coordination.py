"""Keep leases and gates for a single process."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import anyio

from prioris_mcp.domain.pacing import Gate


class MemoryLeases:
    """Keep leases within one process."""

    def __init__(self) -> None:
        self._locks: defaultdict[str, anyio.Lock] = defaultdict(anyio.Lock)

    @asynccontextmanager
    async def hold(self, name: str) -> AsyncGenerator[None]:
        async with self._locks[name]:
            yield


class MemoryGates:
    """Keep gates within one process."""

    def __init__(self) -> None:
        self._gates: dict[str, Gate] = {}

    async def update(self, source: str, change: Callable[[Gate], Gate]) -> Gate:
        self._gates[source] = change(self._gates.get(source, Gate()))
        return self._gates[source]
