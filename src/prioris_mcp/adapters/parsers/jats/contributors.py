"""Who wrote and edited an article, and where they work."""

from __future__ import annotations

import re

from prioris_mcp.adapters.parsers.jats.elements import DROPPED
from prioris_mcp.adapters.parsers.jats.text import on_line, script, without_notes
from prioris_mcp.adapters.parsers.jats.walk import JatsInline
from prioris_mcp.adapters.parsers.markdown.blocks import MarkdownBlock
from prioris_mcp.adapters.parsers.xml.elements import (
    Element,
    child,
    children,
    find,
    has_loose_text,
    inside,
    names,
    tag,
    text_of,
)

_NAMES = ("name", "string-name", "collab", "anonymous")
_GIVEN, _FAMILY = ("prefix", "given-names"), ("surname",)
_LABELS = {
    "author": "Authors",
    "editor": "Editors",
    "reviewer": "Reviewers",
    "translator": "Translators",
    "collaborator": "Collaborators",
}
_BEFORE_COMMA = re.compile(r"\s+([,;.])")
_NO_PLACE = names("label sup fn xref")


class Contributors:
    """The people of one article or sub-article."""

    def __init__(self, inline: JatsInline, meta: Element) -> None:
        """Look over *meta* for affiliations, which are numbered in their order."""
        self._inline = inline
        self._meta = meta
        self._places: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        for place in find(meta, "aff"):
            self._enter(place)

    def _enter(self, place: Element) -> None:
        above = place.getparent()
        if tag(above) == "aff-alternatives" and child(above, "aff") is not place:
            return
        if text := _place(self._inline, place):
            number = self._places.setdefault(text, len(self._places) + 1)
            for name in (place.get("id"), above.get("id") if tag(above) == "aff-alternatives" else None):
                if name:
                    self._numbers[name] = number

    def blocks(self) -> list[MarkdownBlock]:
        """Write a line for each kind of people, and one for their affiliations."""
        kinds: dict[str, list[str]] = {}
        for person in find(self._meta, "contrib"):
            if not inside(person, "contrib") and (shown := self._person(person)):
                kinds.setdefault(_kind(person), []).append(shown)
        lines = [MarkdownBlock(f"**{kind}:** {', '.join(shown)}") for kind, shown in kinds.items()]
        behalf = [text for node in find(self._meta, "on-behalf-of") if (text := self._inline.line(node))]
        return [*lines[:1], *map(MarkdownBlock, behalf), *lines[1:], *self._affiliations()]

    def _person(self, person: Element) -> str:
        name = full_name(self._inline, person)
        marks = [mark for ref in children(person, "xref") for mark in (ref.get("rid") or "").split()]
        own = [place.get("id") or "" for place in find(person, "aff")]
        numbers = sorted({self._numbers[mark] for mark in [*marks, *own] if mark in self._numbers})
        if not name or not numbers or len(self._places) < 2:
            return name
        return name + script(",".join(map(str, numbers)), "sup")

    def _affiliations(self) -> list[MarkdownBlock]:
        if len(self._places) < 2:
            return [MarkdownBlock(f"**Affiliation:** {text}") for text in self._places]
        shown = (f"{script(str(number), 'sup')} {text}" for text, number in self._places.items())
        return [MarkdownBlock(f"**Affiliations:** {'; '.join(shown)}")] if self._places else []


def _kind(person: Element) -> str:
    kind = person.get("contrib-type") or person.getparent().get("content-type") or "author"
    return _LABELS.get(kind.removesuffix("s"), kind.replace("-", " ").replace("_", " ").capitalize())


def full_name(inline: JatsInline, person: Element) -> str:
    """Return the name of a person or of a group, empty where there is none."""
    holder = child(person, "name-alternatives", "collab-alternatives")
    node = child(person if holder is None else holder, *_NAMES)
    if node is None:
        return ""
    if tag(node) == "anonymous":
        return "Anonymous"
    return _collective(inline, node) if tag(node) == "collab" else _own_name(inline, node)


def _own_name(inline: JatsInline, node: Element) -> str:
    """Write a name as it is spoken: the family name last, unless the source says otherwise."""
    if tag(node) == "string-name" and (has_loose_text(node) or not len(node)):
        return inline.line(node)
    order = (*_FAMILY, *_GIVEN) if node.get("name-style") == "eastern" else (*_GIVEN, *_FAMILY)
    parts = [text for part in (*order, "suffix") if (text := inline.line(child(node, part)))]
    return " ".join(parts) or inline.line(node)


def _collective(inline: JatsInline, node: Element) -> str:
    """Write a group that signs as one; its members stand behind it in brackets."""
    members = [name for member in find(node, "contrib") if (name := full_name(inline, member))]
    name = inline.line(node, names("contrib-group fn xref aff author-comment")).strip(" ,;:")
    return f"{name} ({', '.join(members)})" if members else name


def _place(inline: JatsInline, place: Element) -> str:
    """Write an affiliation on one line; its parts are joined with commas where the source has none."""
    original = [part for part in children(place, "institution") if part.get("content-type") == "original"]
    if original:
        return inline.line(original[0])
    if has_loose_text(place):
        return _BEFORE_COMMA.sub(r"\1", without_notes(inline.line(place, _NO_PLACE, ", "))).strip(" ,;")
    return ", ".join(_parts(inline, place))


def _parts(inline: JatsInline, place: Element) -> list[str]:
    found: list[str] = []
    for part in place:
        if tag(part) in DROPPED or tag(part) in _NO_PLACE or not text_of(part):
            continue
        if len(part) and not has_loose_text(part):
            found += _parts(inline, part)
        elif (text := on_line(inline.element(part)).strip(" ,;")) and text not in found:
            found.append(text)
    return found
