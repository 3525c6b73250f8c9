"""Open one SQLite file: one writer that queues, readers that do not wait for it.

APSW rather than the standard library's module: it carries its own SQLite, the same on every Python.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

import anyio
import apsw
from anyio import to_thread

from prioris_mcp.adapters.sqlite import history
from prioris_mcp.adapters.sqlite.connections import BUSY_SECONDS, attach, connect, use_wal
from prioris_mcp.adapters.sqlite.database_file import (
    DamagedError,
    DatabaseFile,
    Identity,
    NewerError,
    UnusableFileError,
)
from prioris_mcp.adapters.sqlite.failures import translated
from prioris_mcp.adapters.sqlite.migrations import Migration, check, check_pages, make, migrate, transact
from prioris_mcp.errors import StorageBusyError, StorageError

T = TypeVar("T")
Run = Callable[[Callable[[apsw.Connection], T]], Awaitable[T]]

_READERS = 3
_FILE, _LOG = "", "-wal"
_log = logging.getLogger(__name__)


class Database:
    """Keep a file with its schema, opened at first use: a broken disk fails a call and not the start.

    Check before each use that the file is still the one that is open. Open one that was put in its place; fail for a
    removed one that may not be lost, until it is back or the program starts again.
    """

    def __init__(
        self,
        path: Path,
        migrations: Sequence[Migration],
        *,
        disposable: bool = False,
        beside: Mapping[str, Database] | None = None,
        numbered: bool = False,
    ) -> None:
        """Name a file; nothing is opened yet.

        *disposable*: it may be lost. A commit need not survive a power cut, and a file that is removed, damaged, of a
        newer version or not ours is made anew; what is not surely ours is moved aside before. *beside*: other files, by
        the names under which statements can read them as well. *numbered*: its changes are, as `history` says: a
        session is begun with the first write, and a file that was overwritten where it lies is noticed by its numbers.
        """
        self._file = DatabaseFile(path)
        self._beside = beside or {}
        self._disposable, self._numbered, self._begun = disposable, numbered, False
        self._watch = history.Watch(self._file)
        self._migrations = migrations
        self._writer: apsw.Connection | None = None
        self._identities: dict[str, Identity | None] = {}
        self._companions: dict[Path, Identity | None] = {}
        self._log_size = 0
        self._readers: queue.SimpleQueue[apsw.Connection] = queue.SimpleQueue()
        self._opening = threading.RLock()
        self._write_turn = anyio.Lock(fast_acquire=True)
        self._read_turn = anyio.CapacityLimiter(_READERS)

    async def write(self, work: Callable[[apsw.Connection], T], *, makes_room: bool = False) -> T:
        """Run *work* in one transaction, alone among all processes; all of it holds, or none.

        Raise StorageBusyError where the file was replaced meanwhile, so that nobody believes what went into the old
        one. With *makes_room* run it once more on a full disk, after the log has been played into the file: the room
        that the log takes then serves again.
        """

        def begun(db: apsw.Connection) -> T:
            if self._numbered and not self._begun:
                history.begin(db)
            return work(db)

        def run() -> T:
            with self._opening:
                writer, identities = self._opened(), self._identities
            try:
                result = transact(writer, begun)
            except apsw.FullError:
                if not makes_room:
                    raise
                writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
                result = transact(writer, begun)
            self._begun = True
            if not self._disposable and self._looked_at() != identities:
                raise StorageBusyError(f"{self._file.name} was replaced while it was written; ask again")
            return result

        async with self._write_turn:
            return await to_thread.run_sync(self._translated, run, "written")

    async def read(self, work: Callable[[apsw.Connection], T]) -> T:
        """Run *work* on one consistent view of the data."""

        def run() -> T:
            readers, reader = self._reader()
            try:
                return transact(reader, work, "BEGIN")
            finally:
                readers.put(reader)

        return await to_thread.run_sync(self._translated, run, "read", limiter=self._read_turn)

    async def settle(self) -> None:
        """Play the log into the file where nothing was written since the last call: the file alone is then whole.

        Give whoever copies it everything. Wait for no readers and writers elsewhere.
        """
        async with self._write_turn:
            with suppress(StorageError):  # the next time
                await to_thread.run_sync(self._translated, self._settle, "settled")

    async def heal(self, run: Run[T], work: Callable[[apsw.Connection], T]) -> T:
        """Run *work* by `read` or `write` of this disposable file, once more on a new one where this is damaged."""
        try:
            return await run(work)
        except DamagedError:
            await to_thread.run_sync(self.discard)
            return await run(work)

    def examine(self) -> str:
        """Return what is wrong with the file as it lies there, in one sentence; "" for nothing or no file."""
        try:
            if not self._file.check():
                return ""
            with closing(connect(self._file.path)) as db:
                check(db, self._migrations, self._file.name)
                check_pages(db, self._file.name)
        except UnusableFileError as exc:
            return str(exc)
        except (apsw.Error, OSError) as exc:
            return str(DamagedError.of(self._file.name, str(exc)))
        return ""

    def _translated(self, run: Callable[[], T], verb: str) -> T:
        with translated(self._file.name, verb):
            return run()

    def _settle(self) -> None:
        with self._opening:
            writer, [log, _] = self._writer, self._file.companions()
        size = log.stat().st_size if writer is not None and log.is_file() else 0
        if writer is not None and size and size == self._log_size:
            writer.set_busy_timeout(0)
            try:
                writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            finally:
                writer.set_busy_timeout(BUSY_SECONDS * 1000)
        self._log_size = size

    def _reader(self) -> tuple[queue.SimpleQueue[apsw.Connection], apsw.Connection]:
        """Return a reader and where to put it back: one that is out while the file is replaced is not used again."""
        with self._opening:
            self._opened()
            return self._readers, self._readers.get()

    def _opened(self) -> apsw.Connection:
        """Return the writer of the file that is at this path now. Call it under the lock."""
        if self._writer is not None and self._looked_at() != self._identities:
            self._leave_old_file()
        if self._writer is not None and self._numbered and self._watch.overwritten():
            # The log belongs to what was there before: played into what is there now it would make neither.
            self._leave(keep_log=True)
        if self._writer is None:
            for other in self._beside.values():  # before the folder is taken, which may be theirs as well
                with other._opening:
                    other._opened()
            self._file.path.parent.mkdir(parents=True, exist_ok=True)
            with self._file.alone():
                self._open()
        assert self._writer is not None  # noqa: S101 - for the type checker: `_open` has set it
        return self._writer

    def _looked_at(self) -> dict[str, Identity | None]:
        """Return which files lie at this path, as its log, and at the paths beside it."""
        beside = {name: other._file.identity() for name, other in self._beside.items()}
        return {_FILE: self._file.identity(), _LOG: self._file.log_identity(), **beside}

    def _leave_old_file(self) -> None:
        """Close connections to a file that has left this path. Raise StorageError where it may not be lost.

        Put what was committed into the old file, wherever that is now. SQLite would remove its log by name when the
        last connection closes, though the file of that name may be another's by then.
        """
        now, then = self._looked_at(), self._identities
        if now[_FILE] is None and not self._disposable:
            raise StorageError(
                f"{self._file.name} is no longer in its folder; put it back, or start this program again to begin"
                " with a new one"
            )
        moved = now[_FILE] != then[_FILE]
        if self._writer is not None and (moved or now[_LOG] is None):
            with suppress(apsw.Error):
                self._writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        self._leave(keep_log=moved or now[_LOG] != then[_LOG])

    def _leave(self, *, keep_log: bool) -> None:
        """Close; with *keep_log* remove SQLite's files only where they are still those of what was open."""
        self._close(keep_log=keep_log)
        if keep_log:
            self._file.remove_companions(self._companions)

    def _open(self) -> None:
        """Open all connections, on a new file where there is none or where a disposable one is of no use."""
        try:
            self._open_file()
        except (UnusableFileError, apsw.CorruptError, apsw.NotADBError) as exc:
            if not self._disposable:
                raise
            self._close()
            self._set_aside_or_remove(exc)
            self._open_file()

    def _set_aside_or_remove(self, exc: Exception) -> None:
        """Make room for a new file: remove ours, which is of no use, and only rename anything else."""
        name = self._file.name
        if self._file.is_marked() and not isinstance(exc, NewerError):
            self._file.remove()
            _log.warning("%s was damaged and is made anew: %s", name, exc)
        else:
            _log.warning("%s was moved aside, to %s, and is made anew: %s", name, self._file.move_aside("unused"), exc)

    def _open_file(self) -> None:
        if not self._file.check():
            make(self._file, self._migrations)
        writer = connect(self._file.path)
        try:
            check(writer, self._migrations, self._file.name)
            use_wal(writer)
            writer.pragma("synchronous", "normal" if self._disposable else "full")
            migrate(writer, self._migrations, self._file.name)
            readers = [connect(self._file.path, readonly=True) for _ in range(_READERS)]
            self._attach_to(writer, *readers)
        except BaseException:
            writer.close()
            raise
        self._readers = queue.SimpleQueue()
        for reader in readers:
            self._readers.put(reader)
        self._writer, self._begun = writer, False
        self._identities, self._companions = self._looked_at(), self._file.companions()
        if self._numbered:
            self._watch.begin()

    def _attach_to(self, *connections: apsw.Connection) -> None:
        for name, other in self._beside.items():
            for connection in connections:
                attach(connection, other._file.path, name)

    def set_aside(self) -> str:
        """Close the file, rename it, and return the name that it has now; the next use makes a new one."""
        self.close()
        with self._file.alone():
            return self._file.move_aside("damaged")

    def discard(self) -> None:
        """Close and delete the file; the next use makes a new one. Only rename what is not surely ours."""
        self.close()
        with suppress(FileNotFoundError), self._file.alone():
            if self._file.is_marked():
                self._file.remove()
            elif self._file.path.exists() or self._file.path.is_symlink():
                self._file.move_aside("unused")
            else:
                self._file.remove_companions()

    def close(self) -> None:
        """Close all connections; safe to call twice, and before the first use."""
        with self._opening:
            self._close()

    def _close(self, *, keep_log: bool = False) -> None:
        """Close all connections; with *keep_log* do not let SQLite touch its log by name."""
        connections = [self._writer] if self._writer is not None else []
        while not self._readers.empty():
            connections.insert(0, self._readers.get())
        for connection in connections:
            with suppress(apsw.ThreadingViolationError):  # a cancelled call's thread is at work on it, and ends with it
                if keep_log:
                    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
                connection.close()
        self._writer = None
