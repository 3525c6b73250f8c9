"""Keep notes in ``notes.sqlite``, with a full-text index in a file of its own beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import apsw

from prioris_mcp.adapters.sqlite import history
from prioris_mcp.adapters.sqlite.engine import Database
from prioris_mcp.adapters.sqlite.migrations import check_pages
from prioris_mcp.adapters.sqlite.notes import query, rows
from prioris_mcp.adapters.sqlite.notes.index import NotesSearchIndex
from prioris_mcp.adapters.sqlite.notes.schema import NOTES
from prioris_mcp.domain.changes import Changes, Position
from prioris_mcp.domain.instants import Instant
from prioris_mcp.domain.notes.note import MergeOutcome, Note, NoteChange, NoteFilter, merge
from prioris_mcp.domain.page import Page, PageRequest

_BATCH = 200


class SqliteNotesBackend:
    """Implement NotesBackend of ``ports/notes.py``."""

    def __init__(self, folder: Path) -> None:
        self.database = Database(folder / "notes.sqlite", NOTES, numbered=True)
        self.index = NotesSearchIndex(folder / "notes-search.sqlite3", self.database)

    async def create(self, note: Note) -> None:
        await self.database.write(lambda db: rows.put(db, note))

    async def read(self, note_id: str) -> Note | None:
        return await self.database.read(lambda db: rows.find(db, note_id))

    async def update(self, note_id: str, change: NoteChange, now: Instant) -> Note | None:
        def work(db: apsw.Connection) -> Note | None:
            before = rows.find(db, note_id)
            if before is None:
                return None
            after = change.applied(before, now)
            if after is not before:
                rows.put(db, after)
            return after

        return await self.database.write(work)

    async def delete(self, note_id: str) -> bool:
        return await self.database.write(lambda db: rows.remove(db, note_id))

    async def search(self, wanted: NoteFilter, keyword: str | None, page: PageRequest) -> Page[Note]:
        if keyword is not None:
            return await self.index.search(wanted, keyword, page)
        return await self.database.read(lambda db: query.newest(db, wanted, page))

    async def ids(self, wanted: NoteFilter) -> frozenset[str]:
        return await self.database.read(lambda db: query.ids(db, wanted))

    async def changes(self, after: Position, most: int) -> Changes[str]:
        return await self.database.read(lambda db: rows.changes(db, after, most))

    async def batch(self, after: str, most: int) -> tuple[Note, ...]:
        return await self.database.read(lambda db: rows.after(db, after, most))

    async def position(self) -> Position:
        return await self.database.read(history.last)

    async def merge(self, notes: Sequence[Note], now: Instant, since: Position) -> tuple[MergeOutcome, ...]:
        return await self.database.write(lambda db: tuple(_merged(db, note, now, since) for note in notes))

    async def sound(self) -> tuple[int, tuple[str, ...]]:
        """Return how many notes there are, and which are damaged. Raise UnusableFileError where their file is.

        Look at every page of the file and at every note.
        """
        await self.database.read(lambda db: check_pages(db, "notes.sqlite"))
        count, damaged, last = 0, list[str](), ""
        while notes := await self.batch(last, _BATCH):
            count, last = count + len(notes), notes[-1].id
            damaged += [f"{note.id} ({note.damaged})" for note in notes if note.damaged]
        return count, tuple(damaged)

    def close(self) -> None:
        """Close both files."""
        self.index.close()
        self.database.close()


def _merged(db: apsw.Connection, there: Note, now: Instant, since: Position) -> MergeOutcome:
    here = rows.find(db, there.id)
    if here is None and rows.was_deleted(db, there.id, since):
        return MergeOutcome.DELETED
    merged = merge(here, there, now)
    if merged.note is not here:
        rows.put(db, merged.note)
    return merged.fate
