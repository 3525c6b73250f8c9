"""What a page from arxiv.org is: a paper, a list of files, or a page about something else."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from enum import Enum, auto

_SEEN = 2 << 20
"""Bytes of a page that are looked at: a paper shows what it is long before."""
_BEGINNING = 8192
_SHORTEST_OWN = 3000
"""Characters that a page written by an author has at least, if it is a paper."""
_LONGEST_NOTICE = 20_000
"""Characters that no page has which is about something else; between the two a paper shows its parts."""

_HIDDEN = re.compile(rb"<!--|<script|<style")
_ENDS = {b"<!--": b"-->", b"<script": b"</script", b"<style": b"</style"}
_TAG = re.compile(rb"<[^<>]*>")
_CLASSES = re.compile(rb"""<[a-z][^<>]{0,400}?\sclass\s*=\s*["']?([^"'<>]{1,400})""", re.IGNORECASE)
_DOCUMENT = b"ltx_document"
_FRAME = frozenset({b"ltx_page_main", b"ltx_page_content"})
_FRONT = frozenset({b"ltx_title_document", b"ltx_authors", b"ltx_abstract"})
_TEXT = frozenset({b"ltx_p", b"ltx_para", b"ltx_section", b"ltx_equation", b"ltx_bibliography"})
_CLOSED = re.compile(rb"</(?:html|body|article)\s*>", re.IGNORECASE)
_LISTING = b"The following files are available for"
_FORMS = re.compile(rb"<(?:form|input|iframe|frameset)\b|http-equiv\s*=\s*[\"']?refresh", re.IGNORECASE)
_PARTS = (b"introduction", b"abstract", b"references", b"bibliography", b"conclusion", b"theorem")
_HEADING = re.compile(rb"<(h1|h2|title)\b[^<>]*>(.{0,2000}?)</\1", re.IGNORECASE | re.DOTALL)
_NONE = re.compile(
    r"no html|html (?:version )?is not (?:yet )?available|no (?:document|article) for|has been withdrawn"
    r"|conversion to html (?:had|failed)",
    re.IGNORECASE,
)
_FAILED = re.compile(r"no content available|fatal error and exited|conversion to html (?:had|failed)", re.IGNORECASE)
_SLOWER = re.compile(r"rate (?:limit )?exceeded|rate limit|too many requests|slow down", re.IGNORECASE)


class PageKind(Enum):
    """What a page is."""

    PAPER = auto()
    CUT = auto()
    """A paper whose end is missing."""
    LISTING = auto()
    """A list of files, of which none is the paper."""
    NONE = auto()
    """A page that says that there is no HTML."""
    REFUSAL = auto()
    """A page that asks for fewer requests."""
    OTHER = auto()


def kind(body: bytes) -> PageKind:
    """What *body* is. Several marks must agree, so that no single change of arXiv's hides its papers.

    A paper is what LaTeXML made, or a long page by the author's own hand. A page that asks somebody to sign in, to
    wait, or to prove something is neither.
    """
    if b"<html" not in body[:_BEGINNING].lower():
        return PageKind.OTHER
    shown = b"".join(_shown(body[:_SEEN]))
    if _LISTING in shown:
        return PageKind.LISTING
    text = _text(shown[:_BEGINNING])
    if _is_latexml(shown):
        if len(shown) < _BEGINNING and _FAILED.search(text):
            return PageKind.NONE
        return PageKind.PAPER if _CLOSED.search(body, max(0, len(body) - _SEEN)) else PageKind.CUT
    if (length := len(_text(shown))) >= _SHORTEST_OWN:
        return PageKind.PAPER if _is_written(shown, length) else PageKind.OTHER
    said = f"{heading(body)} {text}"
    return PageKind.NONE if _NONE.search(said) else PageKind.REFUSAL if _SLOWER.search(said) else PageKind.OTHER


def heading(body: bytes) -> str:
    """The heading of a page, or else its title, as plain text."""
    found: dict[bytes, str] = {}
    for match in _HEADING.finditer(body[:20000]):
        found.setdefault(match[1].lower(), _text(match[2]))
    return (found.get(b"h1") or found.get(b"title") or found.get(b"h2") or "")[:200]


def _is_latexml(shown: bytes) -> bool:
    marks = {word for match in _CLASSES.finditer(shown) for word in match[1].split() if word.startswith(b"ltx_")}
    around = not marks.isdisjoint(_FRAME) or not marks.isdisjoint(_FRONT)
    return _DOCUMENT in marks or (around and not marks.isdisjoint(_TEXT))


def _is_written(shown: bytes, length: int) -> bool:
    lowered = shown.lower()
    return not _FORMS.search(lowered) and (length > _LONGEST_NOTICE or any(word in lowered for word in _PARTS))


def _shown(body: bytes) -> Iterator[bytes]:
    """*body* without comments, scripts and styles; what one of them never closes is not shown either."""
    lowered, at = body.lower(), 0
    while begin := _HIDDEN.search(lowered, at):
        yield body[at : begin.start()]
        end = lowered.find(closes := _ENDS[begin[0]], begin.end())
        if end < 0:
            return
        at = end + len(closes)
    yield body[at:]


def _text(markup: bytes) -> str:
    """*markup* as one line of plain text."""
    return " ".join(html.unescape(_TAG.sub(b" ", markup).decode("utf-8", "replace")).split())
