"""Titles of two columns that stand side by side, which the library reads as one: "Abstract 1 Introduction"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Box, Layout, Run, hull, lines_of

_APART = 4.0
"""Of a line's height: the space between two titles at least."""
_PROSE = 100
"""Characters of a paragraph below a title at least."""
_NEAR = 12.0
"""Points by which a column's text may begin to the left of its title, that stands in its middle or not."""


def part_columns(page: Layout) -> None:
    """Give each title its own place, the right one before the text of its column."""
    for block in [block for block in page.blocks if block.kind == "heading"]:
        halves = _halves(page.within(block.box))
        if halves is None:
            continue
        left, right = (replace(block, text=_text(runs), box=_box(runs)) for runs in halves)
        known = f"{left.text} {right.text}" == " ".join(block.text.split())
        if not (known and _heads(left, right, page) and _heads(right, left, page)):
            continue
        at = next(number for number, other in enumerate(page.blocks) if other is block)
        page.blocks[at] = left
        page.blocks.insert(_column(right, page.blocks, at + 1), right)


def _halves(runs: Sequence[Run]) -> tuple[list[Run], list[Run]] | None:
    """The runs of two titles on one line, parted where the widest space is."""
    lines = lines_of(run for run in runs if run.text.strip())
    if len(lines) != 1 or len(lines[0]) < 2:
        return None
    (line,) = lines
    spaces = [after.box.left - before.box.right for before, after in pairwise(line)]
    at = spaces.index(max(spaces)) + 1
    return (line[:at], line[at:]) if spaces[at - 1] > _APART * line[at].size else None


def _heads(title: Block, other: Block, page: Layout) -> bool:
    """Whether there is running text below a title that keeps clear of the other one."""
    return any(
        block.kind == "paragraph"
        and len(block.text) > _PROSE
        and block.box.top >= title.box.bottom - 1
        and block.box.overlaps(title.box) > 0 >= block.box.overlaps(other.box)
        for block in page.blocks
    )


def _text(runs: Sequence[Run]) -> str:
    return " ".join(" ".join(run.text for run in runs).split())


def _box(runs: Sequence[Run]) -> Box:
    return hull(run.box for run in runs)


def _column(title: Block, blocks: Sequence[Block], start: int) -> int:
    """Before what stands first below *title* in its column; at *start* where nothing does."""
    for at in range(start, len(blocks)):
        box = blocks[at].box
        if box.top >= title.box.top and box.left > title.box.left - _NEAR - title.box.width / 2:
            return at
    return start
