"""Open connections to a SQLite file, as every store here wants them."""

from __future__ import annotations

import time
from pathlib import Path

import apsw

BUSY_SECONDS = 30
_NEEDED_OPTIONS = ("ENABLE_FTS5",)


def connect(path: Path, *, readonly: bool = False) -> apsw.Connection:
    """Open the file at *path*, waiting for other programs that are at work on it."""
    flags = apsw.SQLITE_OPEN_READONLY if readonly else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    connection = apsw.Connection(str(path), flags=flags | apsw.SQLITE_OPEN_URI)
    connection.set_busy_timeout(BUSY_SECONDS * 1000)
    connection.pragma("foreign_keys", True)
    return connection


def alone(path: Path) -> apsw.Connection:
    """Open the file at *path* to read it as it lies there, without its log and without locks."""
    return apsw.Connection(
        f"{path.absolute().as_uri()}?immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    )


def attach(connection: apsw.Connection, path: Path, name: str) -> None:
    """Let statements read the file at *path* under *name*; nothing can write to it this way."""
    connection.execute(f"ATTACH ? AS {name}", (f"{path.absolute().as_uri()}?mode=ro",))


def use_wal(connection: apsw.Connection) -> None:
    """Switch to write-ahead logging; SQLite does not wait by itself for another process that does the same."""
    deadline = time.monotonic() + BUSY_SECONDS
    while connection.pragma("journal_mode") != "wal":
        try:
            connection.pragma("journal_mode", "wal")
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def missing_options() -> list[str]:
    """Return the compile options that the library's databases need and this SQLite lacks."""
    return [option for option in _NEEDED_OPTIONS if option not in apsw.compile_options]


def sqlite_version() -> str:
    """Return SQLite's own version, and that of the binding."""
    return f"SQLite {apsw.sqlite_lib_version()} (apsw {apsw.apsw_version()})"
