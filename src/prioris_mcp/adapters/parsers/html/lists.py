"""Lists, lists of definitions and bibliographies."""

from __future__ import annotations

import re

from prioris_mcp.adapters.parsers.html.elements import classes, is_dropped, with_class
from prioris_mcp.adapters.parsers.html.walk import HtmlWalk
from prioris_mcp.adapters.parsers.markdown.blocks import BlockKind, MarkdownBlock, entry, list_marker
from prioris_mcp.adapters.parsers.markdown.text import emphasised, escape
from prioris_mcp.adapters.parsers.xml.elements import Element, cut, names, plain, tag

LISTS = names("ul ol dl menu dir")
ITEMS = names("li dt dd")


def items(walk: HtmlWalk, node: Element, level: int) -> list[MarkdownBlock]:
    """Write the entries of a list in order; what stands between them is kept as it is."""
    if tag(node) == "dl" and any(tag(child) == "dt" for child in node):
        return _definitions(walk, node, level)
    return _numbered(walk, node, level) if tag(node) == "ol" else walk.blocks(node, level)


def _definitions(walk: HtmlWalk, node: Element, level: int) -> list[MarkdownBlock]:
    """Write terms with what they mean; several terms may share one meaning, and one may have several."""
    found: list[MarkdownBlock] = []
    terms: list[str] = []
    for child in node:
        if is_dropped(child):
            continue
        if tag(child) == "dt":
            terms += filter(None, [walk.inline.line(child).strip("*")])
            continue
        meaning = walk.blocks(child, level)
        label = [MarkdownBlock(emphasised(", ".join(terms), "**"), BlockKind.RUN_IN)] if terms else []
        found += [entry("-", [*label, *meaning])] if label or meaning else []
        terms = []
    return found + ([_term(", ".join(terms))] if terms else [])


def _term(term: str) -> MarkdownBlock:
    return MarkdownBlock(f"- {emphasised(term, '**')}", BlockKind.ITEM)


def _numbered(walk: HtmlWalk, node: Element, level: int) -> list[MarkdownBlock]:
    start = node.get("start") or "1"
    number = int(start) if re.fullmatch(r"\d{1,9}", start) else 1
    found: list[MarkdownBlock] = []
    for child in node:
        if is_dropped(child):
            continue
        if tag(child) == "li":
            found += _entry(walk, child, level, f"{number}.")
            number += 1
        else:
            found += walk.blocks(child, level)
    return found


def item(walk: HtmlWalk, node: Element, level: int) -> list[MarkdownBlock]:
    """Write one entry, also one that stands outside any list."""
    if "ltx_bibitem" in classes(node):
        return _reference(walk, node)
    if tag(node) == "dt":
        term = walk.inline.line(node).strip("*")
        return [_term(term)] if term else []
    return _entry(walk, node, level, "")


def _entry(walk: HtmlWalk, node: Element, level: int, number: str) -> list[MarkdownBlock]:
    if "ltx_bibitem" in classes(node):
        return _reference(walk, node)
    made = list_marker(_cut_label(node), number)
    blocks = walk.blocks(node, level)
    return [entry(made, blocks)] if blocks or made not in ("-", number) else []


def _cut_label(node: Element) -> str:
    """Take LaTeXML's label out of an entry."""
    label = next((child for child in node if "ltx_tag" in classes(child)), None)
    if label is None:
        return ""
    text = plain(label)
    cut(label)
    return text


def _reference(walk: HtmlWalk, node: Element) -> list[MarkdownBlock]:
    """Write an entry of a bibliography on one line, its label first."""
    label = next(with_class(node, "ltx_bibtag", "ltx_tag_bibitem", "ltx_tag"), None)
    name = escape(plain(label)) if label is not None else ""
    if label is not None:
        cut(label)
    text = " ".join(filter(None, [name, walk.inline.line(node)]))
    return [MarkdownBlock(f"- {text}", BlockKind.ITEM)] if text else []
