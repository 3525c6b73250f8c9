"""Footnotes: those that the text refers to become marks and definitions, all others stay lists where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prioris_mcp.adapters.parsers.html.elements import names, tag
from prioris_mcp.adapters.parsers.jats.contributors import full_name
from prioris_mcp.adapters.parsers.jats.elements import child, children, find, inside, text_of
from prioris_mcp.adapters.parsers.jats.text import script
from prioris_mcp.adapters.parsers.markdown.blocks import Block, Kind

if TYPE_CHECKING:
    from prioris_mcp.adapters.parsers.html.elements import Element
    from prioris_mcp.adapters.parsers.jats.inline import Inline
    from prioris_mcp.adapters.parsers.jats.walk import Walk

_LABEL = names("label")
_SHORT = 3
"""Signs in a label that is but a mark."""
_FEW = 3
"""People whom a note may be about by name."""
_APART = ("table-wrap", "contrib", "title-group", "aff", "fig")
"""Where marks refer to notes that stand beside them, or to the notes of authors."""


class Notes:
    """The footnotes of a document, numbered in the order in which the text comes to them."""

    def __init__(self, article: Element) -> None:
        """Look over the article once for the notes that its text refers to."""
        marks = (mark for mark in find(article, "xref") if not inside(mark, *_APART))
        wanted = {name for mark in marks for name in (mark.get("rid") or "").split()}
        notes = (note for note in find(article, "fn") if note.get("id") in wanted)
        self._by_id = {note.get("id"): note for note in notes if not inside(note, "table-wrap")}
        self._people: dict[str, list[Element]] = {}
        people = list(find(article, "contrib"))
        for person in people:
            for name in (name for mark in children(person, "xref") for name in (mark.get("rid") or "").split()):
                self._people.setdefault(name, []).append(person)
        self._most = min(_FEW, len(people) - 1)
        self._numbers: dict[Element, int] = {}
        self._texts: list[str] = []

    def is_marked(self, note: Element) -> bool:
        """Whether a note is one that the text refers to."""
        return self._by_id.get(note.get("id")) is note

    def people_of(self, inline: Inline, note: Element) -> str:
        """Whom a note is about, where that is some of the authors and not all of them."""
        people = self._people.get(note.get("id") or "", [])
        return ", ".join(full_name(inline, person) for person in people) if len(people) <= self._most else ""

    def mark_of(self, inline: Inline, name: str) -> str:
        """The mark for a reference to the note of this name, empty where there is none of that kind."""
        note = self._by_id.get(name)
        return self.mark(inline, note) if note is not None else ""

    def mark(self, inline: Inline, note: Element) -> str:
        """The mark of a footnote; its text is kept for the end."""
        if not text_of(note):
            return ""
        if note not in self._numbers:
            # Its number is taken before its text is read, which may hold further notes.
            self._texts.append("")
            self._numbers[note] = len(self._texts)
            self._texts[self._numbers[note] - 1] = inline.line(note, _LABEL)
        return f"[^{self._numbers[note]}]"

    def definitions(self) -> str:
        """The footnotes met so far, one a line."""
        return "\n".join(f"[^{number}]: {text}" for number, text in enumerate(self._texts, 1) if text)


def note_items(walk: Walk, node: Element) -> list[Block]:
    """The notes inside *node* that nothing in the text refers to, one entry each."""
    notes = [note for note in find(node, "fn") if not inside(note, "fn") and not walk.inline.notes.is_marked(note)]
    return [Block(f"- {text}", Kind.ITEM) for note in notes if (text := _about(walk.inline, note))]


def _about(inline: Inline, note: Element) -> str:
    people, text = inline.notes.people_of(inline, note), labelled_line(inline, note)
    return f"{people}: {text}" if people and text else text


def labelled_line(inline: Inline, node: Element) -> str:
    """A note or the like on one line, its label first."""
    label, text = inline.line(child(node, "label")), inline.line(node, _LABEL).strip(" ;,")
    # Small and raised, as where it is referred to, it is no part of the sentence.
    mark = script(label, "sup") if label.isalnum() and len(label) <= _SHORT else label
    return f"{mark} {text}" if mark and text else text


def note_group(walk: Walk, node: Element, level: int) -> list[Block]:
    """A group of footnotes under its title."""
    items = note_items(walk, node)
    others = walk.blocks(node, level, names("title label fn"))
    if not items and not others:
        return []
    default = "Notes" if tag(node.getparent()) == "back" else ""
    return [*walk.heading(node, level, default), *others, *items]


def table_foot(walk: Walk, node: Element, level: int) -> list[Block]:
    """The notes below a table; they belong to it and stay there."""
    return [*walk.blocks(node, level, names("fn fn-group")), *note_items(walk, node)]


def author_notes(walk: Walk, meta: Element) -> list[Block]:
    """What authors say of themselves: addresses, interests, contributions; and notes to the title."""
    groups = [*children(meta, "author-notes"), *children(meta, "title-group")]
    parts = [part for group in groups for part in children(group, "corresp", "p")]
    said = [Block(f"- {text}", Kind.ITEM) for part in parts if (text := labelled_line(walk.inline, part))]
    return [*said, *(item for group in groups for item in note_items(walk, group))]
