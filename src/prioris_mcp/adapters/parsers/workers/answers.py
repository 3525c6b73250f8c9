"""What a worker answers: the text and its images as bytes, and beside them what they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from prioris_mcp.adapters.parsers.workers.frames import Header
from prioris_mcp.domain.markdown import Image, Markdown, Span
from prioris_mcp.errors import ParseError

KEPT = "the stored document is kept"
MEDIA_TYPES = {"png": "image/png", "jpg": "image/jpeg"}
"""Formats of images, by the library's name for them."""

_UNUSABLE = f"the parser answered with something unusable; {KEPT}"
_ID = re.compile(r"\w{1,40}", re.ASCII)


def packed(markdown: Markdown) -> tuple[Header, bytes]:
    """Header and body of an answer."""
    text = markdown.text.encode()
    leaves = [[leaf.start, leaf.length] for leaf in markdown.leaves]
    images = [[image.id, image.media_type, len(image.content)] for image in markdown.images]
    header = {"ok": True, "paged": markdown.paged, "leaves": leaves, "text": len(text), "images": images}
    return header, b"".join([text, *(image.content for image in markdown.images)])


def unpacked(header: Header, body: bytes) -> Markdown:
    """Read an answer without trusting it: text, whether it has pages, leaves that partition it, and images."""
    try:
        size = header["text"]
        text = body[:size].decode("utf-8")
        leaves = tuple(_span(pair) for pair in header["leaves"])
        images = tuple(_images(header["images"], body, size))
        paged = header["paged"] is True
    except (KeyError, TypeError, ValueError) as exc:
        raise ParseError(_UNUSABLE) from exc
    at = 0
    for leaf in leaves:
        if leaf.start != at or leaf.length < 0:
            break
        at = leaf.end
    if at != len(text) or not leaves:
        raise ParseError(f"the parser answered with pages that do not fit its text; {KEPT}")
    return Markdown(text, leaves, paged, images)


def _images(facts: list[Any], body: bytes, start: int) -> Iterator[Image]:
    """The images behind the text, which take up all that is left of *body*."""
    seen: set[str] = set()
    for fact in facts:
        match fact:
            case [str(name), str(media_type), int(size)] if size > 0 and name not in seen and _ID.fullmatch(name):
                seen.add(name)
            case _:
                raise ValueError("not an image")
        if media_type not in MEDIA_TYPES.values():
            raise ValueError("not a kind of image that is kept")
        yield Image(name, media_type, body[start : start + size])
        start += size
    if start != len(body):
        raise ValueError("bytes that belong to nothing")


def _span(pair: Any) -> Span:
    match pair:
        case [int(start), int(length)]:
            return Span(start, length)
    raise ValueError("not a span")
