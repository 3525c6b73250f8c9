"""Two columns of text that the library reads straight across, line by line: each is read by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Layout, hull
from prioris_mcp.adapters.parsers.pdf.passes.lines import ENDED, Line, place_of, rows_of

_ROWS = 3
"""With text in both columns at least."""
_MOST = 0.6
"""Of the lines: that many stand beside another one at least."""
_ACROSS = 1.5
"""Of the width of a usual line: a block of two columns at least."""
_NEAR = 8.0
"""Points from one block to the next at most, where one goes on in the other."""
_WIDE = 0.25
"""Of the width of both: a column of text at least."""
_LONG = 25
"""Characters of a line of text."""
_WORDS = 4
"""Of a line of text on average."""


def unweave(page: Layout, lines: Sequence[Line]) -> None:
    """Make two paragraphs of each that goes across; the right ones of several follow all the left ones.

    *lines*: those of the page, by which most pages and most blocks are known to be none of these.
    """
    column = median([line.box.width for line in lines if len(line.text) > _LONG] or [0.0])
    if max((block.box.width for block in page.blocks), default=0.0) < _ACROSS * column:
        return
    blocks: list[Block] = []
    right: list[Block] = []
    for block in page.blocks:
        halves = _halves(block, page, right[-1] if right else None) if _may_be(block, column) else None
        if halves is None:
            blocks += [*right, block]
            right = []
        else:
            goes_on = bool(right)
            _add(blocks, halves[0], goes_on=goes_on)
            _add(right, halves[1], goes_on=goes_on)
    page.blocks = [*blocks, *right]


def _may_be(block: Block, column: float) -> bool:
    return block.kind == "paragraph" and block.box.width > _ACROSS * column


def _add(blocks: list[Block], half: Block, *, goes_on: bool) -> None:
    """Append a half, to the sentence that one above it leaves open if there is one."""
    if goes_on and not ENDED.search(blocks[-1].text):
        blocks[-1] = blocks[-1].followed_by(half)
    else:
        blocks.append(half)


def _halves(block: Block, page: Layout, above: Block | None) -> tuple[Block, Block] | None:
    """The text of the two columns; right under *above*, the right half of another, a single line shows them."""
    least = 1 if above and abs(block.box.top - above.box.bottom) < _NEAR else _ROWS
    if len(block.text.split()) < 2 * least * _WORDS:
        return None
    rows = rows_of(page.within(block.box))
    both = [row for row in rows if len(row) == 2]
    if len(both) < least or len(both) < _MOST * len(rows) or not _is_across(block.text, both):
        return None
    gutter = min(row[1].box.left for row in both)
    left = [line for row in rows for line in row if line.box.right < gutter]
    right = [line for row in rows for line in row if line.box.left > gutter - 1]
    if len(left) + len(right) < sum(map(len, rows)) or not (_is_text(left, block) and _is_text(right, block)):
        return None
    return _joined(block, left), _joined(block, right)


def _is_across(text: str, rows: Sequence[Sequence[Line]]) -> bool:
    """Whether most lines of the right column follow those beside them."""
    found = sum(place_of(f"{one.ending} {two.opening}", text, 0) is not None for one, two in rows)
    return 2 * found > len(rows)


def _is_text(lines: Sequence[Line], block: Block) -> bool:
    width = max(line.box.right for line in lines) - min(line.box.left for line in lines)
    return width > _WIDE * block.box.width and sum(len(line.text.split()) for line in lines) > _WORDS * len(lines)


def _joined(block: Block, lines: Sequence[Line]) -> Block:
    box = hull(line.box for line in lines)
    return replace(block, text=" ".join(line.text for line in lines), box=box)
