"""Tables as pipe tables: spans expanded within bounds, head rows merged, tables for layout alone taken apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prioris_mcp.adapters.parsers.html_blocks import Block, Kind
from prioris_mcp.adapters.parsers.html_tree import (
    HEADINGS,
    classes,
    is_cell,
    is_dropped,
    is_row,
    is_tabular,
    names,
    tag,
)

if TYPE_CHECKING:
    from prioris_mcp.adapters.parsers.html_page import Page
    from prioris_mcp.adapters.parsers.html_tree import Element

_MAX_COLSPAN = 60
_MAX_ROWSPAN = 200
_MAX_COLUMNS = 500
_LAYOUT_TAGS = HEADINGS | names("ul ol dl hr pre blockquote")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of cells on one line each, and whether it belongs to the head."""

    cells: list[str]
    is_head: bool


def table(page: Page, node: Element, level: int) -> list[Block]:
    """A pipe table with its caption, or the blocks of its cells where it only lays them out."""
    if _is_layout(node):
        return [block for cell in node.iter() if _is_own_cell(cell, node) for block in page.blocks(cell, level)]
    captions = [block for child in node if tag(child) == "caption" for block in page.blocks(child, level)]
    rows = list(_expanded(page, list(_rows(node))))
    width = max((len(row.cells) for row in rows), default=0)
    if not width:
        return captions
    if width == 1 and len(rows) == 1:
        return [*captions, Block(rows[0].cells[0].replace("\\|", "|"))]
    return [*captions, Block("\n".join(_lines(rows, width)), Kind.TABLE)]


def _is_layout(node: Element) -> bool:
    """Whether cells hold tables in their own right, or, on an author's page, headings and lists."""
    if any(is_tabular(below) and _has_columns(below) for below in node.iterdescendants()):
        return True
    is_latexml = any(mark.startswith("ltx_") for mark in classes(node))
    return not is_latexml and any(tag(below) in _LAYOUT_TAGS for below in node.iterdescendants())


def _has_columns(node: Element) -> bool:
    """Whether a table inside a cell is more than a stack of lines."""
    return any(sum(map(is_cell, row)) > 1 for row in node.iter() if is_row(row))


def _is_own_cell(cell: Element, node: Element) -> bool:
    return is_cell(cell) and next(filter(is_tabular, cell.iterancestors()), None) is node


def _rows(node: Element) -> Iterator[tuple[Element, bool]]:
    """The rows of a table itself, with whether they stand in its head."""
    for row in node.iter():
        if is_row(row) and not is_dropped(row) and next(filter(is_tabular, row.iterancestors()), None) is node:
            parent = row.getparent()
            yield row, tag(parent) == "thead" or "ltx_thead" in classes(parent)


def _expanded(page: Page, rows: list[tuple[Element, bool]]) -> Iterator[Row]:
    """Rows with a cell in every column that a span covers; rows without any text are left out."""
    pending: dict[int, tuple[int, str]] = {}
    for row, in_head in rows:
        cells = [cell for cell in row if is_cell(cell) and not is_dropped(cell)]
        filled, pending = _filled(page, cells, pending)
        if any(filled):
            yield Row(filled, in_head or (bool(cells) and all(map(_is_head_cell, cells))))


def _filled(
    page: Page, cells: list[Element], above: dict[int, tuple[int, str]]
) -> tuple[list[str], dict[int, tuple[int, str]]]:
    """One row, and what its cells and those *above* still cover of the rows below: column to (rows, text)."""
    filled: list[str] = []
    below: dict[int, tuple[int, str]] = {}

    def carry() -> None:
        while len(filled) in above:
            left, text = above[len(filled)]
            if left > 1:
                below[len(filled)] = (left - 1, text)
            filled.append(text)

    for cell in cells:
        carry()
        text, rows = _cell(page, cell), _span(cell, "rowspan", _MAX_ROWSPAN)
        # A cell that is a row of its own is a heading within the table: once is enough.
        repeats = len(cells) > 1 or bool(above)
        for index in range(_span(cell, "colspan", _MAX_COLSPAN) if len(filled) < _MAX_COLUMNS else 0):
            if rows > 1:
                below[len(filled)] = (rows - 1, text)
            filled.append(text if index == 0 or repeats else "")
    carry()
    return filled, below


def _cell(page: Page, cell: Element) -> str:
    return page.inline.line(cell).replace("|", "\\|")


def _is_head_cell(cell: Element) -> bool:
    return tag(cell) == "th" or "ltx_th" in classes(cell)


def _span(cell: Element, name: str, most: int) -> int:
    """How many columns or rows a cell covers, from its attribute or LaTeXML's class."""
    prefix = f"ltx_{name}_"
    value = cell.get(name) or next((mark[len(prefix) :] for mark in classes(cell) if mark.startswith(prefix)), "1")
    return max(1, min(most, int(value))) if value.isascii() and value.isdigit() and len(value) < 12 else 1


def _lines(rows: list[Row], width: int) -> Iterator[str]:
    heads = next((number for number, row in enumerate(rows) if not row.is_head), 1) or 1
    yield _line(_merged([row.cells for row in rows[:heads]], width), width)
    yield "|" + " --- |" * width
    for row in rows[heads:]:
        yield _line(row.cells, width)


def _merged(heads: list[list[str]], width: int) -> list[str]:
    """Several head rows as one, which is all that pipe tables have; a name that spans rows is not repeated."""
    columns = [[cells[column] for cells in heads if column < len(cells)] for column in range(width)]
    return [" ".join(dict.fromkeys(filter(None, names))) for names in columns]


def _line(cells: list[str], width: int) -> str:
    return "| " + " | ".join([*cells, *[""] * (width - len(cells))]) + " |"
