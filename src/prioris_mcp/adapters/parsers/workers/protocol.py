"""The protocol of server and worker: frames, and in their bodies a document or its Markdown with its images.

A frame is a big-endian length, a JSON header, then raw bytes. JSON and not pickle: a parser that a document has taken
over must not be able to run code in the server.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, BinaryIO

from prioris_mcp.domain.markdown import Image, Markdown, Span
from prioris_mcp.errors import ParseError

Header = dict[str, Any]

_LENGTH = struct.Struct(">I")
MAX_HEADER = 16 << 20
"""Bytes: the leaves of a hundred thousand pages take less than a tenth of it."""
MAX_BODY = 512 << 20
"""Bytes: more than any document or its Markdown may have."""


DOCUMENT_KEPT = "the stored document is kept"
MEDIA_TYPES = {"png": "image/png", "jpg": "image/jpeg"}
"""Formats of images, by the library's name for them."""

_UNUSABLE = f"the parser answered with something unusable; {DOCUMENT_KEPT}"
_ID = re.compile(r"\w{1,40}", re.ASCII)


class FrameError(Exception):
    """The other side sent something that is not a frame."""


def pack_frame(header: Header, body: bytes = b"") -> bytes:
    """Return one frame; its header gains ``bytes``, the length of *body*."""
    encoded = json.dumps({**header, "bytes": len(body)}).encode("ascii")
    return _LENGTH.pack(len(encoded)) + encoded + body


def read_frame(source: BinaryIO) -> tuple[Header, bytes]:
    """Read one frame from a blocking file; raises EOFError at its end, FrameError for anything else."""
    header = _header(_exactly(source, _header_size(_exactly(source, _LENGTH.size))))
    return header, _exactly(source, header["bytes"])


async def receive_frame(exactly: Callable[[int], Awaitable[bytes]]) -> tuple[Header, bytes]:
    """Read one frame through *exactly*, which gives the next n bytes; raises FrameError."""
    header = _header(await exactly(_header_size(await exactly(_LENGTH.size))))
    return header, await exactly(header["bytes"]) if header["bytes"] else b""


def _exactly(source: BinaryIO, size: int) -> bytes:
    data = source.read(size)
    if len(data) < size:
        raise EOFError
    return data


def _header_size(prefix: bytes) -> int:
    size: int = _LENGTH.unpack(prefix)[0]
    if not 0 < size <= MAX_HEADER:
        raise FrameError(f"a header of {size} bytes")
    return size


def _header(encoded: bytes) -> Header:
    try:
        header = json.loads(encoded)
    except (ValueError, RecursionError) as exc:
        raise FrameError("a header that is not JSON") from exc
    size = header.get("bytes") if isinstance(header, dict) else None
    if type(size) is not int or not 0 <= size <= MAX_BODY:
        raise FrameError("a header without a usable length")
    return dict(header)


def pack_markdown(markdown: Markdown) -> tuple[Header, bytes]:
    """Return header and body of an answer."""
    text = markdown.text.encode()
    leaves = [[leaf.start, leaf.length] for leaf in markdown.leaves]
    images = [[image.id, image.media_type, len(image.content)] for image in markdown.images]
    header = {"ok": True, "paged": markdown.paged, "leaves": leaves, "text": len(text), "images": images}
    return header, b"".join([text, *(image.content for image in markdown.images)])


def unpack_markdown(header: Header, body: bytes) -> Markdown:
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
        raise ParseError(f"the parser answered with pages that do not fit its text; {DOCUMENT_KEPT}")
    return Markdown(text, leaves, paged, images)


def _images(facts: list[Any], body: bytes, start: int) -> Iterator[Image]:
    """Yield the images behind the text, which take up all that is left of *body*."""
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
