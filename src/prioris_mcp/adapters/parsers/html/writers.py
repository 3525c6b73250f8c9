"""The table of who writes which blocks of a page."""

from __future__ import annotations

from functools import lru_cache

from prioris_mcp.adapters.parsers.html import front, listings, lists, math, tables
from prioris_mcp.adapters.parsers.html.elements import HEADINGS
from prioris_mcp.adapters.parsers.html.walk import HtmlWalk, Writer
from prioris_mcp.adapters.parsers.markdown.blocks import BlockKind, MarkdownBlock, quoted
from prioris_mcp.adapters.parsers.xml.elements import Element, names


def _equations(_walk: HtmlWalk, node: Element, _level: int) -> list[MarkdownBlock]:
    return [MarkdownBlock(text) for text in math.equations(node)]


def _quote(walk: HtmlWalk, node: Element, level: int) -> list[MarkdownBlock]:
    return quoted(walk.blocks(node, level))


def _rule(_walk: HtmlWalk, _node: Element, _level: int) -> list[MarkdownBlock]:
    return []


def _listing(walk: HtmlWalk, node: Element, _level: int) -> list[MarkdownBlock]:
    return [MarkdownBlock(text, BlockKind.VERBATIM) for text in listings.listing(walk.inline, node) if text]


WRITERS: tuple[tuple[frozenset[str], frozenset[str], Writer], ...] = (
    (HEADINGS, names(""), front.heading),
    (names(""), names("ltx_authors"), front.authors),
    (names(""), front.LABELLED, front.labelled),
    (names(""), math.EQUATIONS, _equations),
    (names("table"), names("ltx_tabular"), tables.table),
    (names("pre"), names("ltx_listing"), _listing),
    (lists.LISTS, names("ltx_itemize ltx_enumerate ltx_description"), lists.items),
    (lists.ITEMS, names("ltx_item"), lists.item),
    (names("figcaption caption"), names("ltx_caption"), front.caption),
    (names("blockquote"), names("ltx_quote"), _quote),
    (names("hr"), names(""), _rule),
)
"""Tags, classes, and who writes an element that has one of either; the first that fits."""


@lru_cache(4096)
def writer_of(name: str, marks: frozenset[str]) -> Writer | None:
    """Return who writes an element of a name with some classes; None where it is what is inside it."""
    return next((writer for tags, wanted, writer in WRITERS if name in tags or not wanted.isdisjoint(marks)), None)
