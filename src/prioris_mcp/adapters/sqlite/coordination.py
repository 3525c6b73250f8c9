"""Keep leases and gates in small SQLite files, shared by all processes on one store or of one user."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import astuple
from pathlib import Path
from typing import Any, TypeVar

import anyio
import apsw

from prioris_mcp.adapters.owners import is_dead, new_owner
from prioris_mcp.adapters.sqlite.engine import Database
from prioris_mcp.domain.pacing import Gate
from prioris_mcp.errors import StorageError

T = TypeVar("T")
POLL_SECONDS = 0.05
HELD_SECONDS = 15.0
"""Seconds after its last renewal at which a lease is free again: its holder was stopped, or its machine."""


def _create_leases(db: apsw.Connection) -> None:
    db.execute("CREATE TABLE lease(name TEXT PRIMARY KEY, owner TEXT NOT NULL, expires REAL NOT NULL) STRICT")


def _create_gates(db: apsw.Connection) -> None:
    db.execute(
        "CREATE TABLE gate(source TEXT PRIMARY KEY, since REAL NOT NULL, opens_at REAL NOT NULL,"
        " holder TEXT NOT NULL, held_until REAL NOT NULL, cooling INTEGER NOT NULL) STRICT"
    )


class SqliteLeases:
    """Keep leases among the processes that share one store."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self.database = Database(path, (_create_leases,), disposable=True)
        self._clock = clock

    @asynccontextmanager
    async def hold(self, name: str) -> AsyncGenerator[None]:
        owner = new_owner()
        while not await self._write(lambda db: self._take(db, name, owner)):  # noqa: ASYNC110 - the holder may be another process
            await anyio.sleep(POLL_SECONDS)
        renewing = asyncio.create_task(self._renew(name, owner))
        try:
            yield
        finally:
            renewing.cancel()
            with anyio.CancelScope(shield=True):
                await self._write(
                    lambda db: db.execute("DELETE FROM lease WHERE name = ? AND owner = ?", (name, owner))
                )

    async def _renew(self, name: str, owner: str) -> None:
        """Extend a held lease for as long as its holder is at work; one that was lost stays lost."""
        while True:
            await asyncio.sleep(HELD_SECONDS / 3)
            with suppress(StorageError):  # the next time, or never: then the lease ends, as it is meant to
                await self._write(
                    lambda db: db.execute(
                        "UPDATE lease SET expires = ? WHERE name = ? AND owner = ?", (self._until(), name, owner)
                    )
                )

    async def _write(self, work: Callable[[apsw.Connection], T]) -> T:
        return await self.database.heal(self.database.write, work)

    def _until(self) -> float:
        return self._clock() + HELD_SECONDS

    def _take(self, db: apsw.Connection, name: str, owner: str) -> bool:
        now = self._clock()
        held = db.execute("SELECT owner, expires FROM lease WHERE name = ?", (name,)).fetchone()
        if held and not is_dead(held[0]) and now < held[1] <= now + HELD_SECONDS:
            return False
        db.execute("INSERT OR REPLACE INTO lease VALUES (?, ?, ?)", (name, owner, self._until()))
        return True

    def close(self) -> None:
        """Close the file."""
        self.database.close()


class SqliteGates:
    """Keep gates among the processes of one user."""

    def __init__(self, path: Path) -> None:
        self.database = Database(path, (_create_gates,), disposable=True)

    async def update(self, source: str, change: Callable[[Gate], Gate]) -> Gate:
        return await self.database.heal(self.database.write, lambda db: self._update(db, source, change))

    def _update(self, db: apsw.Connection, source: str, change: Callable[[Gate], Gate]) -> Gate:
        row = db.execute(
            "SELECT since, opens_at, holder, held_until, cooling FROM gate WHERE source = ?", (source,)
        ).fetchone()
        before = _gate(row) if row else Gate()
        seen = before.freed() if before.holder and is_dead(before.holder) else before
        after = change(seen)
        if after != before:
            db.execute("INSERT OR REPLACE INTO gate VALUES (?, ?, ?, ?, ?, ?)", (source, *astuple(after)))
        return after

    def close(self) -> None:
        """Close the file."""
        self.database.close()


def _gate(row: tuple[Any, ...]) -> Gate:
    since, opens_at, holder, held_until, cooling = row
    return Gate(since, opens_at, holder, held_until, bool(cooling))
