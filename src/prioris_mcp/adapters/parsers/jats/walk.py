"""Walk over an article: its blocks, its running text, and the footnotes that the text comes to.

The walk knows no writer by name: it is given tables of them, and the writers know the walk.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping

from prioris_mcp.adapters.parsers.jats.elements import BLOCKS, DROPPED, blocky
from prioris_mcp.adapters.parsers.jats.text import Running, on_line, title_text
from prioris_mcp.adapters.parsers.markdown.blocks import BlockKind, MarkdownBlock, paragraphs
from prioris_mcp.adapters.parsers.markdown.text import emphasised
from prioris_mcp.adapters.parsers.xml.elements import Element, child, children, find, inside, names, tag, text_of

Writer = Callable[["JatsWalk", Element, int], list[MarkdownBlock]]
"""Writes an element as blocks; the number is the level of a heading in there."""
InlineWriter = Callable[["JatsInline", Element], str]

_EMPHASIS = {"bold": "**", "b": "**", "strong": "**", "italic": "*", "i": "*", "em": "*"}
_STYLES = frozenset(_EMPHASIS) | names("sup sub sc underline monospace styled-content named-content x")
_LABEL = names("label")
_MAX_PEOPLE = 3
"""People whom a note may be about by name."""
_APART = ("table-wrap", "contrib", "title-group", "aff", "fig")
"""Where marks refer to notes that stand beside them, or to the notes of authors."""
_DEEPEST = 6
"""Level of headings in what floats, which stands outside the sections."""


class JatsWalk:
    """One article on its way to Markdown."""

    def __init__(
        self, article: Element, writers: Mapping[str, Writer], inline_writers: Mapping[str, InlineWriter]
    ) -> None:
        """Look over the article once for its blocks, its footnotes and what floats.

        *writers*, *inline_writers*: who writes which element, by its name.
        """
        self.inline = JatsInline(Footnotes(article), inline_writers, _labels(article))
        self._writers = writers
        self._blocky = blocky(article)
        self._floats = {
            part.get("id"): part for group in find(article, "floats-group") for part in group if part.get("id")
        }
        self._placed: set[Element] = set()

    def blocks(self, node: Element, level: int, skip: Container[str] = ()) -> list[MarkdownBlock]:
        """Return the blocks inside *node*, but for the children named in *skip*; *level* is that of a heading there."""
        found: list[MarkdownBlock] = []
        running = Running(node.text)
        for part in node:
            if part in self._blocky and tag(part) not in DROPPED and tag(part) not in skip:
                found += [*paragraphs(running.parts), *self.block(part, level)]
                running = Running()
            elif tag(part) not in skip:
                running.add(self.inline.element(part))
            running.add_text(part.tail)
        return found + paragraphs(running.parts)

    def block(self, node: Element, level: int) -> list[MarkdownBlock]:
        """Return the blocks that an element makes; one without a writer makes those inside it."""
        writer = self._writers.get(tag(node))
        return writer(self, node, level) if writer else self.blocks(node, level)

    def title(self, node: Element, *, label: Element | None = None) -> str:
        """Return label and title of an element on one line, the label once."""
        number = self.inline.line(child(node, "label") if label is None else label)
        text = title_text(self.inline.line(child(node, "title")))
        if not number or not text or text.startswith(number):
            return text or title_text(number)
        return f"{title_text(number).rstrip('.:')}. {text}"

    def heading(
        self, node: Element, level: int, default: str = "", *, label: Element | None = None
    ) -> list[MarkdownBlock]:
        """Return the title of an element as a heading."""
        text = self.title(node, label=label).rstrip(" :") or default
        return [MarkdownBlock(f"{'#' * min(6, level)} {text}", BlockKind.HEADING)] if text else []

    def run_in(self, node: Element) -> list[MarkdownBlock]:
        """Return the title of an element as a bold line."""
        text = self.title(node)
        return [MarkdownBlock(emphasised(text, "**"))] if text else []

    def floats_for(self, node: Element) -> list[MarkdownBlock]:
        """Return what stands apart in the source and is first referred to in *node*."""
        if not self._floats:
            return []
        wanted = (name for mark in find(node, "xref") for name in (mark.get("rid") or "").split())
        return [block for name in wanted for block in self._placed_now(self._floats.get(name))]

    def floats_left(self, article: Element) -> list[MarkdownBlock]:
        """Return what stands apart in the source and was referred to nowhere."""
        groups = [part for part in article if tag(part) == "floats-group"]
        return [block for group in groups for part in group for block in self._placed_now(part)]

    def _placed_now(self, part: Element | None) -> list[MarkdownBlock]:
        if part is None or part in self._placed:
            return []
        self._placed.add(part)
        return self.block(part, _DEEPEST)


class JatsInline:
    """Writes inline Markdown; the footnotes it meets are kept by *footnotes*."""

    def __init__(
        self, footnotes: Footnotes, writers: Mapping[str, InlineWriter], labels: Mapping[str, str] | None = None
    ) -> None:
        """Write without footnotes met so far.

        *writers*: who writes which element, by its name; *labels*: those of the elements that references lead to.
        """
        self.footnotes = footnotes
        self.labels = labels or {}
        self._writers = writers

    def children(self, node: Element, skip: Container[str] = (), gap: str = "") -> str:
        """Return the inline Markdown of what is inside *node* but the children named in *skip*, spaces as they come.

        Where nothing at all stands between two words that the source marks as two things, *gap* does.
        """
        running = Running(node.text)
        for part in node:
            if tag(part) not in skip:
                running.add(self.element(part), "" if _is_style(part) else gap)
            running.add_text(part.tail)
        return "".join(running.parts)

    def line(self, node: Element | None, skip: Container[str] = (), gap: str = "") -> str:
        """Return the inline Markdown of everything inside *node* on one line."""
        return on_line(self.children(node, skip, gap)) if node is not None else ""

    def element(self, node: Element) -> str:
        """Return the inline Markdown of one element."""
        name = tag(node)
        if not name or name in DROPPED:
            return ""
        if mark := _EMPHASIS.get(name):
            return emphasised(self.children(node), mark)
        if writer := self._writers.get(name):
            return writer(self, node)
        text = self.children(node)
        return f" {text} " if name in BLOCKS else text


def _labels(article: Element) -> dict[str, str]:
    """Return the labels of what the references lead to that show nothing themselves."""
    empty = (mark for mark in find(article, "xref") if not text_of(mark))
    wanted = {name for mark in empty for name in (mark.get("rid") or "").split()}
    if not wanted:
        return {}
    named = ((node.get("id"), text_of(child(node, "label"))) for node in article.iter() if node.get("id") in wanted)
    return {name: label.rstrip(" .:") for name, label in named if label}


def _is_style(node: Element) -> bool:
    """Tell whether an element only changes how its text looks, or the one right before it does."""
    before = node.getprevious()
    return tag(node) in _STYLES or before is None or bool(before.tail) or tag(before) in _STYLES


class Footnotes:
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
        self._max_people = min(_MAX_PEOPLE, len(people) - 1)
        self._numbers: dict[Element, int] = {}
        self._texts: list[str] = []

    def is_marked(self, note: Element) -> bool:
        """Tell whether a note is one that the text refers to."""
        return self._by_id.get(note.get("id")) is note

    def people_of(self, note: Element) -> list[Element]:
        """Return whom a note is about, where that is some of the authors and not all of them."""
        people = self._people.get(note.get("id") or "", [])
        return people if len(people) <= self._max_people else []

    def mark_of(self, inline: JatsInline, name: str) -> str:
        """Return the mark for a reference to the note of this name, empty where there is none of that kind."""
        note = self._by_id.get(name)
        return self.mark(inline, note) if note is not None else ""

    def mark(self, inline: JatsInline, note: Element) -> str:
        """Return the mark of a footnote; its text is kept for the end."""
        if not text_of(note):
            return ""
        if note not in self._numbers:
            # Its number is taken before its text is read, which may hold further notes.
            self._texts.append("")
            self._numbers[note] = len(self._texts)
            self._texts[self._numbers[note] - 1] = inline.line(note, _LABEL)
        return f"[^{self._numbers[note]}]"

    def definitions(self) -> str:
        """Return the footnotes met so far, one a line."""
        return "\n".join(f"[^{number}]: {text}" for number, text in enumerate(self._texts, 1) if text)
