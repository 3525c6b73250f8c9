"""Read JATS bytes: into an element tree, and far enough to tell whether they hold a whole article.

Nothing is loaded, no entity is expanded, size and depth are bounded. Documents use the names of HTML's and ISO's
characters, which a DTD would declare: they are read without one. Any other entity stays as the text that it is.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from html.entities import html5
from typing import Any

from prioris_mcp.adapters.parsers.xml.elements import Element, tag, too_deep
from prioris_mcp.errors import ParseError
from prioris_mcp.ports.parsing import ArticleKind

MAX_DEPTH = 250
"""Below the 256 levels at which lxml itself stops."""
_MAX_BYTES = 64 << 20

_HEADS = frozenset({"title", "label"})
"""What a body may have without saying anything."""
_ARTICLE = re.compile(rb"<(/?)(?:[\w.-]+:)?article(?=[\s>])")
_REFERENCES = re.compile(
    rb"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|&(?P<name>[A-Za-z][\w.-]{0,60});", re.DOTALL
)
_OF_XML = frozenset({b"amp", b"lt", b"gt", b"quot", b"apos"})
_MEANINGS = {"AMP": "&amp;", "LT": "&lt;", "GT": "&gt;", "QUOT": "&quot;"}
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")


def load(content: bytes) -> Element:
    """Return the ``article`` of a JATS document; raises ParseError where there is none that can be read."""
    from lxml import etree

    parser = etree.XMLParser(**_parser_settings(content))
    try:
        root = etree.fromstring(_prepared(content), parser)
    except (etree.XMLSyntaxError, ValueError, LookupError) as exc:
        raise ParseError(_reason(str(exc), getattr(exc, "lineno", None))) from None
    for problem in parser.error_log:
        # Prefixes that nobody declared are common and harmless; whatever else is wrong may have cost text.
        if problem.level >= etree.ErrorLevels.ERROR and problem.domain != etree.ErrorDomains.NAMESPACE:
            raise ParseError(_reason(problem.message, problem.line))
    if root is None:
        raise ParseError(_reason("", None))
    return _article(root)


def _parser_settings(content: bytes) -> dict[str, Any]:
    """Return how lxml must read the prepared bytes."""
    return {
        "encoding": "utf-8" if content.startswith(_WIDE_MARKS) else None,
        "resolve_entities": False,
        "no_network": True,
        "load_dtd": False,
        "remove_comments": True,
        "remove_pis": True,
        "recover": True,
    }


def _reason(message: str, line: int | None) -> str:
    if "depth" in message.lower():
        return _too_deep_sentence()
    return f"the document is not well-formed XML (line {line})" if line else "the document is not well-formed XML"


def _too_deep_sentence() -> str:
    return f"the XML is nested more than {MAX_DEPTH} levels deep and cannot be parsed"


def _article(root: Element) -> Element:
    if too_deep(root, MAX_DEPTH):
        raise ParseError(_too_deep_sentence())
    article = next((node for node in root.iter() if tag(node) == "article"), None)
    if article is None:
        raise ParseError("the XML holds no JATS article")
    return article


def _prepared(content: bytes) -> bytes:
    """Return the bytes with named characters as numbers, and every other name as text."""
    if len(content) > _MAX_BYTES:
        raise ParseError(f"the XML is larger than {_MAX_BYTES >> 20} MiB and cannot be parsed")
    if content.startswith(_WIDE_MARKS):
        content = content.decode("utf-16", "replace").encode()
    return _REFERENCES.sub(_numbered, content.lstrip())


def _numbered(match: re.Match[bytes]) -> bytes:
    name = match["name"]
    if name is None or name in _OF_XML:
        return match[0]
    known = name.decode("ascii", "replace")
    if (meaning := _MEANINGS.get(known)) is None:
        meaning = "".join(f"&#{ord(sign)};" for sign in html5.get(f"{known};", ""))
    return meaning.encode() or b"&amp;" + match[0][1:]


def has_full_text(content: bytes) -> bool:
    """Tell whether an article or one of its sub-articles has a body with text; False for what is no whole JATS."""
    return article_kind(content) is ArticleKind.FULL_TEXT


def article_kind(content: bytes) -> ArticleKind:
    """Tell what *content* is by what a JATS article has: a root of that name, closed, and a body with text."""
    try:
        source = _prepared(content)
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
    """Tell whether this is a web page, in which an ``article`` may stand as well."""
    return re.search(rb"<(?:!doctype\s+)?html\b", source[:1024], re.IGNORECASE) is not None


def _events(source: bytes, content: bytes) -> Iterator[tuple[Element, bool]]:
    """Yield the elements as they end, each with whether it lies within a body; read no further than asked."""
    from lxml import etree

    context = etree.iterparse(io.BytesIO(source), events=("start", "end"), **_parser_settings(content))
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
