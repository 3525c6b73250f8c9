"""HTML to Markdown: arXiv's pages, made by LaTeXML or written by authors; runs in the worker process."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from prioris_mcp.adapters.parsers.html.boxes import open_boxes
from prioris_mcp.adapters.parsers.html.elements import classes
from prioris_mcp.adapters.parsers.html.walk import HtmlWalk
from prioris_mcp.adapters.parsers.html.writers import writer_of
from prioris_mcp.adapters.parsers.markdown.interpreter import deep_recursion, gc_paused
from prioris_mcp.adapters.parsers.markdown.text import escape, one_line, one_line_tex
from prioris_mcp.adapters.parsers.xml.asset_urls import resolve_in_html
from prioris_mcp.adapters.parsers.xml.elements import Element, tag, too_deep
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.errors import ParseError

_MAX_BYTES = 64 << 20
_MAX_DEPTH = 500
_OPAQUE = frozenset({"math"})
_SHORT = 1500
"""Characters: a page that says it has failed and holds no more than this has no document in it."""

_CHARSET = re.compile(rb"<(?:meta[^>]*?charset|\?xml[^>]*?encoding)\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
# Pages that declare Latin-1 or ASCII are read as browsers do.
_READ_AS = {"iso-8859-1": "cp1252", "latin-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252", "ascii": "cp1252"}
_CONTROLS = bytes({*range(32), 127} - {9, 10, 12, 13})
_NO_CHARACTERS = ("\ufffe".encode(), "\uffff".encode())
_FAILED = re.compile(
    r"No content available|had a Fatal error and exited abruptly|HTML (?:is not|version is not) available|"
    r"Conversion to HTML (?:failed|had a Fatal error)",
    re.IGNORECASE,
)
_NO_CONTENT = 'the HTML page has no content; try format="pdf"'
_CONVERSION_FAILED = 'the source says that its conversion to HTML failed; try format="pdf"'


def parse(content: bytes, options: Mapping[str, object], progress: Callable[[int, int], None]) -> Markdown:
    """Return the Markdown of an HTML page, one leaf; raises ParseError for a page that holds no document.

    Option: ``files_at``, the address below which the pictures are that it names.
    """
    with gc_paused():
        text = _text(content, str(options.get("files_at") or ""))
    one_line_tex.cache_clear()
    progress(1, 1)
    return Markdown.whole(text)


def _text(content: bytes, files_at: str) -> str:
    body = _body(content)
    if too_deep(body, _MAX_DEPTH, _OPAQUE):
        raise ParseError(f"the HTML page is nested more than {_MAX_DEPTH} levels deep and cannot be parsed")
    _drop_signs(body)
    open_boxes(body)
    resolve_in_html(body, files_at)
    with deep_recursion():
        root = _root(body)
        text = _written(HtmlWalk(root, writer_of), root, _title(body))
        _refuse_failed(body, root, text)
    return text


def _body(content: bytes) -> Element:
    from lxml import etree

    if len(content) > _MAX_BYTES:
        raise ParseError(f"the HTML page is larger than {_MAX_BYTES >> 20} MiB and cannot be parsed")
    source = _decoded(content).encode("utf-8", "ignore").translate(None, _CONTROLS)
    for none in _NO_CHARACTERS:
        source = source.replace(none, b"")
    # Without huge_tree the library stops at 256 levels and drops the rest of the page without a word.
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        page = etree.fromstring(source, parser=parser)
    except (etree.XMLSyntaxError, ValueError) as exc:
        raise ParseError(_NO_CONTENT) from exc
    if page is None:
        raise ParseError(_NO_CONTENT)
    return page


def _decoded(content: bytes) -> str:
    declared = list(_declared(content))
    for encoding in [*declared, "utf-8"]:
        try:
            return content.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    # One bad byte in a page that says it is UTF-8 must not turn all its other letters into something else.
    return content.decode("utf-8" if {"utf-8", "utf8"} & set(declared) else "cp1252", "replace")


def _declared(content: bytes) -> Iterator[str]:
    yield from (encoding for mark, encoding in _BYTE_ORDER_MARKS if content.startswith(mark))
    if declared := _CHARSET.search(content[:4096]):
        name = declared[1].decode("ascii").lower()
        # Python has codecs that are none (hex, zip, rot13): decode() refuses them with LookupError.
        yield _READ_AS.get(name, name)


def _drop_signs(page: Element) -> None:
    """Empty the formulas whose TeX is known: their signs are most of the elements of a page, and nobody reads them."""
    for math in page.iter("math"):
        if one_line_tex(math.get("alttext") or ""):
            del math[:]
            math.text = None


def _root(page: Element) -> Element:
    """Return the element that holds the document: banners also call themselves ``ltx_document``."""
    candidates = page.xpath("//*[contains(concat(' ', normalize-space(@class), ' '), ' ltx_document ')]")
    if not candidates:
        candidates = list(page.iter("article")) or list(page.iter("main")) or list(page.iter("body"))
    return max(candidates, key=_weight) if len(candidates) > 1 else next(iter(candidates), page)


def _weight(candidate: Element) -> tuple[bool, bool, int]:
    titled = any("ltx_title_document" in classes(node) for node in candidate.iter("h1", "h2"))
    return titled, tag(candidate) in ("article", "main"), sum(map(len, candidate.itertext()))


def _title(page: Element) -> str:
    return one_line(escape(page.findtext(".//title") or ""))


def _written(walk: HtmlWalk, root: Element, title: str) -> str:
    text = walk.write(root)
    untitled = re.search(r"(?m)^# ", text) is None and re.search(r"\w", text)
    # LaTeXML's own word for a document without a title is that of its first heading.
    if title and untitled and f"# {title}" not in text.splitlines()[0]:
        text = f"# {title}\n\n{text}"
    return text + "\n" if text else ""


def _refuse_failed(page: Element, root: Element, text: str) -> None:
    around = " ".join("".join(page.itertext()).split()) if len(text) < _SHORT else _outside(root)
    if _FAILED.search(around):
        raise ParseError(_CONVERSION_FAILED)
    if not re.search(r"\w", re.sub(r"(?m)^# .*$", "", text)):
        raise ParseError(_NO_CONTENT)


def _outside(root: Element) -> str:
    """Return the text beside the document, where a converter puts its complaints; a paper may well quote one."""
    found: list[str] = []
    below = root
    for above in root.iterancestors():
        found.append(above.text or "")
        found += (node.text or "" for beside in above if beside is not below for node in beside.iter())
        below = above
    return " ".join(" ".join(found).split())
