"""JATS bytes to an element tree: nothing is loaded, no entity is expanded, size and depth are bounded.

Documents use the names of HTML's and ISO's characters, which a DTD would declare: they are read without one. Any
other entity stays as the text that it is.
"""

from __future__ import annotations

import re
from html.entities import html5
from typing import TYPE_CHECKING, Any

from prioris_mcp.adapters.parsers.html.elements import tag
from prioris_mcp.adapters.parsers.xml.nesting import too_deep
from prioris_mcp.errors import ParseError

if TYPE_CHECKING:
    from prioris_mcp.adapters.parsers.html.elements import Element

MAX_DEPTH = 250
"""Below the 256 levels at which lxml itself stops."""
_MAX_BYTES = 64 << 20

_REFERENCES = re.compile(
    rb"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|&(?P<name>[A-Za-z][\w.-]{0,60});", re.DOTALL
)
_OF_XML = frozenset({b"amp", b"lt", b"gt", b"quot", b"apos"})
_MEANINGS = {"AMP": "&amp;", "LT": "&lt;", "GT": "&gt;", "QUOT": "&quot;"}
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")


def load(content: bytes) -> Element:
    """The ``article`` of a JATS document; raises ParseError where there is none that can be read."""
    from lxml import etree

    parser = etree.XMLParser(**settings(content))
    try:
        root = etree.fromstring(prepared(content), parser)
    except (etree.XMLSyntaxError, ValueError, LookupError) as exc:
        raise ParseError(_reason(str(exc), getattr(exc, "lineno", None))) from None
    for problem in parser.error_log:
        # Prefixes that nobody declared are common and harmless; whatever else is wrong may have cost text.
        if problem.level >= etree.ErrorLevels.ERROR and problem.domain != etree.ErrorDomains.NAMESPACE:
            raise ParseError(_reason(problem.message, problem.line))
    if root is None:
        raise ParseError(_reason("", None))
    return _article(root)


def settings(content: bytes) -> dict[str, Any]:
    """How lxml must read the prepared bytes."""
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


def prepared(content: bytes) -> bytes:
    """The bytes with named characters as numbers, and every other name as text."""
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
