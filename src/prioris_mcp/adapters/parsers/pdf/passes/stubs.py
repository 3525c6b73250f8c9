"""Stubs of tables, the columns that name the rows: the library reads some as text beside the table, or as rows.

A name of two rows stands between them, and is repeated in both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Box, Cell, Layout, hull, hull_of
from prioris_mcp.adapters.parsers.pdf.passes.lines import Line
from prioris_mcp.adapters.parsers.pdf.passes.taking import taken_out

_FEW = 3
"""Names at least."""
_MOST = 0.6
"""Of the rows: that many are named at least."""
_ALIGNED = 0.25
"""Of a line's height: what stands on the line of a row is no further off."""
_TALL = 1.6
"""Of a line's height: a row of several lines."""
_RAGGED = 0.75
"""Of the width beside the table: lines of running text are longer on average."""


def join_stubs(page: Layout, lines: Sequence[Line]) -> None:
    """Give the rows of each table the names that stand left of them; *lines*: those of the page."""
    for table in [block for block in page.blocks if block.kind == "table"]:
        lefts = [row[0].box.left for row in table.rows if row and row[0].box]
        rows = [row for row in table.rows if not _is_name(row, lefts)]
        names = _names([*map(hull_of, rows)], lines)
        inside = [row[0].text.strip() for row in table.rows if _is_name(row, lefts)]
        each = dict.fromkeys(names.values())
        outside = [name.text for name in each if name.text not in inside]
        if (
            names
            and len(inside) + len(outside) == len(each)
            and (not outside or taken_out(page.blocks, table, outside))
        ):
            _name(table, rows, names)


def _is_name(row: Sequence[Cell], lefts: Sequence[float]) -> bool:
    """Whether nothing but a name stands in a row, left of where most rows begin."""
    filled = [cell for cell in row if cell.text.strip()]
    box = filled[0].box if len(row) > 1 and len(filled) == 1 and filled[0] is row[0] else None
    return box is not None and 2 * sum(box.right < left for left in lefts) > len(lefts)


def _names(boxes: Sequence[Box | None], lines: Sequence[Line]) -> dict[int, Line]:
    """The line that names each row, in order; none where it is doubtful."""
    there = [box for box in boxes if box]
    if len(there) < _FEW:
        return {}
    whole = hull(there)
    beside = [line for line in lines if line.box.right < whole.left and whole.top < line.box.middle < whole.bottom]
    found: dict[int, Line] = {}
    for line in beside:
        own = _rows(line, boxes)
        if not own or not found.keys().isdisjoint(own):
            return {}
        found |= dict.fromkeys(own, line)
    if len(beside) < _FEW or len(found) < _MOST * len(boxes):
        return {}
    room = whole.left - min(line.box.left for line in beside)
    mean = sum(line.box.width for line in beside) / len(beside)
    return dict(sorted(found.items())) if mean < _RAGGED * room else {}


def _rows(line: Line, boxes: Sequence[Box | None]) -> Sequence[int]:
    """The row or the two rows that a line names; none where it stands on no line of theirs."""
    middle = line.box.middle
    for at, box in enumerate(boxes):
        if box is None:
            continue
        if box.bottom - box.top > _TALL * line.size:
            if box.top < middle < box.bottom:
                return (at,)
        elif abs(box.middle - middle) < _ALIGNED * line.size:
            return (at,)
        below = boxes[at + 1] if at + 1 < len(boxes) else None
        if below and _stands_between(line.box, box, below):
            return at, at + 1
    return ()


def _stands_between(box: Box, upper: Box, lower: Box) -> bool:
    """Whether something reaches into both of two rows."""
    return upper.middle < box.middle < lower.middle and upper.bottom > box.top and box.bottom > lower.top


def _name(table: Block, rows: Sequence[list[Cell]], names: Mapping[int, Line]) -> None:
    empty = Cell("")
    stubs = [Cell(names[at].text, names[at].box) if at in names else empty for at in range(len(rows))]
    table.rows = [[stub, *row] for stub, row in zip(stubs, rows, strict=True)]
    table.box = hull([table.box, *(name.box for name in names.values())])
