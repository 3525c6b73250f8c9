"""Stacked rows: the library makes one of all that stand between two rules, and of a title and the row below it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Box, Cell, Layout, hull_of
from prioris_mcp.adapters.parsers.pdf.passes.lines import LEVEL, Line

_APART = 1.35
"""Of a line's height: the step from row to row at least, where lines of one cell stand closer."""
_FEW = 3
"""Columns at least."""
_FIGURES = 0.3
"""Of the pieces of such a table: that many are figures at least."""


def part_stacks(page: Layout, lines: Sequence[Line]) -> None:
    """Part the stacked rows of each table, by the *lines* of the page, where it is certain that they are some.

    Either every cell of a row has as many lines as the others, or all lines of the table are set apart.
    """
    for table in page.blocks:
        if table.kind != "table" or len(table.rows) < 2:
            continue
        levels = _levels(table, lines)
        if len(levels) > len(table.rows) and (_are_even(table, levels) or _are_apart(table, levels)):
            _part(table, levels)


def _levels(table: Block, lines: Sequence[Line]) -> list[list[Line]]:
    """The lines inside a table, those side by side together."""
    whole = hull_of(cell for row in table.rows for cell in row)
    levels: list[list[Line]] = []
    for line in lines:
        if whole is None or not _is_in(line, whole):
            continue
        if levels and abs(levels[-1][0].box.bottom - line.box.bottom) < LEVEL * line.size:
            levels[-1].append(line)
        else:
            levels.append([line])
    return levels


def _is_in(line: Line, box: Box) -> bool:
    return box.top < line.box.middle < box.bottom and box.left - 1 < line.box.centre < box.right + 1


def _are_even(table: Block, levels: Sequence[Sequence[Line]]) -> bool:
    """Whether each filled cell has something on every level of its row, the head aside."""
    for row in table.rows[1:]:
        whole, boxes = hull_of(row), [cell.box for cell in row if cell.box and cell.text.strip()]
        own = [level for level in levels if whole and whole.top < level[0].box.middle < whole.bottom]
        if not all(any(_is_in(line, box) for line in level) for box in boxes for level in own):
            return False
    return True


def _are_apart(table: Block, levels: Sequence[Sequence[Line]]) -> bool:
    """Whether no two levels stand as close as the lines of one cell do, the head aside."""
    body = [level[0] for level in _body(table, levels)]
    return all(line.box.bottom - above.box.bottom > _APART * line.size for above, line in pairwise(body))


def _body(table: Block, levels: Sequence[Sequence[Line]]) -> list[Sequence[Line]]:
    """The levels below the first row."""
    top = min((cell.box.top for cell in table.rows[1] if cell.box), default=0.0)
    return [level for level in levels if level[0].box.bottom > top + level[0].size / 2]


def _part(table: Block, levels: Sequence[Sequence[Line]]) -> None:
    body = _body(table, levels)
    pieces = [line for level in body for line in level]
    columns = _columns(pieces)
    if len(columns) < max(_FEW, *map(len, table.rows)) or sum(map(_is_figure, pieces)) < _FIGURES * len(pieces):
        return
    head = [line for level in levels[: len(levels) - len(body)] for line in level]
    rows = [_row(level, columns) for level in [head, *body]]
    if _words(rows) == _words(table.rows):
        table.rows = rows


def _words(rows: Iterable[Iterable[Cell]]) -> Counter[str]:
    """All words without signs of emphasis: what the library has put into other signs, such as a formula, differs."""
    return Counter(" ".join([cell.text for row in rows for cell in row]).replace("*", "").replace("\\", "").split())


def _is_figure(piece: Line) -> bool:
    return 0 < sum(map(str.isdigit, piece.text)) >= sum(map(str.isalpha, piece.text))


def _columns(pieces: Sequence[Line]) -> list[tuple[float, float]]:
    """Where something stands from left to right; nothing stands between two columns."""
    columns: list[tuple[float, float]] = []
    for piece in sorted(pieces, key=lambda piece: piece.box.left):
        if columns and piece.box.left < columns[-1][1]:
            columns[-1] = columns[-1][0], max(columns[-1][1], piece.box.right)
        else:
            columns.append((piece.box.left, piece.box.right))
    return columns


def _row(level: Sequence[Line], columns: Sequence[tuple[float, float]]) -> list[Cell]:
    cells = [Cell("")] * len(columns)
    for line in level:
        middle = line.box.centre
        at = min(range(len(columns)), key=lambda at: abs(sum(columns[at]) / 2 - middle))
        cells[at] = Cell(f"{cells[at].text} {line.text}".strip(), line.box)
    return cells
