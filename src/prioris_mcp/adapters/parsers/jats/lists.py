"""Lists, definitions, verse and quotations."""

from __future__ import annotations

from collections.abc import Callable

from prioris_mcp.adapters.parsers.jats.walk import JatsWalk
from prioris_mcp.adapters.parsers.markdown.blocks import BlockKind, MarkdownBlock, entry, list_marker, quoted
from prioris_mcp.adapters.parsers.markdown.text import emphasised
from prioris_mcp.adapters.parsers.xml.elements import Element, child, children, names, tag, text_of

_LABEL = names("label")
_ROMAN = ((100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


def _roman(number: int) -> str:
    text = ""
    for value, sign in _ROMAN:
        text += sign * (number // value)
        number %= value
    return text


def _letter(number: int) -> str:
    return chr(ord("a") + (number - 1) % 26) * (1 + (number - 1) // 26)


_COUNTED: dict[str, Callable[[int], str]] = {
    "alpha-lower": lambda number: f"{_letter(number)}.",
    "alpha-upper": lambda number: f"{_letter(number).upper()}.",
    "roman-lower": lambda number: f"{_roman(number)}.",
    "roman-upper": lambda number: f"{_roman(number).upper()}.",
}
"""Kinds of lists that count otherwise than in digits."""


def listing(walk: JatsWalk, node: Element, level: int) -> list[MarkdownBlock]:
    """Write a list: its title, then its entries with their own labels where they have some."""
    found = walk.run_in(node)
    number = 0
    for part in node:
        if tag(part) == "list-item":
            number += 1
            found.append(entry(_marker(node, part, number), walk.blocks(part, level, _LABEL)))
        elif tag(part) not in ("title", "label", "x"):
            found += walk.block(part, level)
    return found


def _marker(node: Element, item: Element, number: int) -> str:
    kind, label = node.get("list-type") or "", text_of(child(item, "label"))
    if not label and kind in _COUNTED:
        label = _COUNTED[kind](number)
    return list_marker(label, f"{number}." if kind in ("order", "arabic", "ordered") else "")


def definitions(walk: JatsWalk, node: Element, level: int) -> list[MarkdownBlock]:
    """Write a list of terms and what they mean."""
    found = walk.run_in(node)
    for part in node:
        if tag(part) == "def-item":
            found.append(_definition(walk, part, level))
        elif tag(part) not in ("title", "label", "def-head", "term-head"):
            found += walk.block(part, level)
    return found


def _definition(walk: JatsWalk, item: Element, level: int) -> MarkdownBlock:
    terms = [walk.inline.line(term) for term in children(item, "term")]
    meaning = [block for part in children(item, "def") for block in walk.blocks(part, level)]
    name = ", ".join(filter(None, terms))
    return entry("-", [MarkdownBlock(emphasised(f"{name}:" if meaning else name, "**"), BlockKind.RUN_IN), *meaning])


def quotation(walk: JatsWalk, node: Element, level: int) -> list[MarkdownBlock]:
    """Write a quotation; who said it comes last."""
    said = [MarkdownBlock(f"— {text}") for part in children(node, "attrib") if (text := walk.inline.line(part))]
    return quoted([*walk.run_in(node), *walk.blocks(node, level, names("title label attrib")), *said])


def verse(walk: JatsWalk, node: Element, level: int) -> list[MarkdownBlock]:
    """Write lines of verse; they break where the poem does."""
    lines = [text for part in children(node, "verse-line") if (text := walk.inline.line(part))]
    own = [MarkdownBlock("\\\n".join(lines))] if lines else []
    rest = walk.blocks(node, level, names("title label verse-line"))
    return quoted([*walk.run_in(node), *own, *rest])


def boxed(walk: JatsWalk, node: Element, level: int) -> list[MarkdownBlock]:
    """Write a box: a section of its own where it has sections or a title, else a quotation."""
    holder = node if child(node, "title") is not None else child(node, "caption")
    skip = names("title label caption")
    if child(node, "title", "sec") is not None:
        head = walk.heading(holder if holder is not None else node, level, label=child(node, "label"))
        return [*head, *_caption_rest(walk, node, level), *walk.blocks(node, level + bool(head), skip)]
    name = walk.title(holder if holder is not None else node, label=child(node, "label"))
    head = [MarkdownBlock(emphasised(name, "**"))] if name else []
    return quoted([*head, *_caption_rest(walk, node, level), *walk.blocks(node, level, skip)])


def _caption_rest(walk: JatsWalk, node: Element, level: int) -> list[MarkdownBlock]:
    return [block for part in children(node, "caption") for block in walk.blocks(part, level, names("title"))]


def spoken(walk: JatsWalk, node: Element, level: int) -> list[MarkdownBlock]:
    """Write what somebody says, after the name."""
    speaker = walk.inline.line(child(node, "speaker")).rstrip(" :")
    head = [MarkdownBlock(f"**{speaker}:**", BlockKind.RUN_IN)] if speaker else []
    return [*head, *walk.blocks(node, level, names("speaker"))]


def statement(walk: JatsWalk, node: Element, level: int) -> list[MarkdownBlock]:
    """Write a theorem or the like: its name is bold and runs into its text."""
    name = walk.title(node)
    head = [MarkdownBlock(f"**{name.rstrip('.:')}.**", BlockKind.RUN_IN)] if name else []
    return [*head, *walk.blocks(node, level, names("title label"))]
