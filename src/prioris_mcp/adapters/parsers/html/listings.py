"""Program listings, fenced; algorithms with formulas become lines of a list, since a fence would show their TeX raw."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Sequence
from urllib.parse import unquote_to_bytes

from prioris_mcp.adapters.parsers.html.elements import classes, with_class
from prioris_mcp.adapters.parsers.html.inline import HtmlInline
from prioris_mcp.adapters.parsers.markdown.text import fenced
from prioris_mcp.adapters.parsers.xml.elements import Element, cut, plain, tag

_DATA = "data:text/plain"


def listing(inline: HtmlInline, node: Element) -> Iterator[str]:
    """Write the Markdown of a listing: its embedded source where there is one, else its lines."""
    lines = list(with_class(node, "ltx_listingline"))
    if (source := _source(node)) is not None:
        yield fenced(source.strip("\n"))
    elif lines and any(tag(below) == "math" for below in node.iterdescendants()):
        yield "\n".join(_algorithm(inline, lines))
    elif text := "\n".join(map(_verbatim, lines)) if lines else _verbatim(node).strip("\n"):
        yield fenced(text)


def _source(node: Element) -> str | None:
    """Return the source that LaTeXML embeds for download."""
    links = (below.get("href") or "" for below in node.iterdescendants() if tag(below) == "a")
    address = next((link for link in links if link.startswith(_DATA)), None)
    if address is None or "," not in address:
        return None
    head, data = address.split(",", 1)
    try:
        raw = base64.b64decode(data) if head.endswith(";base64") else unquote_to_bytes(data)
    except (binascii.Error, ValueError):
        return None
    return raw.decode("utf-8", "replace")


def _algorithm(inline: HtmlInline, lines: Sequence[Element]) -> Iterator[str]:
    """Write the lines of an algorithm under their own numbers, as deep as they stand, comments apart."""
    numbers = [_number_off(line) for line in lines]
    for line, number, depth in zip(lines, numbers, _depths(lines), strict=True):
        text = inline.line(line).replace(r"$\triangleright$", "▷")
        if text:
            marker = f"{number}." if number.isdecimal() else f"- {number}".rstrip()
            yield f"{marker} {'&emsp;' * depth}{text}"


def _number_off(line: Element) -> str:
    """Take the number of a line out of it."""
    marks = list(with_class(line, "ltx_tag_listingline"))
    numbers = [plain(mark).strip(" :.") for mark in marks]
    for mark in marks:
        cut(mark)
    return next(filter(None, numbers), "")


def _depths(lines: Sequence[Element]) -> list[int]:
    """Return how deep each line stands: by the bars before it or, where no line has one, by its hard spaces."""
    bars = [sum("ltx_rule" in classes(below) for below in line.iterdescendants()) for line in lines]
    if any(bars):
        return bars
    texts = ["".join(line.itertext()) for line in lines]
    spaces = [len(text) - len(text.lstrip("\xa0")) for text in texts]
    return [space // min(filter(None, spaces), default=1) for space in spaces]


def _verbatim(node: Element) -> str:
    text = "".join(_texts(node))
    return text.replace("\xa0", " ").rstrip()


def _texts(node: Element) -> Iterator[str]:
    """Return the text of an element as it stands, line numbers left out, ``br`` as a line feed."""
    yield node.text or ""
    for child in node:
        if tag(child) == "br":
            yield "\n"
        elif "ltx_tag_listingline" not in classes(child) and "ltx_listing_data" not in classes(child):
            yield from _texts(child)
        yield child.tail or ""
