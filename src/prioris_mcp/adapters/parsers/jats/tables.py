"""Tables with their captions and notes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prioris_mcp.adapters.parsers.jats.walk import JatsInline, JatsWalk
from prioris_mcp.adapters.parsers.markdown import pipe_tables
from prioris_mcp.adapters.parsers.markdown.blocks import BlockKind, MarkdownBlock, paragraphs
from prioris_mcp.adapters.parsers.markdown.pipe_tables import TableCell, TableRow
from prioris_mcp.adapters.parsers.xml.elements import Element, children, find, tag

_ROWS = ("tr", "row")
_CELLS = ("td", "th", "entry")
"""Rows and cells of HTML's tables, and of the older kind that some publishers use."""
_FORMULA_OR_BAR = re.compile(r"(?<!\\)\$[^$]+(?<!\\)\$|\\?\|")
_BARS = re.compile(r"\\?\|")


def table(walk: JatsWalk, node: Element, _level: int) -> list[MarkdownBlock]:
    """Write a pipe table; without any row, its text."""
    if lines := list(pipe_tables.expanded(_rows(walk.inline, node))):
        return [MarkdownBlock(pipe_tables.pipe_table(lines), BlockKind.TABLE)]
    return paragraphs([walk.inline.line(node)])


def _rows(inline: JatsInline, node: Element) -> Iterator[TableRow]:
    """Yield the rows of a table itself; without a head of its own, rows of head cells at its top are one."""
    own = [row for row in node.iter() if tag(row) in _ROWS and _table_of(row) is node]
    has_head = any(tag(row.getparent()) == "thead" for row in own)
    places = {spec.get("colname"): at for at, spec in enumerate(find(node, "colspec"))}
    for row in own:
        cells = children(row, *_CELLS)
        is_head = tag(row.getparent()) == "thead" if has_head else all(tag(cell) == "th" for cell in cells)
        yield TableRow([_cell(inline, cell, places) for cell in cells], is_head, row.getparent())


def _table_of(row: Element) -> Element | None:
    return next((above for above in row.iterancestors() if tag(above) in ("table", "array")), None)


def _cell(inline: JatsInline, cell: Element, places: dict[str | None, int]) -> TableCell:
    text = _FORMULA_OR_BAR.sub(_barred, inline.line(cell))
    more = cell.get("morerows") or "0"
    height = cell.get("rowspan") or (str(int(more[:9]) + 1) if more.isascii() and more.isdigit() else "1")
    return TableCell(text, pipe_tables.columns(cell.get("colspan") or _width(cell, places)), pipe_tables.rows(height))


def _width(cell: Element, places: dict[str | None, int]) -> str:
    """Return how many columns a cell covers that names its first and last."""
    first, last = places.get(cell.get("namest")), places.get(cell.get("nameend"))
    return str(last - first + 1) if first is not None and last is not None else "1"


def _barred(match: re.Match[str]) -> str:
    """Keep a bar from ending the cell: in a formula it has a name, elsewhere it is escaped."""
    if not match[0].startswith("$"):
        return "\\|"
    named = _BARS.sub(lambda bar: "\\Vert " if len(bar[0]) > 1 else "\\vert ", match[0])
    return f"{named[:-1].rstrip()}$"
