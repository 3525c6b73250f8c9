"""What an answer that should be a JATS article is: many hold front matter only, some are no article at all."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from prioris_mcp.adapters.parsers.html.elements import tag
from prioris_mcp.adapters.parsers.jats.load import prepared, settings
from prioris_mcp.errors import ParseError
from prioris_mcp.ports.parsing import ArticleKind

if TYPE_CHECKING:
    from prioris_mcp.adapters.parsers.html.elements import Element

_HEADS = frozenset({"title", "label"})
"""What a body may have without saying anything."""
_ARTICLE = re.compile(rb"<(/?)(?:[\w.-]+:)?article(?=[\s>])")


def has_full_text(content: bytes) -> bool:
    """Whether an article or one of its sub-articles has a body with text in it; False for what is no whole JATS."""
    return article_kind(content) is ArticleKind.FULL_TEXT


def article_kind(content: bytes) -> ArticleKind:
    """What *content* is, by what a JATS article has: a root of that name that is closed, and a body with text."""
    try:
        source = prepared(content)
        says_something = any(_says_something(events) for events in _events(source, content))
    except (ParseError, SyntaxError, ValueError, LookupError):  # lxml's own errors are SyntaxError
        return ArticleKind.OTHER
    ends = {match[1] for match in _ARTICLE.finditer(source)}
    if b"" not in ends or _is_html(source):
        return ArticleKind.OTHER
    if b"/" not in ends:
        return ArticleKind.CUT
    return ArticleKind.FULL_TEXT if says_something else ArticleKind.FRONT_MATTER


def _is_html(source: bytes) -> bool:
    """Whether this is a web page, in which an ``article`` may stand as well."""
    return re.search(rb"<(?:!doctype\s+)?html\b", source[:1024], re.IGNORECASE) is not None


def _events(source: bytes, content: bytes) -> Iterator[tuple[Element, bool]]:
    """The elements in order as they end, each with whether it lies within a body; read no further than asked."""
    from lxml import etree

    context = etree.iterparse(io.BytesIO(source), events=("start", "end"), **settings(content))
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
