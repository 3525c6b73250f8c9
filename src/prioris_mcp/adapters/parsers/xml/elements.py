"""Read lxml elements, those of a page and those of an article: their names, their text, what is around them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

Element = Any
"""An lxml element; lxml itself is imported in the worker process only."""

HREFS = ("{http://www.w3.org/1999/xlink}href", "xlink:href", "href")
"""Attributes that say where an element points."""


def names(words: str) -> frozenset[str]:
    """Return the words of a table of names."""
    return frozenset(words.split())


def tag(node: Element) -> str:
    """Return the name of an element, without a namespace; empty for comments."""
    return local_name(node.tag)


@lru_cache(4096)
def local_name(name: object) -> str:
    """Return the name of an lxml tag without its namespace; empty for what is no element, such as a comment."""
    return name.rsplit("}", 1)[-1].lower() if isinstance(name, str) else ""


def children(node: Element, *wanted: str) -> list[Element]:
    """Return the direct children with one of the names."""
    return list(node.iterchildren(*_anywhere(wanted)))


def child(node: Element, *wanted: str) -> Element | None:
    """Return the first direct child with one of the names."""
    return next(node.iterchildren(*_anywhere(wanted)), None)


def find(node: Element, *wanted: str) -> Iterator[Element]:
    """Iterate over the elements below *node*, itself included, with one of the names, in document order."""
    return node.iter(*_anywhere(wanted))  # type: ignore[no-any-return]


@lru_cache(256)
def _anywhere(wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names in whatever namespace, as the library looks for them itself."""
    return tuple(f"{{*}}{name}" for name in wanted)


def inside(node: Element, *wanted: str) -> bool:
    """Tell whether an element lies within one of the named ones."""
    return any(tag(above) in wanted for above in node.iterancestors())


def plain(node: Element) -> str:
    """Return all text of an element on one line, as it stands."""
    return " ".join("".join(node.itertext()).split())


def text_of(node: Element | None) -> str:
    """Return all text of an element on one line, empty where there is none."""
    return plain(node) if node is not None else ""


def has_loose_text(node: Element) -> bool:
    """Tell whether letters, digits or marks stand between the children of an element, and not only spaces."""
    return any(part and part.strip() for part in [node.text, *(child.tail for child in node)])


def cut(node: Element) -> None:
    """Take an element out of its tree, and leave the text after it."""
    above, before = node.getparent(), node.getprevious()
    if above is None:
        return
    if node.tail and before is not None:
        before.tail = (before.tail or "") + node.tail
    elif node.tail:
        above.text = (above.text or "") + node.tail
    node.tail = None
    above.remove(node)


def too_deep(root: Element, limit: int, opaque: frozenset[str] = frozenset()) -> bool:
    """Tell whether elements nest more than *limit* levels, what is inside *opaque* ones aside.

    Measured without recursion, which the document could exhaust.
    """
    level = [root]
    for _ in range(limit):
        level = [child for node in level if not opaque or tag(node) not in opaque for child in node]
        if not level:
            return False
    return True
