"""Rows that the library has left outside of their table: its head above it, or its last rows below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Box, Cell, Layout, hull_of
from prioris_mcp.adapters.parsers.pdf.passes.lines import LEVEL, Line
from prioris_mcp.adapters.parsers.pdf.passes.taking import taken_out

_FEW = 3
"""Columns at least: what stands beside something else in two may be anything."""
_NEAR = 1.5
"""Of a line's height: the space between a table and such a row at most."""
_MOST = 0.5
"""Of the columns: that many have something in such a row at least."""
_LETTERS = 3
"""Of a name of several columns at least; what has fewer may be a sign in a picture or a formula."""
_WORDS = 3
"""Of a piece on average at most: the lines of columns of text have more."""


Column = tuple[float, float]
"""Where a column usually begins and ends."""


def complete_rows(page: Layout, lines: Sequence[Line]) -> None:
    """Take the rows directly above and below each table into it, whose pieces stand in its columns one by one."""
    for table in [block for block in page.blocks if block.kind == "table"]:
        whole = _whole(table)
        beside = [line for line in lines if line.box.overlaps(whole) > 0]
        if not any(_nearest(beside, whole, above=above) for above in (True, False)):
            continue
        columns = _columns(table)
        if len(columns) >= _FEW:
            _Completion(page, table, beside, columns).run()


class _Completion:
    """A table, and the lines above and below it."""

    def __init__(self, page: Layout, table: Block, lines: Sequence[Line], columns: Sequence[Column]) -> None:
        self._page, self._table, self._lines, self._columns = page, table, lines, columns

    def run(self) -> None:
        while rows := self._above():
            self._table.rows[:0] = rows
        while row := self._below():
            self._table.rows.append(row)

    def _above(self) -> list[list[Cell]]:
        """The next row, or a title of the first rows with the next row above that."""
        whole = _whole(self._table)
        pieces = _nearest(self._lines, whole, above=True)
        if cells := _head(pieces, self._columns):
            return [self._row(cells)] if self._taken(pieces) else []
        if len(pieces) != 1 or pieces[0].box.right >= self._columns[1][0] or not _is_name(pieces[0].text):
            return []
        before, [title] = self._page.blocks[:], pieces
        upper = _nearest(self._lines, whole.around(title.box), above=True)
        cells = _head(upper, self._columns)
        if cells and self._taken(upper) and self._taken([title]):
            return [self._row(cells), self._row({0: Cell(title.text, title.box)})]
        self._page.blocks[:] = before
        return []

    def _below(self) -> list[Cell]:
        """The next row."""
        pieces = _nearest(self._lines, _whole(self._table), above=False)
        cells = _one_by_one(pieces, self._columns)
        return self._row(cells) if cells and self._taken(pieces) else []

    def _row(self, cells: Mapping[int, Cell]) -> list[Cell]:
        return [cells.get(at, Cell("")) for at in range(len(self._columns))]

    def _taken(self, pieces: Sequence[Line]) -> bool:
        return taken_out(self._page.blocks, self._table, [piece.text for piece in pieces])


def _whole(table: Block) -> Box:
    return hull_of(cell for row in table.rows for cell in row) or table.box


def _columns(table: Block) -> list[Column]:
    """None where one is empty."""
    width = max(map(len, table.rows), default=0)
    columns = []
    for at in range(width):
        boxes = [row[at].box for row in table.rows if at < len(row) and row[at].text.strip()]
        there = [box for box in boxes if box]
        if not there:
            return []
        columns.append((median(box.left for box in there), median(box.right for box in there)))
    return columns


def _head(pieces: Sequence[Line], columns: Sequence[Column]) -> dict[int, Cell]:
    """The cells of a row above the table, whose names may stand above several columns."""
    return _one_by_one(pieces, columns) or _over_several(pieces, columns)


def _one_by_one(pieces: Sequence[Line], columns: Sequence[Column]) -> dict[int, Cell]:
    """The cells of pieces that stand in one column each, and in most."""
    places = [_column(piece.box, columns) for piece in pieces]
    if None in places or len(set(places)) < max(len(places), 2, _MOST * len(columns)):
        return {}
    return {
        place: Cell(piece.text, piece.box) for place, piece in zip(places, pieces, strict=True) if place is not None
    }


def _over_several(pieces: Sequence[Line], columns: Sequence[Column]) -> dict[int, Cell]:
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
    level = [line for line in lines if abs(line.box.bottom - first.box.bottom) < LEVEL * first.size]
    is_text = sum(len(line.text.split()) for line in level) > max(_WORDS * len(level), _WORDS + 1)
    return [] if is_text else sorted(level, key=lambda line: line.box.left)


def _is_name(text: str) -> bool:
    return "$" not in text and sum(map(str.isalpha, text)) >= _LETTERS


def _column(box: Box, columns: Sequence[Column]) -> int | None:
    """The only column that something stands in."""
    found = [at for at, (left, right) in enumerate(columns) if min(right, box.right) > max(left, box.left)]
    return found[0] if len(found) == 1 else None
