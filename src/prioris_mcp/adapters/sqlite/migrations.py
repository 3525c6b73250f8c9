"""Make the schema of a SQLite file, update it in numbered steps, and tell it from other programs'."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TypeVar

import apsw

from prioris_mcp.adapters.sqlite.connections import connect
from prioris_mcp.adapters.sqlite.database_file import (
    APPLICATION_ID,
    DamagedError,
    DatabaseFile,
    ForeignFileError,
    NewerError,
)

T = TypeVar("T")
Migration = Callable[[apsw.Connection], None]


def transact(connection: apsw.Connection, work: Callable[[apsw.Connection], T], begin: str = "BEGIN IMMEDIATE") -> T:
    """Run *work* inside one transaction, by default one that writes."""
    connection.execute(begin)
    try:
        result = work(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return result


def make(file: DatabaseFile, migrations: Sequence[Migration]) -> None:
    """Make the file under another name first: whoever sees it by its own sees it whole."""
    file.clear_unfinished()
    file.remove_companions()
    new = file.new()
    connection = connect(new.path)
    try:
        migrate(connection, migrations, file.name)
        connection.close()
        new.path.rename(file.path)
    except BaseException:
        connection.close()
        new.path.unlink(missing_ok=True)
        raise


def migrate(connection: apsw.Connection, migrations: Sequence[Migration], name: str) -> None:
    """Bring the schema up to date, each step with its number in one transaction."""
    if connection.pragma("user_version") == len(migrations):
        return

    def work(db: apsw.Connection) -> None:
        done = int(db.pragma("user_version"))
        if done > len(migrations):
            raise _newer(name)
        for number, migration in enumerate(migrations[done:], done + 1):
            migration(db)
            db.pragma("user_version", number)
        db.pragma("application_id", APPLICATION_ID)

    transact(connection, work)


def check(connection: apsw.Connection, migrations: Sequence[Migration], name: str) -> None:
    """Raise UnusableFileError where the file *name* lacks what its number says it has."""
    version = int(connection.pragma("user_version"))
    if version > len(migrations):
        raise _newer(name)
    wanted, found = _made_by(migrations[:version]), _names(connection)
    if not version or (wanted and wanted.isdisjoint(found)):
        raise ForeignFileError.of(name)
    if lacking := sorted(wanted - found):
        raise DamagedError.of(name, f"it lacks {', '.join(lacking)}")


def check_pages(connection: apsw.Connection, name: str) -> None:
    """Read every page of the file *name*. Raise DamagedError with the first thing that is wrong."""
    found = str(connection.execute("PRAGMA integrity_check(1)").get)
    if found != "ok":
        raise DamagedError.of(name, found)


def _newer(name: str) -> NewerError:
    return NewerError(f"{name} was written by a newer version of this program; upgrade to read it")


def _made_by(migrations: Sequence[Migration]) -> frozenset[str]:
    """Return the names of what these steps make."""
    with closing(apsw.Connection(":memory:")) as db:
        for migration in migrations:
            migration(db)
        return _names(db)


def _names(connection: apsw.Connection) -> frozenset[str]:
    """Return the tables, indexes and triggers of a file."""
    return frozenset(f"{kind} {name}" for kind, name in connection.execute("SELECT type, name FROM sqlite_schema"))
