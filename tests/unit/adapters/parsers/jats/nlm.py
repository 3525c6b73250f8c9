"""JATS in small pieces for tests, and its conversion."""

from __future__ import annotations

from prioris_mcp.adapters.parsers.jats.document import parse

TITLE = "<title-group><article-title>T</article-title></title-group>"
_SPACES = (
    'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
)


def article(body: str = "", *, meta: str = TITLE, rest: str = "", journal: str = "", doctype: str = "") -> str:
    """A JATS article; *rest* follows its body."""
    front = f"<front>{journal}<article-meta>{meta}</article-meta></front>"
    return f'<?xml version="1.0"?>{doctype}<article {_SPACES}>{front}<body>{body}</body>{rest}</article>'


def parse_text(content: bytes | str) -> str:
    """The Markdown of a document."""
    result = parse(content.encode() if isinstance(content, str) else content, {}, lambda done, total: None)
    assert not result.paged and [leaf.length for leaf in result.leaves] == [len(result.text)]
    return result.text


def convert(body: str, rest: str = "") -> str:
    """The Markdown below the title of an article with this body."""
    text = parse_text(article(body, rest=rest))
    assert text.startswith("# T\n\n")
    return text.removeprefix("# T\n\n").removesuffix("\n")


def front(meta: str, journal: str = "") -> str:
    """The Markdown of front matter."""
    return parse_text(article(meta=meta, journal=journal)).removesuffix("\n")


def math(content: str) -> str:
    """A MathML formula."""
    return f"<mml:math>{content}</mml:math>"
