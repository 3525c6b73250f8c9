"""Write the footnotes that nothing in the text refers to, as lists where they stand, and what authors note."""

from __future__ import annotations

from prioris_mcp.adapters.parsers.jats.contributors import full_name
from prioris_mcp.adapters.parsers.jats.text import script
from prioris_mcp.adapters.parsers.jats.walk import JatsInline, JatsWalk
from prioris_mcp.adapters.parsers.markdown.blocks import BlockKind, MarkdownBlock
from prioris_mcp.adapters.parsers.xml.elements import Element, child, children, find, inside, names, tag

_LABEL = names("label")
_SHORT = 3
"""Signs in a label that is but a mark."""


def note_items(walk: JatsWalk, node: Element) -> list[MarkdownBlock]:
    """Write the notes inside *node* that nothing in the text refers to, one entry each."""
    notes = [note for note in find(node, "fn") if not inside(note, "fn") and not walk.inline.footnotes.is_marked(note)]
    return [MarkdownBlock(f"- {text}", BlockKind.ITEM) for note in notes if (text := _about(walk.inline, note))]


def _about(inline: JatsInline, note: Element) -> str:
    people = ", ".join(full_name(inline, person) for person in inline.footnotes.people_of(note))
    text = labelled_line(inline, note)
    return f"{people}: {text}" if people and text else text


def labelled_line(inline: JatsInline, node: Element) -> str:
    """Write a note or the like on one line, its label first."""
    label, text = inline.line(child(node, "label")), inline.line(node, _LABEL).strip(" ;,")
    # Small and raised, as where it is referred to, it is no part of the sentence.
    mark = script(label, "sup") if label.isalnum() and len(label) <= _SHORT else label
    return f"{mark} {text}" if mark and text else text


def note_group(walk: JatsWalk, node: Element, level: int) -> list[MarkdownBlock]:
    """Write a group of footnotes under its title."""
    items = note_items(walk, node)
    others = walk.blocks(node, level, names("title label fn"))
    if not items and not others:
        return []
    default = "Notes" if tag(node.getparent()) == "back" else ""
    return [*walk.heading(node, level, default), *others, *items]


def table_foot(walk: JatsWalk, node: Element, level: int) -> list[MarkdownBlock]:
    """Write the notes below a table; they belong to it and stay there."""
    return [*walk.blocks(node, level, names("fn fn-group")), *note_items(walk, node)]


def author_notes(walk: JatsWalk, meta: Element) -> list[MarkdownBlock]:
    """Write what authors say of themselves: addresses, interests, contributions; and notes to the title."""
    groups = [*children(meta, "author-notes"), *children(meta, "title-group")]
    parts = [part for group in groups for part in children(group, "corresp", "p")]
    said = [MarkdownBlock(f"- {text}", BlockKind.ITEM) for part in parts if (text := labelled_line(walk.inline, part))]
    return [*said, *(item for group in groups for item in note_items(walk, group))]
