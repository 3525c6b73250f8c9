"""Look at the file of one database: whether it is still the one that is open, and whether it is ours at all."""

from __future__ import annotations

import os
import re
import secrets
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from types import ModuleType

from prioris_mcp.errors import StorageError

APPLICATION_ID = 0x5052494F
"""Mark in the header of every database of this program: "PRIO"."""

_MAGIC = b"SQLite format 3\x00"
_APPLICATION_ID_AT = 68
_HEADER = 100
_LOG, _SHARED = "-wal", "-shm"

_PATIENCE_SECONDS, _POLL_SECONDS = 10.0, 0.01
Stamp = tuple[int, int]
"""Hold the time of the last write, and the size in bytes."""
Identity = tuple[int, int]
"""Hold device and inode, which tell a file from another that was put in its place."""


class UnusableFileError(StorageError):
    """Tell that a database's file cannot be used; nothing was written into it."""


class DamagedError(UnusableFileError):
    """Tell that the file is no database, or that its contents make no sense."""

    @classmethod
    def of(cls, name: str, what: str) -> DamagedError:
        """Return an error that says *what* is wrong with the file, and where help is."""
        return cls(f"{name} is damaged ({what}); prioris-mcp doctor says what to do")


class ForeignFileError(UnusableFileError):
    """Tell that the file is another program's, or no file at all."""

    @classmethod
    def of(cls, name: str) -> ForeignFileError:
        """Return an error that says whose the file is not, and what to do."""
        return cls(
            f"{name} is a database of another program, and nothing was written into it; move it away, or name another"
            " folder"
        )


class NewerError(UnusableFileError):
    """Tell that the file was written by a newer version of this program."""


@dataclass(frozen=True, slots=True)
class DatabaseFile:
    """Name where a database lies, with SQLite's two files beside it."""

    path: Path

    @property
    def name(self) -> str:
        """Return the file's name, which messages may show."""
        return self.path.name

    def identity(self) -> Identity | None:
        """Return which file is there now; None for none."""
        return _identity(self.path)

    def log_identity(self) -> Identity | None:
        """Return which file is there now as SQLite's log."""
        return _identity(self._beside(_LOG))

    def stamp(self) -> Stamp | None:
        """Return what changes when something is written into the file; None where it is not there."""
        try:
            found = self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        return found.st_mtime_ns, found.st_size

    def companions(self) -> dict[Path, Identity | None]:
        """Return SQLite's log and index of the log, each with the file that is there now."""
        paths = (self._beside(_LOG), self._beside(_SHARED))
        return {path: _identity(path) for path in paths}

    def check(self) -> bool:
        """Return whether a database is there. Raise UnusableFileError for what this program cannot have written.

        Open nothing for writing, because a foreign file is not to be touched.
        """
        try:
            found = self.path.stat()
        except FileNotFoundError:
            if self.path.is_symlink():
                raise ForeignFileError(f"{self.name} is a link that leads nowhere; remove it or mend it") from None
            return False
        if not S_ISREG(found.st_mode):
            raise ForeignFileError(f"{self.name} is no regular file; move it away, or name another folder")
        if found.st_size == 0:
            raise ForeignFileError(
                f"{self.name} is empty (0 bytes), as a failed copy leaves it; put a backup in its place, or remove it"
                " to begin with a new one"
            )
        with self.path.open("rb") as file:
            header = file.read(_HEADER)
        if not header.startswith(_MAGIC):
            raise DamagedError.of(self.name, "its beginning is no database's")
        number = int.from_bytes(header[_APPLICATION_ID_AT : _APPLICATION_ID_AT + 4], "big")
        if number not in (0, APPLICATION_ID):
            raise ForeignFileError.of(self.name)
        return True

    def is_marked(self) -> bool:
        """Return whether the file says that it is this program's. Older versions did not write that."""
        with suppress(OSError), self.path.open("rb") as file:
            header = file.read(_HEADER)
            return header.startswith(_MAGIC) and header[_APPLICATION_ID_AT:].startswith(
                APPLICATION_ID.to_bytes(4, "big")
            )
        return False

    def new(self) -> DatabaseFile:
        """Return a place beside this one for a database that is being made."""
        return DatabaseFile(self.path.with_name(f"{self.name}.new-{secrets.token_hex(6)}"))

    def clear_unfinished(self) -> None:
        """Remove what a process left that was killed while it made the database."""
        unfinished = re.compile(re.escape(self.name) + r"\.new-[0-9a-f]{12}(-wal|-shm|-journal)?")
        for path in self.path.parent.iterdir():
            if unfinished.fullmatch(path.name) and not path.is_symlink() and path.is_file():
                path.unlink(missing_ok=True)

    def move_aside(self, why: str) -> str:
        """Rename what is there, remove SQLite's two files of it, and return the new name."""
        target = self.path.with_name(f"{self.name}.{why}-{time.time_ns()}")
        self.path.rename(target)
        self.remove_companions()
        return target.name

    def remove(self) -> None:
        """Delete the database and SQLite's two files of it; keep what is no regular file."""
        if _identity(self.path) and not self.path.is_symlink() and self.path.is_file():
            self.path.unlink(missing_ok=True)
        self.remove_companions()

    def remove_companions(self, known: dict[Path, Identity | None] | None = None) -> None:
        """Delete SQLite's two files; with *known* only where they are still those."""
        for path, identity in self.companions().items():
            if identity and not path.is_symlink() and path.is_file() and (known is None or known[path] == identity):
                path.unlink(missing_ok=True)

    @contextmanager
    def alone(self) -> Generator[None]:
        """Let no other process open, make or throw away a database in this folder during the block.

        Go on without after waiting for longer than any of that takes: the holder was stopped. Do nothing on Windows,
        where an open file cannot be removed or replaced.
        """
        if sys.platform == "win32":
            yield
            return
        import fcntl  # noqa: PLC0415 - not on Windows

        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            deadline = time.monotonic() + _PATIENCE_SECONDS
            with suppress(OSError):  # some network disks have no such locks; then the processes take their chance
                while not _locked(folder, fcntl) and time.monotonic() < deadline:
                    time.sleep(_POLL_SECONDS)
            yield
        finally:
            os.close(folder)

    def _beside(self, suffix: str) -> Path:
        return self.path.with_name(self.name + suffix)


def _locked(folder: int, fcntl: ModuleType) -> bool:
    """Return whether the folder is ours alone now. Raise OSError where there are no such locks."""
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _identity(path: Path) -> Identity | None:
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino
