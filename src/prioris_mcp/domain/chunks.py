"""Split a document into sections by its headings: the unit of search, notes and citation."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from prioris_mcp.domain.documents import DocumentKey
from prioris_mcp.domain.markdown import Span

SCHEME = "heading-bounded-v1"
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")


@dataclass(frozen=True, slots=True)
class Chunk:
    """Hold one section: from its heading to the next heading of the same or a shallower level.

    Derive the id from key and span alone, so that the same bytes parsed again give the same ids. Hold in *path* the
    headings from the outermost section down to this one.
    """

    id: str
    key: DocumentKey
    path: tuple[str, ...]
    span: Span

    @property
    def heading(self) -> str:
        """Return the section's own heading."""
        return self.path[-1]


@dataclass(frozen=True, slots=True)
class _Heading:
    level: int
    title: str
    start: int


def split(key: DocumentKey, text: str) -> tuple[Chunk, ...]:
    """Return the sections of *text* in reading order, each before the sections within it."""
    found: list[Chunk | None] = []
    open_: list[tuple[int, _Heading]] = []

    def close(level: int, end: int) -> None:
        while open_ and open_[-1][1].level >= level:
            index, heading = open_.pop()
            path = (*(h.title for _, h in open_), heading.title)
            found[index] = _chunk(key, path, Span(heading.start, end - heading.start))

    for heading in _headings(text):
        close(heading.level, heading.start)
        open_.append((len(found), heading))
        found.append(None)
    close(0, len(text))
    return tuple(chunk for chunk in found if chunk is not None)


def _chunk(key: DocumentKey, path: tuple[str, ...], span: Span) -> Chunk:
    place = f"{key.provider}|{key.identifier}|{key.format}|{span.start}|{span.length}"
    return Chunk(hashlib.sha256(place.encode()).hexdigest()[:16], key, path, span)


def _headings(text: str) -> Iterator[_Heading]:
    """Return ATX headings outside fenced code, as CommonMark reads them."""
    start, fence = 0, ""
    for line in text.split("\n"):
        if mark := _FENCE.fullmatch(line):
            fence = _fence_after(fence, mark[1], mark[2])
        elif not fence and (match := _HEADING.fullmatch(line)):
            yield _Heading(len(match[1]), (match[2] or "").strip(), start)
        start += len(line) + 1


def _fence_after(fence: str, marks: str, rest: str) -> str:
    """Return the fence that is open after a line of *marks*; "" for none."""
    if not fence:
        return "" if marks[0] == "`" and "`" in rest else marks
    closes = marks[0] == fence[0] and len(marks) >= len(fence) and not rest.strip()
    return "" if closes else fence
