"""The numbered changes of a durable file, as an index that follows them sees them.

A number alone does not tell one history from another: a backup that is put back counts on from where it was made.
So every program that writes begins a session with a random name, and a place in the history is a number with the
name of its session. An index whose place is not in the history that is there now begins anew.

The file has the tables ``library(id)``, ``change(number, …)`` and ``session(first, name)``; functions here run
inside a transaction that the caller opened.
"""

from __future__ import annotations

import apsw

from prioris_mcp.domain.library import Position


def create(db: apsw.Connection) -> None:
    """The table of sessions; what was numbered before belongs to none."""
    db.execute("CREATE TABLE session(first INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT")


def begin(db: apsw.Connection) -> None:
    """Give the changes from the next one on to a session of their own."""
    db.execute(
        "INSERT OR REPLACE INTO session SELECT 1 + ifnull(max(number), 0), lower(hex(randomblob(8))) FROM change"
    )


def session_of(number: str, schema: str = "main") -> str:
    """SQL for the name of the session that the change *number*, an expression, belongs to; "" for none."""
    return (
        f"ifnull((SELECT name FROM {schema}.session WHERE first <= {number} AND {number} > 0"
        " ORDER BY first DESC LIMIT 1), '')"
    )


def last(db: apsw.Connection, schema: str = "main") -> Position:
    """The place of the last change."""
    [(library, number)] = db.execute(
        f"SELECT id, (SELECT ifnull(max(number), 0) FROM {schema}.change) FROM {schema}.library"
    )
    return Position(str(library), int(number), _session(db, int(number), schema))


def knows(db: apsw.Connection, place: Position, schema: str = "main") -> bool:
    """Whether *place* is one of this history."""
    now = last(db, schema)
    same = place.library == now.library and place.number <= now.number
    return same and place.session == _session(db, place.number, schema)


def _session(db: apsw.Connection, number: int, schema: str) -> str:
    found: str = db.execute(f"SELECT {session_of('?1', schema)}", (number,)).get
    return found
