"""Keep notes, and copy them to and from a folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from prioris_mcp.domain.changes import Position
from prioris_mcp.domain.instants import Instant
from prioris_mcp.domain.notes.files import NoteFile
from prioris_mcp.domain.notes.note import MergeOutcome, Note, NoteChange, NoteFilter
from prioris_mcp.domain.page import Page, PageRequest
from prioris_mcp.ports.changes import ChangeLog


class NotesBackend(ChangeLog[str], Protocol):
    """Keep notes by their id.

    Make every operation one step, whole or not at all, among all processes on one store. Keep what was acknowledged
    when the process ends. Raise StorageError where the disk fails.

    Example::

        await backend.create(note)
        found = await backend.search(NoteFilter(), "attention", PageRequest(0, 10))
    """

    async def create(self, note: Note) -> None:
        """Store *note*, whose id is new."""
        ...

    async def read(self, note_id: str) -> Note | None:
        """Return the note; None where none has this id."""
        ...

    async def update(self, note_id: str, change: NoteChange, now: Instant) -> Note | None:
        """Apply *change* to the stored note, and return the note that results; None where there is none.

        Let two updates at once each change their own fields; keep the later value where they change the same field.
        """
        ...

    async def delete(self, note_id: str) -> bool:
        """Delete the note; return False where there is none."""
        ...

    async def search(self, wanted: NoteFilter, keyword: str | None, page: PageRequest) -> Page[Note]:
        """Return one page of the notes that *wanted* and *keyword* select, with the exact total.

        Order them newest first by ``created_at``, and by the last stored first where that is equal. With *keyword*,
        which is looked for in the text, put the best match first. Find all that was acknowledged before, whatever
        happened to an index.

        Raise InvalidRequestError where *keyword* has nothing that can be searched for.
        """
        ...

    async def ids(self, wanted: NoteFilter) -> frozenset[str]:
        """Return the ids of all notes that *wanted* selects."""
        ...

    async def batch(self, after: str, most: int) -> tuple[Note, ...]:
        """Return the first *most* notes whose ids come after *after*, in the order of their ids."""
        ...

    async def position(self) -> Position:
        """Return the position of the last change to any text."""
        ...

    async def merge(self, notes: Sequence[Note], now: Instant, since: Position) -> tuple[MergeOutcome, ...]:
        """Merge *notes* from files as `domain.notes.merge` says, and return the outcome for each.

        Store a new note with the id, timestamps and fields as given. Keep a note deleted that was deleted after
        *since*, the position when reading of the files began.
        """
        ...


class NoteFolder(Protocol):
    """Read and write a folder of Markdown files that hold one note each; people change it as well.

    Example::

        for file in await folder.holdings():
            note = await folder.read(file.name)
    """

    async def holdings(self) -> tuple[NoteFile, ...]:
        """Return every Markdown file in and below the folder by name, but no hidden one; none without a folder."""
        ...

    async def read(self, name: str) -> Note:
        """Return the note in a file. Raise InvalidRequestError, with the reason, where it holds no valid note."""
        ...

    async def write(self, name: str, note: Note, *, new: bool) -> None:
        """Make the file *name* hold exactly *note*, whole or not at all.

        Raise InvalidRequestError where the file is to be *new* and the name is taken.
        """
        ...
