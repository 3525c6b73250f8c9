"""Copy notes to a folder of Markdown files, and bring them back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from prioris_mcp.domain.changes import Position
from prioris_mcp.domain.instants import Instant
from prioris_mcp.domain.notes.files import FileResult, file_name
from prioris_mcp.domain.notes.limits import check_content
from prioris_mcp.domain.notes.note import MergeOutcome, Note, merge
from prioris_mcp.errors import InvalidRequestError, PriorisError, StorageError
from prioris_mcp.ports.notes import NoteFolder, NotesBackend

_BATCH = 200


@dataclass(frozen=True, slots=True)
class _Incoming:
    name: str
    note: Note


class NoteFiles:
    """Export notes to a folder and import them; a second run changes nothing, and a dry run nothing at all.

    Report a file that cannot be read or written, and go on with the others.
    """

    def __init__(self, backend: NotesBackend, now: Callable[[], Instant]) -> None:
        self._backend, self._now = backend, now

    async def export(self, folder: NoteFolder, *, dry_run: bool = False) -> tuple[FileResult, ...]:
        """Write every note into a file. Keep a file that says more than the store does: import it first."""
        files = {filed.id: filed.name for filed in await folder.holdings() if filed.id}
        return tuple([await _exported(folder, note, files.get(note.id), dry_run) async for note in self._all()])

    async def import_(self, folder: NoteFolder, *, dry_run: bool = False) -> tuple[FileResult, ...]:
        """Read every file into the store, as `domain.notes.merge` says; keep deleted what is deleted meanwhile."""
        began = await self._backend.position()
        moved: list[FileResult] = []
        batch: list[_Incoming] = []
        seen: dict[str, str] = {}
        for filed in await folder.holdings():
            try:
                batch.append(_Incoming(filed.name, _once(_checked(await folder.read(filed.name)), filed.name, seen)))
            except PriorisError as exc:
                moved.append(FileResult(filed.name, MergeOutcome.FAILED, exc))
            if len(batch) == _BATCH:
                moved += await self._imported(batch, began, dry_run)
                batch = []
        return (*moved, *(await self._imported(batch, began, dry_run)))

    async def _imported(self, batch: list[_Incoming], began: Position, dry_run: bool) -> list[FileResult]:
        now, notes = self._now(), [item.note for item in batch]
        if dry_run:
            fates = [merge(await self._backend.read(note.id), note, now).fate for note in notes]
        else:
            fates = list(await self._backend.merge(notes, now, began))
        return [FileResult(item.name, fate) for item, fate in zip(batch, fates, strict=True)]

    async def _all(self) -> AsyncIterator[Note]:
        last = ""
        while notes := await self._backend.batch(last, _BATCH):
            for note in notes:
                yield note
            last = notes[-1].id


async def _exported(folder: NoteFolder, note: Note, name: str | None, dry_run: bool) -> FileResult:
    """Write one note; the file that it has already keeps its name."""
    try:
        fate = MergeOutcome.CREATED if name is None else _fate(note, await folder.read(name))
        name = name or file_name(note)
        if fate in (MergeOutcome.CREATED, MergeOutcome.REPLACED) and not dry_run:
            await folder.write(name, note, new=fate is MergeOutcome.CREATED)
    except (InvalidRequestError, StorageError) as exc:
        return FileResult(name or file_name(note), MergeOutcome.FAILED, exc)
    return FileResult(name, fate)


def _fate(here: Note, there: Note) -> MergeOutcome:
    if there == here:
        return MergeOutcome.UNCHANGED
    if there.updated_at < here.updated_at:
        return MergeOutcome.REPLACED
    return MergeOutcome.KEPT


def _checked(note: Note) -> Note:
    check_content(note.content)
    return note


def _once(note: Note, name: str, seen: dict[str, str]) -> Note:
    first = seen.setdefault(note.id, name)
    if first != name:
        raise InvalidRequestError(f"it has the same id as {first}; give it another, or remove one of the two")
    return note
