"""The tables of pages as pipe tables; tables for layout alone are taken apart."""

from __future__ import annotations

from collections.abc import Iterator

from prioris_mcp.adapters.parsers.html.elements import HEADINGS, classes, is_cell, is_dropped, is_row, is_tabular
from prioris_mcp.adapters.parsers.html.walk import HtmlWalk
from prioris_mcp.adapters.parsers.markdown import pipe_tables
from prioris_mcp.adapters.parsers.markdown.blocks import BlockKind, MarkdownBlock
from prioris_mcp.adapters.parsers.markdown.pipe_tables import TableCell, TableRow
from prioris_mcp.adapters.parsers.xml.elements import Element, names, tag

_LAYOUT_TAGS = HEADINGS | names("ul ol dl hr pre blockquote")


def table(walk: HtmlWalk, node: Element, level: int) -> list[MarkdownBlock]:
    """Write a pipe table with its caption, or the blocks of its cells where it only lays them out."""
    if _is_layout(node):
        return [block for cell in node.iter() if _is_own_cell(cell, node) for block in walk.blocks(cell, level)]
    captions = [block for child in node if tag(child) == "caption" for block in walk.blocks(child, level)]
    lines = list(pipe_tables.expanded(_row(walk, row) for row in _rows(node)))
    if not lines:
        return captions
    if len(lines) == 1 and len(lines[0].cells) == 1:
        return [*captions, MarkdownBlock(lines[0].cells[0].replace("\\|", "|"))]
    return [*captions, MarkdownBlock(pipe_tables.pipe_table(lines), BlockKind.TABLE)]


def _is_layout(node: Element) -> bool:
    """Tell whether cells hold tables in their own right, or, on an author's page, headings and lists."""
    if any(is_tabular(below) and _has_columns(below) for below in node.iterdescendants()):
        return True
    is_latexml = any(mark.startswith("ltx_") for mark in classes(node))
    return not is_latexml and any(tag(below) in _LAYOUT_TAGS for below in node.iterdescendants())


def _has_columns(node: Element) -> bool:
    """Tell whether a table inside a cell is more than a stack of lines."""
    return any(sum(map(is_cell, row)) > 1 for row in node.iter() if is_row(row))


def _is_own_cell(cell: Element, node: Element) -> bool:
    return is_cell(cell) and next(filter(is_tabular, cell.iterancestors()), None) is node


def _rows(node: Element) -> Iterator[Element]:
    """Return the rows of a table itself."""
    for row in node.iter():
        if is_row(row) and not is_dropped(row) and next(filter(is_tabular, row.iterancestors()), None) is node:
            yield row


def _row(walk: HtmlWalk, row: Element) -> TableRow:
    parent = row.getparent()
    in_head = tag(parent) == "thead" or "ltx_thead" in classes(parent)
    cells = [cell for cell in row if is_cell(cell) and not is_dropped(cell)]
    return TableRow([_cell(walk, cell) for cell in cells], in_head or (bool(cells) and all(map(_is_head_cell, cells))))


def _cell(walk: HtmlWalk, cell: Element) -> TableCell:
    text = walk.inline.line(cell).replace("|", "\\|")
    return TableCell(text, pipe_tables.columns(_span(cell, "colspan")), pipe_tables.rows(_span(cell, "rowspan")))


def _is_head_cell(cell: Element) -> bool:
    return tag(cell) == "th" or "ltx_th" in classes(cell)


def _span(cell: Element, name: str) -> str:
    """Return what a cell says of its columns or rows, in its attribute or in LaTeXML's class."""
    prefix = f"ltx_{name}_"
    return cell.get(name) or next((mark[len(prefix) :] for mark in classes(cell) if mark.startswith(prefix)), "1")
