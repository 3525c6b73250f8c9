"""Lists, lists of definitions and bibliographies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prioris_mcp.adapters.parsers.html.elements import classes, cut, is_dropped, names, plain, tag, with_class
from prioris_mcp.adapters.parsers.markdown.blocks import Block, Kind, entry
from prioris_mcp.adapters.parsers.markdown.text import emphasised, escape

if TYPE_CHECKING:
    from prioris_mcp.adapters.parsers.html.elements import Element
    from prioris_mcp.adapters.parsers.html.walk import Page

LISTS = names("ul ol dl menu dir")
ITEMS = names("li dt dd")

_BULLETS = frozenset(["", "•", "–", "—", "∗", "-", "*", "·", "◦", "\\*", "\\-"])
_NUMBER = re.compile(r"\(?(\d{1,9})[.)]?")


def items(page: Page, node: Element, level: int) -> list[Block]:
    """The entries of a list in order; what stands between them is kept as it is."""
    return _numbered(page, node, level) if tag(node) == "ol" else page.blocks(node, level)


def _numbered(page: Page, node: Element, level: int) -> list[Block]:
    start = node.get("start") or "1"
    number = int(start) if re.fullmatch(r"\d{1,9}", start) else 1
    found: list[Block] = []
    for child in node:
        if is_dropped(child):
            continue
        if tag(child) == "li":
            found += _entry(page, child, level, f"{number}.")
            number += 1
        else:
            found += page.blocks(child, level)
    return found


def item(page: Page, node: Element, level: int) -> list[Block]:
    """One entry, also one that stands outside any list."""
    if "ltx_bibitem" in classes(node):
        return _reference(page, node)
    if tag(node) == "dt":
        term = emphasised(page.inline.line(node).strip("*"), "**")
        return [Block(f"- {term}", Kind.ITEM)] if term else []
    return _entry(page, node, level, "")


def _entry(page: Page, node: Element, level: int, number: str) -> list[Block]:
    if "ltx_bibitem" in classes(node):
        return _reference(page, node)
    made = marker(_cut_label(node), number)
    blocks = page.blocks(node, level)
    return [entry(made, blocks)] if blocks or made not in ("-", number) else []


def marker(label: str, number: str) -> str:
    """What starts an entry: a number or bullet, then the author's own label where it is neither."""
    own = _NUMBER.fullmatch(label)
    if number:
        return f"{own[1]}." if own else number if label in _BULLETS else f"- {escape(label)}"
    return "-" if label in _BULLETS else f"- {escape(label)}"


def _cut_label(node: Element) -> str:
    """Take LaTeXML's label out of an entry."""
    label = next((child for child in node if "ltx_tag" in classes(child)), None)
    if label is None:
        return ""
    text = plain(label)
    cut(label)
    return text


def _reference(page: Page, node: Element) -> list[Block]:
    """An entry of a bibliography on one line, its label first."""
    label = next(with_class(node, "ltx_bibtag", "ltx_tag_bibitem", "ltx_tag"), None)
    name = escape(plain(label)) if label is not None else ""
    if label is not None:
        cut(label)
    text = " ".join(filter(None, [name, page.inline.line(node)]))
    return [Block(f"- {text}", Kind.ITEM)] if text else []
