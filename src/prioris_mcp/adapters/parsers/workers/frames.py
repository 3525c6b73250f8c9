"""The frames that server and worker exchange: a big-endian length, a JSON header, then raw bytes.

JSON and not pickle: a parser that a document has taken over must not be able to run code in the server.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Awaitable, Callable
from typing import Any, BinaryIO

Header = dict[str, Any]

_LENGTH = struct.Struct(">I")
MAX_HEADER = 16 << 20
"""Bytes: the leaves of a hundred thousand pages take less than a tenth of it."""
MAX_BODY = 512 << 20
"""Bytes: more than any document or its Markdown may have."""


class FrameError(Exception):
    """The other side sent something that is not a frame."""


def pack(header: Header, body: bytes = b"") -> bytes:
    """One frame; its header gains ``bytes``, the length of *body*."""
    encoded = json.dumps({**header, "bytes": len(body)}).encode("ascii")
    return _LENGTH.pack(len(encoded)) + encoded + body


def read(source: BinaryIO) -> tuple[Header, bytes]:
    """Read one frame from a blocking file; raises EOFError at its end, FrameError for anything else."""
    header = _header(_exactly(source, _header_size(_exactly(source, _LENGTH.size))))
    return header, _exactly(source, header["bytes"])


async def receive(exactly: Callable[[int], Awaitable[bytes]]) -> tuple[Header, bytes]:
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
