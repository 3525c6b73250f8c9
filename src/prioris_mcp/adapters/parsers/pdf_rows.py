"""Rows that the library has left outside of their table: its head above it, or its last rows below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from prioris_mcp.adapters.parsers.pdf_blocks import Block, Box, Cell, Layout, hull_of
from prioris_mcp.adapters.parsers.pdf_lines import Line
from prioris_mcp.adapters.parsers.pdf_taking import taken_out

_FEW = 3
"""Columns at least: what stands beside something else in two may be anything."""
_NEAR = 1.5
"""Of a line's height: the space between a table and such a row at most."""
_LEVEL = 0.3
"""Of a line's height: what stands in one row is no further off its line."""
_MOST = 0.5
"""Of the columns: that many have something in such a row at least."""
_LETTERS = 3
"""Of a name of several columns at least; what has fewer may be a sign in a picture or a formula."""
_WORDS = 3
"""Of a piece on average at most: the lines of columns of text have more."""


def complete_rows(page: Layout, lines: Sequence[Line]) -> None:
    """Take the rows directly above and below each table into it, whose pieces stand in its columns one by one."""
    for table in [block for block in page.blocks if block.kind == "table"]:
        whole = _whole(table)
        beside = [line for line in lines if line.box.overlaps(whole) > 0]
        if not any(_nearest(beside, whole, above=above) for above in (True, False)):
            continue
        columns = _columns(table)
        if len(columns) >= _FEW:
            _complete(page, table, beside, columns)


def _complete(page: Layout, table: Block, lines: Sequence[Line], columns: Sequence[tuple[float, float]]) -> None:
    while rows := _above(page, table, lines, columns):
        table.rows[:0] = rows
    while row := _below(page, table, lines, columns):
        table.rows.append(row)


def _above(
    page: Layout, table: Block, lines: Sequence[Line], columns: Sequence[tuple[float, float]]
) -> list[list[Cell]]:
    """The next row above a table, or a title of its first rows with the next row above that."""
    whole = _whole(table)
    pieces = _nearest(lines, whole, above=True)
    if cells := _head(pieces, columns):
        return [_row(cells, columns)] if _taken(page, table, pieces) else []
    if len(pieces) != 1 or pieces[0].box.right >= columns[1][0] or not _is_name(pieces[0].text):
        return []
    before, [title] = page.blocks[:], pieces
    upper = _nearest(lines, whole.around(title.box), above=True)
    cells = _head(upper, columns)
    if cells and _taken(page, table, upper) and _taken(page, table, [title]):
        return [_row(cells, columns), _row({0: Cell(title.text, title.box)}, columns)]
    page.blocks[:] = before
    return []


def _below(page: Layout, table: Block, lines: Sequence[Line], columns: Sequence[tuple[float, float]]) -> list[Cell]:
    """The next row below a table."""
    pieces = _nearest(lines, _whole(table), above=False)
    cells = _one_by_one(pieces, columns)
    return _row(cells, columns) if cells and _taken(page, table, pieces) else []


def _taken(page: Layout, table: Block, pieces: Sequence[Line]) -> bool:
    return taken_out(page.blocks, table, [piece.text for piece in pieces])


def _whole(table: Block) -> Box:
    return hull_of(cell for row in table.rows for cell in row) or table.box


def _columns(table: Block) -> list[tuple[float, float]]:
    """Where the columns usually begin and end; none where a column is empty."""
    width = max(map(len, table.rows), default=0)
    columns = []
    for at in range(width):
        boxes = [row[at].box for row in table.rows if at < len(row) and row[at].text.strip()]
        there = [box for box in boxes if box]
        if not there:
            return []
        columns.append((median(box.left for box in there), median(box.right for box in there)))
    return columns


def _row(cells: Mapping[int, Cell], columns: Sequence[tuple[float, float]]) -> list[Cell]:
    return [cells.get(at, Cell("")) for at in range(len(columns))]


def _head(pieces: Sequence[Line], columns: Sequence[tuple[float, float]]) -> dict[int, Cell]:
    """The cells of a row above the table, whose names may stand above several columns."""
    return _one_by_one(pieces, columns) or _over_several(pieces, columns)


def _one_by_one(pieces: Sequence[Line], columns: Sequence[tuple[float, float]]) -> dict[int, Cell]:
    """The cells of pieces that stand in one column each, and in most."""
    places = [_column(piece.box, columns) for piece in pieces]
    if None in places or len(set(places)) < max(len(places), 2, _MOST * len(columns)):
        return {}
    return {
        place: Cell(piece.text, piece.box) for place, piece in zip(places, pieces, strict=True) if place is not None
    }


def _over_several(pieces: Sequence[Line], columns: Sequence[tuple[float, float]]) -> dict[int, Cell]:
    """The cells of pieces in the middle above several columns, which are repeated, and of one above the first."""
    first = pieces[0] if pieces and pieces[0].box.right < columns[1][0] else None
    cells = {0: Cell(first.text, first.box)} if first else {}
    over = [(piece, piece.box.centre) for piece in pieces if piece is not first]
    middles = [middle for _, middle in over]
    nearest = [min(middles, key=lambda middle: abs(middle - sum(column) / 2), default=0.0) for column in columns]
    for piece, middle in over:
        own = [at for at in range(1, len(columns)) if nearest[at] == middle]
        off = abs((columns[own[0]][0] + columns[own[-1]][1]) / 2 - middle) if own else 0.0
        if len(own) < 2 or off > piece.size or not _is_name(piece.text):
            return {}
        cells |= dict.fromkeys(own, Cell(piece.text, piece.box))
    return cells if over else {}


def _nearest(lines: Sequence[Line], whole: Box, *, above: bool) -> list[Line]:
    """The line next to a table, in pieces from left to right; none where it is not near, or running text."""
    gaps = [(whole.top - line.box.bottom if above else line.box.top - whole.bottom, line) for line in lines]
    near = [(gap, line) for gap, line in gaps if 0 <= gap < _NEAR * line.size]
    if not near:
        return []
    first = min(near, key=lambda each: each[0])[1]
    level = [line for line in lines if abs(line.box.bottom - first.box.bottom) < _LEVEL * first.size]
    is_text = sum(len(line.text.split()) for line in level) > max(_WORDS * len(level), _WORDS + 1)
    return [] if is_text else sorted(level, key=lambda line: line.box.left)


def _is_name(text: str) -> bool:
    return "$" not in text and sum(map(str.isalpha, text)) >= _LETTERS


def _column(box: Box, columns: Sequence[tuple[float, float]]) -> int | None:
    """The only column that something stands in."""
    found = [at for at, (left, right) in enumerate(columns) if min(right, box.right) > max(left, box.left)]
    return found[0] if len(found) == 1 else None
