"""Hold all vectors of a model in one matrix, and search it exactly."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from prioris_mcp.domain.markdown import Span
from prioris_mcp.domain.page import Page, PageRequest
from prioris_mcp.domain.vectors import Vector, VectorHit

K = TypeVar("K")

FEW = 4
"""Share of rows: where less than one in so many is wanted, only those are looked at."""
_SLACK = 1024


@dataclass(frozen=True, slots=True)
class Stored(Generic[K]):
    """Hold one entry of the index: its sections in order, and the vectors of all their windows."""

    number: int
    key: K
    sections: tuple[tuple[str, int, int, int], ...]
    """Hold chunk id, start, length and number of windows of each section."""
    vectors: Any
    """Hold rows of 32-bit floats."""


@dataclass(frozen=True, slots=True)
class _Entry(Generic[K]):
    number: int
    key: K
    sections: tuple[tuple[str, int, int, int], ...]
    row: int
    section: int


class Matrix(Generic[K]):
    """Search by cosine, exactly. Its owner sees that one thread at a time uses it.

    Keep rows and sections in the order of storing. Leave in place, marked, what is removed, until it is the greater
    part.
    """

    def __init__(self, numpy: Any, dimension: int) -> None:
        self._numpy, self._dimension = numpy, dimension
        self._clear()

    def _clear(self) -> None:
        numpy = self._numpy
        self._rows = numpy.empty((0, self._dimension), numpy.float32)
        self._firsts = numpy.empty(0, numpy.int64)
        self._owners = numpy.empty(0, numpy.int64)
        self._row_count = self._section_count = self._dead_rows = 0
        self._entries: list[_Entry[K]] = []
        self._places: dict[int, int] = {}
        self._by_key: dict[K, int] = {}

    def numbers(self) -> set[int]:
        """Return the numbers of the entries that are in it."""
        return set(self._places)

    def keys(self) -> Collection[K]:
        """Return the keys whose entries are in it."""
        return self._by_key.keys()

    def add(self, entries: Iterable[Stored[K]]) -> None:
        """Append entries, whose numbers are higher than all that are there."""
        for stored in entries:
            self._append(stored.number, stored.key, stored.sections, stored.vectors)

    def drop(self, numbers: Iterable[int]) -> None:
        """Remove entries."""
        for number in numbers:
            entry = self._entries[self._places.pop(number)]
            if self._by_key.get(entry.key) is not None and self._entries[self._by_key[entry.key]] is entry:
                del self._by_key[entry.key]
            self._dead_rows += _windows(entry)
        if 2 * self._dead_rows > self._row_count + _SLACK:
            self._compact()

    def search(self, query: Vector, chosen: Collection[K] | None, page: PageRequest) -> Page[VectorHit[K]]:
        """Return the nearest sections of the entries of *chosen* (None for all), each by its nearest window."""
        direction = self._numpy.frombuffer(query, "<f4")
        places = self._chosen(chosen)
        if places is not None and FEW * sum(_windows(self._entries[at]) for at in places) < self._row_count:
            best, sections = self._of_few(direction, places)
        else:
            best, sections = self._of_all(direction, places)
        ranked = top(self._numpy, best, page)
        return page.of((self._near(int(sections[at]), float(best[at])) for at in ranked), len(best))

    def _chosen(self, keys: Collection[K] | None) -> list[int] | None:
        if keys is None:
            return None
        return sorted(self._by_key[key] for key in keys if key in self._by_key)

    def _of_all(self, direction: Any, places: list[int] | None) -> tuple[Any, Any]:
        """Return scores of sections, from one product over all rows, and which sections they are."""
        numpy = self._numpy
        sections = numpy.arange(self._section_count)
        if not self._section_count:
            return numpy.empty(0, numpy.float32), sections
        scores = self._rows[: self._row_count] @ direction
        best = numpy.maximum.reduceat(scores, self._firsts[: self._section_count])
        if places is None and not self._dead_rows:
            return best, sections
        alive = numpy.zeros(len(self._entries), bool)
        alive[list(self._places.values()) if places is None else places] = True
        kept = numpy.flatnonzero(alive[self._owners[: self._section_count]])
        return best[kept], kept

    def _of_few(self, direction: Any, places: list[int]) -> tuple[Any, Any]:
        numpy = self._numpy
        best, sections = [numpy.empty(0, numpy.float32)], [numpy.empty(0, numpy.int64)]
        for entry in (self._entries[at] for at in places):
            if entry.sections:
                rows = self._rows[entry.row : entry.row + _windows(entry)]
                own = slice(entry.section, entry.section + len(entry.sections))
                best.append(numpy.maximum.reduceat(rows @ direction, self._firsts[own] - entry.row))
                sections.append(numpy.arange(own.start, own.stop))
        return numpy.concatenate(best), numpy.concatenate(sections)

    def _near(self, section: int, score: float) -> VectorHit[K]:
        entry = self._entries[int(self._owners[section])]
        return near(entry.key, entry.sections[section - entry.section], score)

    def _append(self, number: int, key: K, sections: tuple[tuple[str, int, int, int], ...], rows: Any) -> None:
        numpy = self._numpy
        entry = _Entry(number, key, sections, self._row_count, self._section_count)
        self._rows = _with_room(numpy, self._rows, self._row_count, len(rows))
        self._firsts = _with_room(numpy, self._firsts, self._section_count, len(sections))
        self._owners = _with_room(numpy, self._owners, self._section_count, len(sections))
        self._rows[self._row_count : self._row_count + len(rows)] = rows
        own = slice(self._section_count, self._section_count + len(sections))
        self._firsts[own] = firsts(numpy, sections) + self._row_count
        self._owners[own] = len(self._entries)
        self._places[number] = self._by_key[key] = len(self._entries)
        self._entries.append(entry)
        self._row_count += len(rows)
        self._section_count += len(sections)

    def _compact(self) -> None:
        rows, kept = self._rows, [self._entries[place] for place in self._places.values()]
        self._clear()
        self.add(Stored(e.number, e.key, e.sections, rows[e.row : e.row + _windows(e)]) for e in kept)


def top(numpy: Any, scores: Any, page: PageRequest) -> Any:
    """Return which of *scores* are on *page*, the highest first, ties in the order given."""
    last = min(page.offset + page.limit, len(scores))
    if page.offset >= last:
        return []
    border = numpy.partition(scores, len(scores) - last)[len(scores) - last]
    ties = numpy.flatnonzero(scores >= border)
    return ties[numpy.lexsort((ties, -scores[ties]))][page.offset : last]


def firsts(numpy: Any, sections: Collection[tuple[str, int, int, int]]) -> Any:
    """Return the first row of each section."""
    windows = [section[3] for section in sections]
    return numpy.cumsum([0, *windows[:-1]])[: len(windows)]


def near(key: K, section: tuple[str, int, int, int], score: float) -> VectorHit[K]:
    """Return a section with its distance."""
    chunk_id, start, length, _ = section
    return VectorHit(key, chunk_id, Span(start, length), max(0.0, 1.0 - score))


def _windows(entry: _Entry[Any]) -> int:
    return sum(section[3] for section in entry.sections)


def _with_room(numpy: Any, array: Any, used: int, more: int) -> Any:
    if used + more <= len(array):
        return array
    grown = numpy.empty((max(used + more, len(array) * 3 // 2), *array.shape[1:]), array.dtype)
    grown[:used] = array[:used]
    return grown
