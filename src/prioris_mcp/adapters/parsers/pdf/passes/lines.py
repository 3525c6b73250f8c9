"""The lines of a page, column by column, and where in the text of a block one of them meets the next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Box, Run, common_size, hull, lines_of

ENDED = re.compile(r"""[.!?:;。！？]["'”’)\]*_$]*(?:\[\d[\d, –-]*\])?$""")
"""The end of a line that may be the last of a paragraph."""
_GUTTER = 0.8
"""Of a line's height: the space between two columns at least."""
SIZES = 0.25
"""Share of its height in which a line may differ from another of the same text: formulas stand high."""
LEVEL = 0.3
"""Of a line's height: what stands side by side in a row is no further off its line."""
_RECENT = 8
"""Pieces of lines among which the one above is looked for."""
_UNMARKED = re.compile(r"[^*]+")
_WORDS = 4
"""On each side that tell where in a text two lines meet."""


@dataclass(slots=True, eq=False)
class Line:
    """A line of one column, and those above and below it there."""

    text: str
    box: Box
    size: float
    step: float = field(default=0.0, init=False)
    """Points down from the line above."""
    above: Line | None = field(default=None, repr=False)
    below: Line | None = field(default=None, repr=False)

    def is_like(self, other: Line) -> bool:
        """Whether the two may be of one text, by their height."""
        return abs(self.size - other.size) < SIZES * self.size

    @property
    def opening(self) -> str:
        """Its first words, without signs that mark emphasis elsewhere."""
        return " ".join(self.text.split(maxsplit=_WORDS)[:_WORDS]).replace("*", "")

    @property
    def ending(self) -> str:
        """Its last words, likewise."""
        return " ".join(self.text.rsplit(maxsplit=_WORDS)[-_WORDS:]).replace("*", "")


def lines_by_column(runs: Sequence[Run]) -> list[Line]:
    """The lines of a page from top to bottom, each linked to its neighbours."""
    found: list[Line] = []
    for row in rows_of(runs):
        recent = [above for above in found[: -_RECENT - 1 : -1] if above.below is None]
        for line in row:
            for above in recent:
                if above.below is None and _is_above(above.box, line.box):
                    line.above, above.below = above, line
                    line.step = line.box.bottom - above.box.bottom
                    break
            found.append(line)
    return found


def rows_of(runs: Sequence[Run]) -> list[list[Line]]:
    """The lines from top to bottom, those side by side together."""
    return [
        [*map(_line, _pieces(row))] if len(row) > 1 else [_line(row)]
        for row in lines_of([run for run in runs if run.text.strip()])
    ]


def place_of(words: str, text: str, after: int) -> int | None:
    """Where in the text of a block, which has marks of emphasis, the sign *after* the start of *words* stands."""
    plain = text.replace("*", "")
    found = plain.find(words)
    if found < 0:
        return None
    return found + after if plain == text else _marked(text, found + after)


def _marked(text: str, at: int) -> int:
    """Where the sign *at* of the text without marks stands in it; its end for the end."""
    for piece in _UNMARKED.finditer(text):
        if at < len(piece[0]):
            return piece.start() + at
        at -= len(piece[0])
    return len(text)


class Joint:
    """Where in a text *line* begins: after the line above it, or after a sentence where that is in another column."""

    def __init__(self, line: Line, above: Line | None) -> None:
        """Take the first words of *line*, and the last of the one above where there is one."""
        self._line, self._above = line, above
        self._before = above.ending if above else ""
        self.words = f"{self._before} {line.opening}"
        """Those on both sides of it, without marks of emphasis."""

    def place(self, text: str) -> int | None:
        """The space before the line in the text of a block; None where it is not certain that it begins there."""
        place = place_of(self.words, text, len(self._before))
        certain = place is not None and (self._before or ENDED.search(text[:place]))
        return place if certain and not text.count("*", 0, place) % 2 else None

    def boxes(self, box: Box) -> tuple[Box, Box]:
        """The parts of *box* above and below; both the whole of it where it spans two columns."""
        above, line = self._above, self._line
        if above is None or box.width > 2 * max(above.box.width, line.box.width):
            return box, box
        return box._replace(bottom=above.box.bottom), box._replace(top=line.box.top)


def parted(block: Block, joints: Sequence[Joint]) -> Iterator[Block]:
    """The block in pieces, one for each of *joints* that is in it; what comes after a list's item is none."""
    if block.kind in {"paragraph", "list_item"} and block.text:
        plain = block.text.replace("*", "")
        for joint in [joint for joint in joints if joint.words in plain]:
            if (place := joint.place(block.text)) is None:
                continue
            upper, lower = joint.boxes(block.box)
            yield replace(block, text=block.text[:place].strip(), box=upper)
            text = block.text[place:].strip()
            block = replace(block, kind="paragraph", marker="", level=0, text=text, box=lower)
    yield block


def _pieces(row: list[Run]) -> Iterator[list[Run]]:
    start = 0
    for at, (before, run) in enumerate(pairwise(row), 1):
        if run.box.left - before.box.right > _GUTTER * max(run.size, before.size):
            yield row[start:at]
            start = at
    yield row[start:] if start else row


def _line(runs: list[Run]) -> Line:
    first = runs[0]
    if len(runs) == 1:
        return Line(first.text.strip(), first.box, first.size)
    size = first.size if all(run.size == first.size for run in runs) else common_size(runs)
    return Line(" ".join([run.text.strip() for run in runs]), hull([run.box for run in runs]), size)


def _is_above(above: Box, box: Box) -> bool:
    left, _, right, _ = box
    upper_left, _, upper_right, _ = above
    shared = min(upper_right, right) - max(upper_left, left)
    return shared > 0.5 * min(upper_right - upper_left, right - left)
