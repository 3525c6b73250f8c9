"""Lists of references, one entry for each work."""

from __future__ import annotations

import re

from prioris_mcp.adapters.parsers.jats.citations import citation, identifiers_beside, label_of, one_form_each
from prioris_mcp.adapters.parsers.jats.walk import JatsWalk
from prioris_mcp.adapters.parsers.markdown.blocks import BlockKind, MarkdownBlock
from prioris_mcp.adapters.parsers.xml.elements import Element, children, find, names, tag, text_of

_LABEL = names("label")


def reference_list(walk: JatsWalk, node: Element, level: int) -> list[MarkdownBlock]:
    """Write a list of references under its title; lists inside it are parts with titles of their own."""
    is_part = tag(node.getparent()) == "ref-list"
    if not is_part:
        _number(node)
    head = walk.heading(node, level, "" if is_part else "References")
    return [*head, *walk.blocks(node, level + bool(head), names("title label"))]


def _number(node: Element) -> None:
    """Give references the numbers by which the text cites them, where the list leaves them to the reader's program."""
    references = [*find(node, "ref")]
    if next(find(node, "label"), None) is not None:
        return
    marks = [(mark.get("rid"), text_of(mark).strip(" []()")) for mark in find(node.getroottree().getroot(), "xref")]
    cited = {name: text for name, text in marks if text.isdigit()}
    numbers = [cited.get(reference.get("id")) for reference in references]
    if any(numbers) and all(text in (None, str(at)) for at, text in enumerate(numbers, 1)):
        for at, reference in enumerate(references, 1):
            label = reference.makeelement("label")
            label.text = str(at)
            reference.insert(0, label)


def reference(walk: JatsWalk, node: Element, _level: int) -> list[MarkdownBlock]:
    """Write one reference on one line, each work once."""
    inline = walk.inline
    works = one_form_each(node)
    text = "; ".join(filter(None, (citation(inline, work) for work in works))) or inline.line(node, _LABEL)
    if not text:
        return []
    label = label_of(inline, node)
    if label and (again := re.match(rf"\W*{re.escape(label)}\W*\s+", text)):
        text = text[again.end() :]
    notes = [inline.line(note) for note in children(node, "note")] if works else []
    parts = [text, identifiers_beside(inline, node, text), *notes]
    return [MarkdownBlock("- " + " ".join(filter(None, [f"[{label}]" if label else "", *parts])), BlockKind.ITEM)]
