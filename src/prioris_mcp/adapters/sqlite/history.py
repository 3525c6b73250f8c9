"""Number the changes of a durable file, as an index that follows them sees them.

A number alone does not tell one history from another: a backup that is put back counts on from where it was made. So
every program that writes begins a session with a random name, and a place in the history is a number with the name of
its session. An index whose place is not in the history that is there now begins anew.

The file has the tables ``library(id)``, ``change(number, …)`` and ``session(first, name)``; functions here run inside a
transaction that the caller opened.
"""

from __future__ import annotations

import time
from contextlib import closing

import apsw

from prioris_mcp.adapters.sqlite.connections import alone
from prioris_mcp.adapters.sqlite.database_file import DatabaseFile, Stamp
from prioris_mcp.domain.changes import Position
from prioris_mcp.errors import StorageBusyError

_TRIES, _PAUSE_SECONDS = 50, 0.02


def create(db: apsw.Connection) -> None:
    """Create the table of sessions; what was numbered before belongs to none."""
    db.execute("CREATE TABLE session(first INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT")


def begin(db: apsw.Connection) -> None:
    """Give the changes from the next one on to a session of their own."""
    db.execute(
        "INSERT OR REPLACE INTO session SELECT 1 + ifnull(max(number), 0), lower(hex(randomblob(8))) FROM change"
    )


def session_of(number: str, schema: str = "main") -> str:
    """Return SQL for the name of the session of the change *number*, an expression; "" for none."""
    return (
        f"ifnull((SELECT name FROM {schema}.session WHERE first <= {number} AND {number} > 0"
        " ORDER BY first DESC LIMIT 1), '')"
    )


def last(db: apsw.Connection, schema: str = "main") -> Position:
    """Return the position of the last change."""
    [(library, number)] = db.execute(
        f"SELECT id, (SELECT ifnull(max(number), 0) FROM {schema}.change) FROM {schema}.library"
    )
    return Position(str(library), int(number), _session(db, int(number), schema))


def knows(db: apsw.Connection, place: Position, schema: str = "main") -> bool:
    """Return whether *place* is one of this history."""
    now = last(db, schema)
    same = place.library == now.library and place.number <= now.number
    return same and place.session == _session(db, place.number, schema)


def _session(db: apsw.Connection, number: int, schema: str) -> str:
    found: str = db.execute(f"SELECT {session_of('?1', schema)}", (number,)).get
    return found


def begin_anew(db: apsw.Connection) -> None:
    """Let an index whose rows would be other ones today follow its library from the first change."""
    db.execute("UPDATE position SET library = '', number = 0, session = ''")


def add_session(db: apsw.Connection) -> None:
    """Let an index remember the session of the change that it applied last."""
    db.execute("ALTER TABLE position ADD COLUMN session TEXT NOT NULL DEFAULT ''")


class Watch:
    """Know how far the file alone is, without its log, and so whether it was copied over where it lies.

    SQLite writes into the file when it plays the log into it: then what was there is still part of its history.
    """

    def __init__(self, file: DatabaseFile) -> None:
        self._file = file
        self._seen: Stamp | None = None
        self._last = Position()

    def begin(self) -> None:
        """Remember what is there now."""
        self._seen, self._last, _ = self._look(Position())

    def overwritten(self) -> bool:
        """Return whether something else is there now. Raise UnusableFileError where that is of no use."""
        if self._file.stamp() == self._seen:
            return False
        self._file.check()
        self._seen, self._last, known = self._look(self._last)
        return not known

    def _look(self, before: Position) -> tuple[Stamp | None, Position, bool]:
        """Return the file's stamp and last change while nobody writes, and whether it has *before*."""
        for _ in range(_TRIES):
            stamp = self._file.stamp()
            try:
                with closing(alone(self._file.path)) as db:
                    found, known = last(db), before == Position() or knows(db, before)
            except apsw.SQLError:  # of an older layout, the newer one still in the log; or of another program
                found, known = Position(), before == Position()
            except apsw.Error:
                time.sleep(_PAUSE_SECONDS)
                continue
            if stamp == self._file.stamp():
                return stamp, found, known
        raise StorageBusyError(f"{self._file.name} is being written by another program; try again in a minute")
