"""Select the wanted notes by SQL: how many there are, and one page of them.

Functions here run inside a transaction that the caller opened, on a connection that sees ``notes.sqlite``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import apsw

from prioris_mcp.adapters.sqlite.notes.rows import COLUMNS, note_of
from prioris_mcp.domain.notes.note import AuthorFilter, Note, NoteFilter
from prioris_mcp.domain.page import Page, PageRequest

_MOST_CHARACTERS = 1_000_000
"""Most characters of all notes on one page: more takes seconds to write, and no client reads it."""
_SHOWN = ", ".join(f"note.{column}" for column in COLUMNS.split(", "))


@dataclass(slots=True)
class _Select:
    """Build a FROM clause with its conditions; *created* and *id* are what the rows have for these two."""

    source: str
    created: str = "note.created"
    id: str = "note.id"
    conditions: list[str] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)

    def where(self, condition: str, *values: Any) -> None:
        """Add one more condition."""
        self.conditions.append(condition)
        self.values += values

    def __str__(self) -> str:
        where = " AND ".join(self.conditions)
        return f"FROM {self.source}" + (f" WHERE {where}" if where else "")


def newest(db: apsw.Connection, wanted: NoteFilter, page: PageRequest) -> Page[Note]:
    """Return one page of the wanted notes, newest first."""
    select = _select(wanted)
    total: int = db.execute(f"SELECT count(*) {select}", select.values).get
    if total <= page.offset:
        return page.of((), total)
    order = f"{select.created} DESC, {select.id} DESC"
    chosen = f"SELECT {select.id} AS id, {select.created} AS created {select} ORDER BY {order} LIMIT ? OFFSET ?"
    rows = db.execute(
        f"SELECT {_SHOWN} FROM ({chosen}) AS chosen CROSS JOIN note ON note.id = chosen.id"
        " ORDER BY chosen.created DESC, chosen.id DESC",
        (*select.values, page.limit, page.offset),
    )
    return _shown(rows, page, total)


def ids(db: apsw.Connection, wanted: NoteFilter) -> frozenset[str]:
    """Return the ids of all wanted notes."""
    select = _of_notes(wanted)
    return frozenset(str(note_id) for (note_id,) in db.execute(f"SELECT note.note_id {select}", select.values))


def matching(db: apsw.Connection, expressions: Sequence[str], wanted: NoteFilter, page: PageRequest) -> Page[Note]:
    """Return the wanted notes that match the first of *expressions* to match any, best match first."""
    for expression in expressions:
        select = _matching(expression, wanted)
        total: int = db.execute(f"SELECT count(*) {select}", select.values).get
        if total:
            return _shown(_best(db, select, page) if total > page.offset else (), page, total)
    return page.of((), 0)


def _best(db: apsw.Connection, select: _Select, page: PageRequest) -> Iterable[tuple[Any, ...]]:
    return db.execute(
        f"SELECT {_SHOWN} FROM (SELECT word.rowid AS id, bm25(word) AS score {select}"
        " ORDER BY score, id DESC LIMIT ? OFFSET ?) AS chosen CROSS JOIN note ON note.id = chosen.id"
        " ORDER BY chosen.score, chosen.id DESC",
        (*select.values, page.limit, page.offset),
    )


def _shown(rows: Iterable[tuple[Any, ...]], page: PageRequest, total: int) -> Page[Note]:
    """Return as many of *rows* as one answer holds, one at least; the limit then leads to the next page."""
    notes: list[Note] = []
    left = _MOST_CHARACTERS
    for row in rows:
        left -= sum(len(value) for value in row if isinstance(value, str))
        if left < 0 and notes:
            return Page(tuple(notes), total, page.offset, len(notes))
        notes.append(note_of(row))
    return page.of(notes, total)


def _matching(expression: str, wanted: NoteFilter) -> _Select:
    """Return a selection that looks notes up one by one; for one document they are few, and looked up first."""
    if wanted == NoteFilter():
        select = _Select("word")
    elif wanted.identifiers:
        select = _Select("word")
        few = _of_notes(wanted)
        select.where(f"word.rowid IN (SELECT note.id {few})", *few.values)
    else:
        select = _Select("word CROSS JOIN note ON note.id = word.rowid")
        _narrow(select, wanted)
        _narrow_tags(select, wanted, has=_has)
    select.where("word MATCH ?", expression)
    return select


def _select(wanted: NoteFilter) -> _Select:
    """Return what reads least: the rows of a tag where they say all that is asked for, else those of notes."""
    if wanted.tags_all and not (wanted.identifiers or _looks_at_notes(wanted)):
        return _tagged(wanted)
    return _of_notes(wanted)


def _tagged(wanted: NoteFilter) -> _Select:
    first, *others = wanted.tags_all
    select = _Select("tag AS tagged", "tagged.created", "tagged.note")
    select.where("tagged.tag = ?", first)
    _narrow(select, wanted)
    _narrow_tags(select, replace(wanted, tags_all=tuple(others)), has=_has)
    return select


def _of_notes(wanted: NoteFilter) -> _Select:
    """Ask a few notes for their tags; compare many with the list of those that have them."""
    select = _Select("note")
    _narrow(select, wanted)
    _narrow_tags(select, wanted, has=_has if wanted.identifiers else _is_among)
    return select


def _looks_at_notes(wanted: NoteFilter) -> bool:
    """Return whether a condition needs more than tags and times."""
    return bool(wanted.provider or wanted.format or wanted.metadata or wanted.author is not AuthorFilter.ANY)


def _narrow(select: _Select, wanted: NoteFilter) -> None:
    """Add all conditions but those on tags."""
    _narrow_subject(select, wanted)
    if wanted.since is not None:
        select.where(f"{select.created} >= ?", wanted.since.micros)
    if wanted.until is not None:
        select.where(f"{select.created} <= ?", wanted.until.micros)
    if wanted.author is AuthorFilter.MINE:
        select.where("note.author IS NULL")
    elif wanted.author is AuthorFilter.NAMED:
        select.where("note.author = ?", wanted.author_name)
    for name, value in (wanted.metadata or {}).items():
        select.where("EXISTS (SELECT 1 FROM json_each(note.metadata) WHERE key = ? AND value = ?)", name, value)


def _narrow_subject(select: _Select, wanted: NoteFilter) -> None:
    if wanted.identifiers:
        works, names, exact = wanted.works, wanted.identifiers, (*wanted.identifiers, *wanted.exactly)
        select.where(f"note.work IN ({_marks(works)})", *works)
        select.where(f"(note.identifier IN ({_marks(exact)}) OR note.work IN ({_marks(names)}))", *exact, *names)
    if wanted.provider:
        select.where(f"{'+' if wanted.identifiers else ''}note.provider = ?", wanted.provider)
    if wanted.format:
        select.where("note.format = ?", wanted.format.value)


def _narrow_tags(select: _Select, wanted: NoteFilter, has: Callable[[_Select, Sequence[str]], str]) -> None:
    """Add the conditions on tags; *has* makes the one for having any of some."""
    for tags in [*((tag,) for tag in wanted.tags_all), *([wanted.tags_any] if wanted.tags_any else [])]:
        select.where(has(select, tags), *tags)
    if wanted.tags_exclude:
        select.where(f"NOT {has(select, wanted.tags_exclude)}", *wanted.tags_exclude)


def _has(select: _Select, tags: Sequence[str]) -> str:
    among = f"tag.tag IN ({_marks(tags)}) AND tag.created = {select.created} AND tag.note = {select.id}"
    return f"EXISTS (SELECT 1 FROM tag WHERE {among})"


def _is_among(select: _Select, tags: Sequence[str]) -> str:
    return f"({select.id} IN (SELECT note FROM tag WHERE tag IN ({_marks(tags)})))"


def _marks(values: Sequence[Any]) -> str:
    return ", ".join("?" * len(values))
