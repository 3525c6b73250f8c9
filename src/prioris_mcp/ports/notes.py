"""What the application asks of the place where notes are kept, and of a folder that they are copied to."""

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
    """Notes by their id.

    Every operation is one step, whole or not at all, among all processes on one store; what it has
    acknowledged outlives the process. Failures of the disk are StorageError.
    """

    async def create(self, note: Note) -> None:
        """Keep *note*, whose id is new."""
        ...

    async def read(self, note_id: str) -> Note | None:
        """The note; None where none has this id."""
        ...

    async def update(self, note_id: str, change: NoteChange, now: Instant) -> Note | None:
        """Apply *change* to the note as it is then, and return what it has become; None where there is none.

        Of two that update at once, each changes its own fields; of one field the later value stays.
        """
        ...

    async def delete(self, note_id: str) -> bool:
        """Remove the note; False where there is none."""
        ...

    async def search(self, wanted: NoteFilter, keyword: str | None, page: PageRequest) -> Page[Note]:
        """The notes that *wanted* and *keyword* name, with the exact total.

        Newest first by ``created_at``, the one kept last first where those are equal; with *keyword*, which is
        looked for in the text, the best match first. InvalidRequestError where *keyword* has nothing that can
        be searched for. Finds what was acknowledged before, whatever happened to any index.
        """
        ...

    async def ids(self, wanted: NoteFilter) -> frozenset[str]:
        """The ids of all notes that *wanted* names."""
        ...

    async def batch(self, after: str, most: int) -> tuple[Note, ...]:
        """The first *most* notes whose ids come after *after*, in the order of their ids."""
        ...

    async def position(self) -> Position:
        """The last change to any text."""
        ...

    async def merge(self, notes: Sequence[Note], now: Instant, since: Position) -> tuple[MergeOutcome, ...]:
        """Bring in *notes* that come from files, each as `domain.notes.merge` says; what became of each.

        A note that comes in has its id, its timestamps, and everything else as given. One that was deleted after
        *since*, when the files were begun to be read, stays deleted.
        """
        ...


class NoteFolder(Protocol):
    """A folder of Markdown files that hold one note each. People and their programs change it as well."""

    async def holdings(self) -> tuple[NoteFile, ...]:
        """Every Markdown file in it and below, but for hidden ones, by name; none where there is no folder."""
        ...

    async def read(self, name: str) -> Note:
        """The note in a file; InvalidRequestError with a reason where it holds none that can be understood."""
        ...

    async def write(self, name: str, note: Note, *, new: bool) -> None:
        """Make *name* hold exactly *note*, whole or not at all.

        InvalidRequestError where it is to be *new*, and a file has that name already.
        """
        ...
