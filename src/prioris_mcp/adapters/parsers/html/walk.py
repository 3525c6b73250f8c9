"""Walk over the blocks of a page: each kind has its writer, everything else is paragraphs.

The walk knows no writer by name: it is given the function that finds them, and the writers know the walk.
"""

from __future__ import annotations

from collections.abc import Callable

from prioris_mcp.adapters.parsers.html.elements import SECTIONS, classes, holders_of_blocks, is_dropped
from prioris_mcp.adapters.parsers.html.inline import HtmlInline
from prioris_mcp.adapters.parsers.markdown.blocks import MarkdownBlock, joined, paragraphs
from prioris_mcp.adapters.parsers.markdown.text import escape
from prioris_mcp.adapters.parsers.xml.elements import Element, tag

Writer = Callable[["HtmlWalk", Element, int], list[MarkdownBlock]]
WriterOf = Callable[[str, frozenset[str]], Writer | None]
"""Finds who writes an element of a name with some classes."""

_ABOVE_TITLE = 4


class HtmlWalk:
    """One page on its way to Markdown."""

    def __init__(self, root: Element, writer_of: WriterOf) -> None:
        """Look over *root* once to learn which of its elements hold blocks."""
        self.inline = HtmlInline(root)
        self._writer_of = writer_of
        self._holders = holders_of_blocks(root)

    def write(self, root: Element) -> str:
        """Return the Markdown of everything below *root*, the definitions of footnotes last."""
        parts = [joined(_title_first(self.blocks(root, 1))), self.inline.definitions()]
        return "\n\n".join(filter(None, parts))

    def blocks(self, node: Element, level: int) -> list[MarkdownBlock]:
        """Return the blocks inside *node*, which lies within *level* - 1 sections."""
        found: list[MarkdownBlock] = []
        running = [escape(node.text or "")]
        for child in node:
            if child in self._holders and not is_dropped(child):
                found += [*paragraphs(running), *self._block(child, level)]
                running = []
            else:
                running.append(self.inline.element(child))
            running.append(escape(child.tail or ""))
        return found + paragraphs(running)

    def _block(self, node: Element, level: int) -> list[MarkdownBlock]:
        marks = classes(node)
        if writer := self._writer_of(tag(node), marks):
            return writer(self, node, level)
        return self.blocks(node, level if SECTIONS.isdisjoint(marks) else level + 1)


def _title_first(blocks: list[MarkdownBlock]) -> list[MarkdownBlock]:
    """Put the title first: a licence or a banner of the authors' own may stand above it."""
    at = next((at for at, block in enumerate(blocks[:_ABOVE_TITLE]) if block.text.startswith("# ")), 0)
    return [*blocks[at : at + 1], *blocks[:at], *blocks[at + 1 :]]
