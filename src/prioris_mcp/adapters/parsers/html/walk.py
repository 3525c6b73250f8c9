"""The walk over a page's blocks: each kind of block has its writer, everything else is paragraphs."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from prioris_mcp.adapters.parsers.html import front, lists, math, tables
from prioris_mcp.adapters.parsers.html.elements import (
    HEADINGS,
    SECTIONS,
    classes,
    holders_of_blocks,
    is_dropped,
    names,
    tag,
)
from prioris_mcp.adapters.parsers.html.inline import Inline
from prioris_mcp.adapters.parsers.html.listings import listing
from prioris_mcp.adapters.parsers.markdown.blocks import Block, Kind, joined, paragraphs, quoted
from prioris_mcp.adapters.parsers.markdown.text import escape

if TYPE_CHECKING:
    from prioris_mcp.adapters.parsers.html.elements import Element

Writer = Callable[["Page", "Element", int], list[Block]]

_ABOVE_TITLE = 4


class Page:
    """One page on its way to Markdown."""

    def __init__(self, root: Element) -> None:
        """Look over *root* once to learn which of its elements hold blocks."""
        self.inline = Inline()
        self._holders = holders_of_blocks(root)

    def write(self, root: Element) -> str:
        """The Markdown of everything below *root*, the definitions of footnotes last."""
        parts = [joined(_title_first(self.blocks(root, 1))), self.inline.definitions()]
        return "\n\n".join(filter(None, parts))

    def blocks(self, node: Element, level: int) -> list[Block]:
        """The blocks inside *node*, which lies within *level* - 1 sections."""
        found: list[Block] = []
        running = [escape(node.text or "")]
        for child in node:
            if child in self._holders and not is_dropped(child):
                found += [*paragraphs(running), *self._block(child, level)]
                running = []
            else:
                running.append(self.inline.element(child))
            running.append(escape(child.tail or ""))
        return found + paragraphs(running)

    def _block(self, node: Element, level: int) -> list[Block]:
        marks = classes(node)
        if writer := _writer(tag(node), marks):
            return writer(self, node, level)
        return self.blocks(node, level if SECTIONS.isdisjoint(marks) else level + 1)


def _title_first(blocks: list[Block]) -> list[Block]:
    """A licence or a banner of the authors' own may stand above the title."""
    at = next((at for at, block in enumerate(blocks[:_ABOVE_TITLE]) if block.text.startswith("# ")), 0)
    return [*blocks[at : at + 1], *blocks[:at], *blocks[at + 1 :]]


def _equations(_page: Page, node: Element, _level: int) -> list[Block]:
    return [Block(text) for text in math.equations(node)]


def _quote(page: Page, node: Element, level: int) -> list[Block]:
    return quoted(page.blocks(node, level))


def _rule(_page: Page, _node: Element, _level: int) -> list[Block]:
    return []


def _listing(page: Page, node: Element, _level: int) -> list[Block]:
    return [Block(text, Kind.VERBATIM) for text in listing(page.inline, node) if text]


_WRITERS: tuple[tuple[frozenset[str], frozenset[str], Writer], ...] = (
    (HEADINGS, names(""), front.heading),
    (names(""), names("ltx_authors"), front.authors),
    (names(""), front.LABELLED, front.labelled),
    (names(""), math.EQUATIONS, _equations),
    (names("table"), names("ltx_tabular"), tables.table),
    (names("pre"), names("ltx_listing"), _listing),
    (lists.LISTS, names(""), lists.items),
    (lists.ITEMS, names(""), lists.item),
    (names("figcaption caption"), names("ltx_caption"), front.caption),
    (names("blockquote"), names("ltx_quote"), _quote),
    (names("hr"), names(""), _rule),
)
"""Tags, classes, and who writes an element that has one of either; the first that fits."""


@lru_cache(4096)
def _writer(name: str, marks: frozenset[str]) -> Writer | None:
    return next((writer for tags, wanted, writer in _WRITERS if name in tags or not wanted.isdisjoint(marks)), None)
