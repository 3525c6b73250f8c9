"""Titles of every level, the line of authors, labelled lines such as keywords, and captions."""

from __future__ import annotations

import re

from prioris_mcp.adapters.parsers.html.elements import HEADINGS, classes, is_dropped, with_class
from prioris_mcp.adapters.parsers.html.walk import HtmlWalk
from prioris_mcp.adapters.parsers.markdown.blocks import BlockKind, MarkdownBlock, joined
from prioris_mcp.adapters.parsers.markdown.text import escape, one_line
from prioris_mcp.adapters.parsers.xml.elements import Element, cut, names, plain, tag

LABELLED = frozenset({"ltx_keywords", "ltx_classification", "ltx_dates"})

_RUN_IN = names(
    "ltx_title_theorem ltx_title_proof ltx_title_keywords ltx_title_classification ltx_title_contents ltx_title_dates"
)
_BEFORE_STOP = re.compile(r" +(?=[.:,;])")
_STARS = re.compile(r"(?<!\\)\*+")
_CONTACT_LABEL = re.compile(r"^(?:Affiliation|E-?mail|ORCID|Thanks|Address)s?:\s*", re.IGNORECASE)


def heading(walk: HtmlWalk, node: Element, level: int) -> list[MarkdownBlock]:
    """Write a title as a heading; those that LaTeX runs into their text stay bold there."""
    text = _STARS.sub("", walk.inline.line(node)).strip()
    marks = classes(node)
    if not text:
        return []
    if not marks.isdisjoint(_RUN_IN):
        return [MarkdownBlock(f"**{_BEFORE_STOP.sub('', text)}**", BlockKind.RUN_IN)]
    return [MarkdownBlock(f"{'#' * _depth(node, marks, level)} {text}", BlockKind.HEADING)]


def _depth(node: Element, marks: frozenset[str], level: int) -> int:
    if "ltx_title_document" in marks:
        return 1
    # LaTeXML's own h-levels depend on the class of the document: its sections nest properly.
    return max(2, min(6, level)) if "ltx_title" in marks else int(tag(node)[1])


def authors(walk: HtmlWalk, node: Element, _level: int) -> list[MarkdownBlock]:
    """Write all authors on one line, each with what is known of them in brackets."""
    creators = list(with_class(node, "ltx_creator"))
    shown = [text for creator in creators if (text := _author(walk, creator))]
    line = "; ".join(shown) if shown else walk.inline.line(node)
    return [MarkdownBlock(f"**Authors:** {line}")] if line else []


def _author(walk: HtmlWalk, creator: Element) -> str:
    name = " ".join(walk.inline.line(part) for part in with_class(creator, "ltx_personname"))
    contacts: list[str] = []
    for part in with_class(creator, "ltx_contact"):
        text = _CONTACT_LABEL.sub("", walk.inline.line(part).strip(" ,;"))
        if text and "ltx_role_thanks" in classes(part):
            name += walk.inline.footnote(text)
        elif text and text not in contacts:
            contacts.append(text)
    return f"{name} ({'; '.join(contacts)})" if contacts else name


def labelled(walk: HtmlWalk, node: Element, level: int) -> list[MarkdownBlock]:
    """Write a line such as keywords, after its own label."""
    label = next((plain(child) for child in node if tag(child) in HEADINGS), "")
    body = joined(walk.blocks(node, level)).removeprefix(f"**{label}**")
    text = one_line(re.sub(r"^\*\*[^*]*\*\*", "", body)).lstrip(" :.")
    name = escape(label.strip(" :.")) or ("Keywords" if "ltx_keywords" in classes(node) else "")
    return [MarkdownBlock(f"**{name}:** {text}" if name else text)] if text else []


def caption(walk: HtmlWalk, node: Element, _level: int) -> list[MarkdownBlock]:
    """Write a caption on one line, its label bold."""
    label = next((child for child in node.iter() if "ltx_tag" in classes(child)), None)
    if label is None or is_dropped(label):
        text = walk.inline.line(node)
        return [MarkdownBlock(text)] if text else []
    name = plain(label).rstrip(" :.")
    # The label is cut out of the tree, its tail kept: it must not be read twice.
    cut(label)
    return [MarkdownBlock(f"**{escape(name)}.** {walk.inline.line(node)}".strip())]
