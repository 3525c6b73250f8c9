"""One SQLite file: one writer that queues, readers that do not wait for it.

APSW rather than the standard library's module: it carries its own SQLite, the same on every Python.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

import anyio
import apsw
from anyio import to_thread

from prioris_mcp.errors import StorageError

T = TypeVar("T")
Migration = Callable[[apsw.Connection], None]

BUSY_SECONDS = 30
_READERS = 3


def _connect(path: Path, *, readonly: bool = False) -> apsw.Connection:
    flags = apsw.SQLITE_OPEN_READONLY if readonly else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    connection = apsw.Connection(str(path), flags=flags | apsw.SQLITE_OPEN_URI)
    connection.set_busy_timeout(BUSY_SECONDS * 1000)
    connection.pragma("foreign_keys", True)
    return connection


def _attach(connection: apsw.Connection, path: Path, name: str) -> None:
    """Let statements read the file at *path* under *name*; nothing can write to it this way."""
    connection.execute(f"ATTACH ? AS {name}", (f"{path.absolute().as_uri()}?mode=ro",))


class DamagedError(StorageError):
    """The file is no database, or its contents make no sense."""


class Database:
    """A file with its schema. Opened at first use, so that a broken disk fails a call and not the start."""

    def __init__(
        self,
        path: Path,
        migrations: Sequence[Migration],
        *,
        disposable: bool = False,
        beside: Mapping[str, Database] = MappingProxyType({}),
    ) -> None:
        """*disposable*: the file may be lost: a commit need not survive a power cut, a removed file is made anew.

        *beside*: other files, by the names under which statements can read them as well.
        """
        self._path = path
        self._beside = beside
        self._disposable = disposable
        self._migrations = migrations
        self._writer: apsw.Connection | None = None
        self._inode = 0
        self._readers: queue.SimpleQueue[apsw.Connection] = queue.SimpleQueue()
        self._opening = threading.Lock()
        self._write_turn = anyio.Lock(fast_acquire=True)
        self._read_turn = anyio.CapacityLimiter(_READERS)

    async def write(self, work: Callable[[apsw.Connection], T]) -> T:
        """Run *work* in one transaction, alone among all processes; all of it holds, or none."""

        def run() -> T:
            return _transact(self._open(), work)

        async with self._write_turn:
            return await to_thread.run_sync(self._translated, run, "written")

    async def read(self, work: Callable[[apsw.Connection], T]) -> T:
        """Run *work* on one consistent view of the data."""

        def run() -> T:
            readers, reader = self._reader()
            try:
                return _transact(reader, work, "BEGIN")
            finally:
                readers.put(reader)

        return await to_thread.run_sync(self._translated, run, "read", limiter=self._read_turn)

    def _translated(self, run: Callable[[], T], verb: str) -> T:
        """Failures of the disk and of SQLite as ours, without the server's paths."""
        try:
            return run()
        except apsw.FullError as exc:
            raise StorageError(f"{self._path.name} could not be {verb}: the disk is full; free some room") from exc
        except (apsw.CorruptError, apsw.NotADBError) as exc:
            raise DamagedError(f"{self._path.name} is damaged: {type(exc).__name__}: {exc}") from exc
        except apsw.Error as exc:
            raise StorageError(f"{self._path.name} could not be {verb}: {type(exc).__name__}: {exc}") from exc
        except OSError as exc:
            raise StorageError(f"{self._path.name} could not be {verb}: {exc.strerror or type(exc).__name__}") from exc

    def _open(self) -> apsw.Connection:
        with self._opening:
            return self._opened()

    def _reader(self) -> tuple[queue.SimpleQueue[apsw.Connection], apsw.Connection]:
        """A reader, and where to put it back: one that is out while the file is replaced never comes into use again."""
        with self._opening:
            self._opened()
            return self._readers, self._readers.get()

    def _opened(self) -> apsw.Connection:
        if self._disposable and self._replaced():
            self._close()
        if self._writer is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            writer = _connect(self._path)
            _use_wal(writer)
            writer.pragma("synchronous", "normal" if self._disposable else "full")
            _migrate(writer, self._migrations, self._path.name)
            readers = [_connect(self._path, readonly=True) for _ in range(_READERS)]
            self._attach_to(writer, *readers)
            self._readers = queue.SimpleQueue()
            for reader in readers:
                self._readers.put(reader)
            self._writer = writer
            self._inode = self._path.stat().st_ino
        return self._writer

    def _attach_to(self, *connections: apsw.Connection) -> None:
        for name, other in self._beside.items():
            other._open()
            for connection in connections:
                _attach(connection, other._path, name)

    def _replaced(self) -> bool:
        """Whether the file at this path is no longer the one that is open."""
        if self._writer is None:
            return False
        try:
            return self._path.stat().st_ino != self._inode
        except FileNotFoundError:
            return True

    def set_aside(self) -> None:
        """Close the file and rename it; the next use makes a new one."""
        self.close()
        self._path.replace(self._path.with_name(f"{self._path.name}.damaged-{time.time_ns()}"))
        self.discard()

    def discard(self) -> None:
        """Close and delete the file; the next use makes a new one."""
        self.close()
        for suffix in ("", "-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)

    def close(self) -> None:
        """Close all connections; safe to call twice, and before the first use."""
        with self._opening:
            self._close()

    def _close(self) -> None:
        while not self._readers.empty():
            self._readers.get().close()
        if self._writer is not None:
            with suppress(apsw.ThreadingViolationError):  # a cancelled call's thread is at work on it, and ends with it
                self._writer.close()
            self._writer = None


def _transact(connection: apsw.Connection, work: Callable[[apsw.Connection], T], begin: str = "BEGIN IMMEDIATE") -> T:
    """*work* inside one transaction, by default one that writes."""
    connection.execute(begin)
    try:
        result = work(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return result


def _use_wal(connection: apsw.Connection) -> None:
    """Switch to write-ahead logging; SQLite does not wait by itself for another process that does the same."""
    deadline = time.monotonic() + BUSY_SECONDS
    while connection.pragma("journal_mode") != "wal":
        try:
            connection.pragma("journal_mode", "wal")
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def _migrate(connection: apsw.Connection, migrations: Sequence[Migration], name: str) -> None:
    """Bring the schema up to date, each step with its number in one transaction."""
    if connection.pragma("user_version") == len(migrations):
        return

    def work(db: apsw.Connection) -> None:
        done = int(db.pragma("user_version"))
        if done > len(migrations):
            raise StorageError(f"{name} was written by a newer version of this program; upgrade to read it")
        for number, migration in enumerate(migrations[done:], done + 1):
            migration(db)
            db.pragma("user_version", number)

    _transact(connection, work)
