"""The walk over the blocks of an article: each kind has its writer, everything else is what it holds."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import TYPE_CHECKING

from prioris_mcp.adapters.parsers.html.elements import names, tag
from prioris_mcp.adapters.parsers.jats import figures, footnotes, lists, references, tables
from prioris_mcp.adapters.parsers.jats.elements import DROPPED, blocky, child, find
from prioris_mcp.adapters.parsers.jats.footnotes import Notes
from prioris_mcp.adapters.parsers.jats.inline import Inline
from prioris_mcp.adapters.parsers.jats.math import display_blocks
from prioris_mcp.adapters.parsers.jats.text import Running, title_text
from prioris_mcp.adapters.parsers.markdown.blocks import Block, Kind, paragraphs
from prioris_mcp.adapters.parsers.markdown.text import emphasised, fenced

if TYPE_CHECKING:
    from prioris_mcp.adapters.parsers.html.elements import Element

Writer = Callable[["Walk", "Element", int], list[Block]]

_TITLE = names("title label")
_UNTITLED = {"ack": "Acknowledgements", "app": "Appendix", "glossary": "Glossary"}


class Walk:
    """One article on its way to Markdown."""

    def __init__(self, article: Element) -> None:
        """Look over the article once for its blocks, its notes and what floats."""
        self.inline = Inline(Notes(article))
        self._blocky = blocky(article)
        self._floats = {
            part.get("id"): part for group in find(article, "floats-group") for part in group if part.get("id")
        }
        self._placed: set[Element] = set()

    def blocks(self, node: Element, level: int, skip: Container[str] = ()) -> list[Block]:
        """The blocks inside *node*, but for the children named in *skip*; *level* is that of a heading in there."""
        found: list[Block] = []
        running = Running(node.text)
        for part in node:
            if part in self._blocky and tag(part) not in DROPPED and tag(part) not in skip:
                found += [*paragraphs(running.parts), *self.block(part, level)]
                running = Running()
            elif tag(part) not in skip:
                running.add(self.inline.element(part))
            running.add_text(part.tail)
        return found + paragraphs(running.parts)

    def block(self, node: Element, level: int) -> list[Block]:
        """The blocks that an element makes."""
        writer = _WRITERS.get(tag(node), _plain)
        return writer(self, node, level)

    def title(self, node: Element, *, label: Element | None = None) -> str:
        """Label and title of an element on one line, the label once."""
        number = self.inline.line(child(node, "label") if label is None else label)
        text = title_text(self.inline.line(child(node, "title")))
        if not number or not text or text.startswith(number):
            return text or title_text(number)
        return f"{title_text(number).rstrip('.:')}. {text}"

    def heading(self, node: Element, level: int, default: str = "", *, label: Element | None = None) -> list[Block]:
        """The title of an element as a heading."""
        text = self.title(node, label=label).rstrip(" :") or default
        return [Block(f"{'#' * min(6, level)} {text}", Kind.HEADING)] if text else []

    def run_in(self, node: Element) -> list[Block]:
        """The title of an element as a bold line."""
        text = self.title(node)
        return [Block(emphasised(text, "**"))] if text else []

    def floats_for(self, node: Element) -> list[Block]:
        """What stands apart in the source and is first referred to in *node*."""
        if not self._floats:
            return []
        wanted = (name for mark in find(node, "xref") for name in (mark.get("rid") or "").split())
        return [block for name in wanted for block in self._placed_now(self._floats.get(name))]

    def floats_left(self, article: Element) -> list[Block]:
        """What stands apart in the source and was referred to nowhere."""
        groups = [part for part in article if tag(part) == "floats-group"]
        return [block for group in groups for part in group for block in self._placed_now(part)]

    def _placed_now(self, part: Element | None) -> list[Block]:
        if part is None or part in self._placed:
            return []
        self._placed.add(part)
        return self.block(part, _DEEPEST)


_DEEPEST = 6


def _plain(walk: Walk, node: Element, level: int) -> list[Block]:
    return walk.blocks(node, level)


def _nothing(_walk: Walk, _node: Element, _level: int) -> list[Block]:
    return []


def section(walk: Walk, node: Element, level: int) -> list[Block]:
    """A section: its title one level below the section around it; without a title it is none."""
    head = walk.heading(node, level, _UNTITLED.get(tag(node), ""))
    return [*head, *walk.blocks(node, level + bool(head), _TITLE)]


def _group(walk: Walk, node: Element, level: int) -> list[Block]:
    return [*walk.heading(node, level), *walk.blocks(node, level, _TITLE)]


def _paragraph(walk: Walk, node: Element, level: int) -> list[Block]:
    found = walk.blocks(node, level)
    above = node.getparent()
    return [*found, *walk.floats_for(node)] if tag(above) in ("sec", "body", "app") else found


def _formula(walk: Walk, node: Element, _level: int) -> list[Block]:
    return display_blocks(walk.inline, node)


def _verbatim(_walk: Walk, node: Element, _level: int) -> list[Block]:
    text = "".join(node.itertext()).strip("\n").rstrip()
    return [Block(fenced(text), Kind.VERBATIM)] if text.strip() else []


_WRITERS: dict[str, Writer] = {
    "p": _paragraph,
    "sec": section,
    "app": section,
    "ack": section,
    "glossary": section,
    "notes": section,
    "bio": section,
    "app-group": _group,
    "disp-formula": _formula,
    "disp-formula-group": _formula,
    "preformat": _verbatim,
    "code": _verbatim,
    "fig": figures.figure,
    "chem-struct-wrap": figures.figure,
    "chem-struct-wrapper": figures.figure,
    "fig-group": figures.captioned,
    "table-wrap": figures.captioned,
    "table-wrap-group": figures.captioned,
    "graphic": figures.graphic,
    "media": figures.attachment,
    "supplementary-material": figures.attachment,
    "alternatives": figures.alternatives,
    "table": tables.table,
    "array": tables.table,
    "table-wrap-foot": footnotes.table_foot,
    "fn-group": footnotes.note_group,
    "ref-list": references.reference_list,
    "ref": references.reference,
    "list": lists.listing,
    "def-list": lists.definitions,
    "disp-quote": lists.quotation,
    "verse-group": lists.verse,
    "boxed-text": lists.boxed,
    "speech": lists.spoken,
    "statement": lists.statement,
    **dict.fromkeys(DROPPED | names("floats-group"), _nothing),
}
