"""Whether a JATS record is a full text: many hold front matter only."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from prioris_mcp.adapters.parsers.html_tree import tag
from prioris_mcp.adapters.parsers.jats_source import prepared, settings
from prioris_mcp.errors import ParseError

if TYPE_CHECKING:
    from prioris_mcp.adapters.parsers.html_tree import Element

_HEADS = frozenset({"title", "label"})
"""What a body may have without saying anything."""


def has_full_text(content: bytes) -> bool:
    """Whether an article or one of its sub-articles has a body with text in it; False for what is no JATS."""
    try:
        return any(_says_something(events) for events in _events(content))
    except (ParseError, SyntaxError, ValueError, LookupError):  # lxml's own errors are SyntaxError
        return False


def _events(content: bytes) -> Iterator[tuple[Element, bool]]:
    """The elements in order as they end, each with whether it lies within a body; read no further than asked."""
    from lxml import etree

    context = etree.iterparse(
        io.BytesIO(prepared(content)),
        events=("start", "end"),
        **settings(content),
    )
    is_article, bodies = False, 0
    for event, node in context:
        name = tag(node)
        is_article = is_article or name == "article"
        if name == "body":
            bodies += 1 if event == "start" else -1
        if event == "end":
            yield node, is_article and (bodies > 0 or name == "body")


def _says_something(ended: tuple[Element, bool]) -> bool:
    node, in_body = ended
    if not in_body:
        return False
    own = "" if tag(node) in _HEADS else node.text or ""
    return any(text and text.strip() for text in [own, *(child.tail for child in node)])
