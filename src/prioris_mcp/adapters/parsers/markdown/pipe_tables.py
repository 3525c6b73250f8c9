"""Write tables as pipe tables: cells that span are repeated within bounds, head rows are merged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

_MAX_COLSPAN = 60
_MAX_ROWSPAN = 200
_MAX_COLUMNS = 500


class TableCell(NamedTuple):
    """A cell on one line, and how many columns and rows it covers."""

    text: str
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True, slots=True)
class TableRow:
    """Cells side by side, whether they are the head's, and what they share with the rows that a cell may reach."""

    cells: list[TableCell]
    is_head: bool
    group: object = None


@dataclass(frozen=True, slots=True)
class TableLine:
    """A row with a text for every column."""

    cells: list[str]
    is_head: bool


_Above = dict[int, tuple[int, str]]
"""What cells above still cover: column to (rows, text)."""


def columns(value: str) -> int:
    """Return how many columns an attribute asks for, within bounds."""
    return _bounded(value, _MAX_COLSPAN)


def rows(value: str) -> int:
    """Return how many rows an attribute asks for, within bounds."""
    return _bounded(value, _MAX_ROWSPAN)


def _bounded(value: str, maximum: int) -> int:
    return max(1, min(maximum, int(value))) if value.isascii() and value.isdigit() and len(value) < 12 else 1


def expanded(table: Iterable[TableRow]) -> Iterator[TableLine]:
    """Yield rows with a cell in every column that a span covers; rows without any text are left out."""
    above: _Above = {}
    group: object = None
    for row in table:
        if row.group is not group:
            above, group = {}, row.group
        filled, above = _filled(row.cells, above)
        if any(filled):
            yield TableLine(filled, row.is_head)


def _filled(cells: list[TableCell], above: _Above) -> tuple[list[str], _Above]:
    """Return one row, and what its cells and those *above* still cover of the rows below."""
    filled: list[str] = []
    below: _Above = {}

    def carry() -> None:
        while len(filled) in above:
            left, text = above[len(filled)]
            if left > 1:
                below[len(filled)] = (left - 1, text)
            filled.append(text)

    for cell in cells:
        carry()
        # A cell that is a row of its own is a heading within the table: once is enough.
        repeats = len(cells) > 1 or bool(above)
        for index in range(cell.columns if len(filled) < _MAX_COLUMNS else 0):
            if cell.rows > 1:
                below[len(filled)] = (cell.rows - 1, cell.text)
            filled.append(cell.text if index == 0 or repeats else "")
    carry()
    return filled, below


def pipe_table(lines: list[TableLine]) -> str:
    """Return the Markdown of a table, its first row the head where none is marked as one."""
    width = max(len(line.cells) for line in lines)
    heads = next((number for number, line in enumerate(lines) if not line.is_head), 1) or 1
    written = [_merged([line.cells for line in lines[:heads]], width), *(line.cells for line in lines[heads:])]
    head, *body = [_piped(cells, width) for cells in written]
    return "\n".join([head, "|" + " --- |" * width, *body])


def _merged(heads: list[list[str]], width: int) -> list[str]:
    """Merge several head rows to the one that pipe tables have; a name that spans rows is not repeated."""
    stacks = [[cells[column] for cells in heads if column < len(cells)] for column in range(width)]
    return [" ".join(dict.fromkeys(filter(None, names))) for names in stacks]


def _piped(cells: list[str], width: int) -> str:
    return "| " + " | ".join([*cells, *[""] * (width - len(cells))]) + " |"
