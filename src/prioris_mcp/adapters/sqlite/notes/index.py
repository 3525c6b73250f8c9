"""Find notes by their words, in a file that can be thrown away at any time.

Its connections see ``notes.sqlite`` as well, so that one statement matches, filters, counts and ranks. Triggers there
number every change of a text; here stands the number of the last one that was applied.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import apsw

from prioris_mcp.adapters.sqlite import history
from prioris_mcp.adapters.sqlite.database_file import DamagedError
from prioris_mcp.adapters.sqlite.engine import Database, Run
from prioris_mcp.adapters.sqlite.fts.query import QueryFrontEnd
from prioris_mcp.adapters.sqlite.notes import query
from prioris_mcp.adapters.sqlite.notes.schema import SEARCH
from prioris_mcp.domain.changes import Position
from prioris_mcp.domain.folding import fold
from prioris_mcp.domain.notes.note import Note, NoteFilter
from prioris_mcp.domain.page import Page, PageRequest

T = TypeVar("T")

_BATCH = 1000
"""Number of notes indexed in one transaction."""
_TRIES = 5


class NotesSearchIndex:
    """Keep the full-text index of one `notes.sqlite`."""

    def __init__(self, path: Path, notes: Database) -> None:
        self._notes = notes
        self.database = Database(path, SEARCH, disposable=True, beside={"notes": notes})
        self._front_end = QueryFrontEnd("text")

    async def search(self, wanted: NoteFilter, keyword: str, page: PageRequest) -> Page[Note]:
        """Return one page of the best matches; complete as of some moment during the call."""
        expressions = self._front_end.plan(keyword).expressions

        def work(db: apsw.Connection) -> Page[Note] | None:
            return query.matching(db, expressions, wanted, page) if _here(db) == _there(db) else None

        for _ in range(_TRIES):
            found = await self._whole(self.database.read, work)
            if found is not None:
                return found
            await self._follow()
        return await self._whole(self.database.read, lambda db: query.matching(db, expressions, wanted, page))

    def close(self) -> None:
        """Close the file."""
        self.database.close()

    async def _follow(self) -> None:
        while await self._whole(self.database.write, _catch_up):
            pass

    async def _whole(self, run: Run[T], work: Callable[[apsw.Connection], T]) -> T:
        """Run *work*, and once again on a new file where this one is damaged, and not that of the notes."""
        try:
            return await run(work)
        except DamagedError:
            await self._notes.read(_there_alone)
            return await self.database.heal(run, work)


def _here(db: apsw.Connection) -> Position:
    """Return the last change that was applied."""
    [(library, number, session)] = db.execute("SELECT library, number, session FROM main.position")
    return Position(str(library), int(number), str(session))


def _there(db: apsw.Connection) -> Position:
    """Return the last change that there is."""
    return history.last(db, "notes")


def _there_alone(db: apsw.Connection) -> None:
    """Raise where it is the notes' own file that is damaged."""
    db.execute("SELECT max(number) FROM change").fetchall()


def _catch_up(db: apsw.Connection) -> bool:
    """Apply changes that are lacking, oldest first; return whether there are more."""
    here, there = _here(db), _there(db)
    if not history.knows(db, here, "notes"):
        db.execute("INSERT INTO word(word) VALUES ('delete-all')")
        here = Position(there.library)
    changes = db.execute(
        f"SELECT number, {history.session_of('number', 'notes')}, change.note, text"
        " FROM notes.change LEFT JOIN notes.note ON note.id = change.note"
        " WHERE number > ? ORDER BY number LIMIT ?",
        (here.number, _BATCH),
    )
    number, session = here.number, here.session
    for number, session, note, text in changes:  # noqa: B007 - the last one is where we are then
        db.execute("DELETE FROM word WHERE rowid = ?", (note,))
        if text is not None:
            db.execute("INSERT INTO word(rowid, text) VALUES (?, ?)", (note, fold(text)))
    db.execute("UPDATE main.position SET library = ?, number = ?, session = ?", (there.library, number, session))
    return number < there.number
