"""Keep notes in memory: for tests, and the shortest statement of what a NotesBackend does."""

from __future__ import annotations

import re
from collections.abc import Sequence

from prioris_mcp.domain.changes import Change, Changes, Position
from prioris_mcp.domain.instants import Instant
from prioris_mcp.domain.notes.note import AuthorFilter, MergeOutcome, Note, NoteChange, NoteFilter, merge
from prioris_mcp.domain.page import Page, PageRequest
from prioris_mcp.errors import InvalidRequestError

_LIBRARY = "memory"


class MemoryNotesBackend:
    """Implement NotesBackend with plain words only, and forget everything when the process ends."""

    def __init__(self) -> None:
        self._notes: dict[str, Note] = {}
        self._changes: dict[str, int] = {}
        self._count = 0

    async def create(self, note: Note) -> None:
        self._keep(note)

    async def read(self, note_id: str) -> Note | None:
        return self._notes.get(note_id)

    async def update(self, note_id: str, change: NoteChange, now: Instant) -> Note | None:
        if note_id in self._notes:
            self._keep(change.applied(self._notes[note_id], now))
        return self._notes.get(note_id)

    async def delete(self, note_id: str) -> bool:
        if note_id in self._notes:
            self._number(note_id)
        return self._notes.pop(note_id, None) is not None

    async def search(self, wanted: NoteFilter, keyword: str | None, page: PageRequest) -> Page[Note]:
        words = [] if keyword is None else _words(keyword)
        if keyword is not None and not words:
            raise InvalidRequestError(f"query has nothing to search for: {keyword[:200]!r}; write words")
        latest = [note for note in reversed(self._notes.values()) if _is_wanted(note, wanted)]
        found = [note for note in latest if set(words) <= set(_words(note.content.text))]
        if words:
            found.sort(key=lambda note: -sum(map(_words(note.content.text).count, words)))
        else:
            found.sort(key=lambda note: note.created_at, reverse=True)
        return page.cut(found)

    async def ids(self, wanted: NoteFilter) -> frozenset[str]:
        return frozenset(note.id for note in self._notes.values() if _is_wanted(note, wanted))

    async def changes(self, after: Position, most: int) -> Changes[str]:
        known = after.library == _LIBRARY
        later = sorted((at, note_id) for note_id, at in self._changes.items() if at > (after.number if known else 0))
        items = (Change(Position(_LIBRARY, at), note_id, note_id in self._notes) for at, note_id in later[:most])
        return Changes(_LIBRARY, tuple(items), known)

    async def batch(self, after: str, most: int) -> tuple[Note, ...]:
        return tuple(self._notes[note_id] for note_id in sorted(self._notes) if note_id > after)[:most]

    async def position(self) -> Position:
        return Position(_LIBRARY, self._count)

    async def merge(self, notes: Sequence[Note], now: Instant, since: Position) -> tuple[MergeOutcome, ...]:
        fates = []
        for note in notes:
            if note.id not in self._notes and self._changes.get(note.id, 0) > since.number:
                fates.append(MergeOutcome.DELETED)
                continue
            merged = merge(self._notes.get(note.id), note, now)
            self._keep(merged.note)
            fates.append(merged.fate)
        return tuple(fates)

    def _keep(self, note: Note) -> None:
        before = self._notes.get(note.id)
        if before is None or before.content.text != note.content.text:
            self._number(note.id)
        self._notes[note.id] = note

    def _number(self, note_id: str) -> None:
        self._count += 1
        self._changes[note_id] = self._count


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _is_wanted(note: Note, wanted: NoteFilter) -> bool:
    subject, names = note.subject, wanted.identifiers
    return (
        wanted.provider in (None, subject.provider)
        and (not names or subject.identifier in (*names, *wanted.exactly) or subject.work in names)
        and wanted.format in (None, subject.format)
        and (wanted.since is None or wanted.since <= note.created_at)
        and (wanted.until is None or note.created_at <= wanted.until)
        and _has_author(note.content.author_name, wanted)
        and _has_tags(set(note.content.tags), wanted)
        and (wanted.metadata or {}).items() <= (note.content.metadata or {}).items()
    )


def _has_author(name: str | None, wanted: NoteFilter) -> bool:
    return wanted.author is AuthorFilter.ANY or name == wanted.author_name


def _has_tags(tags: set[str], wanted: NoteFilter) -> bool:
    return (
        tags.issuperset(wanted.tags_all)
        and (not wanted.tags_any or not tags.isdisjoint(wanted.tags_any))
        and tags.isdisjoint(wanted.tags_exclude)
    )
