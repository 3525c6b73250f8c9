"""Reading requests and writing answers: just enough HTTP/1.1 for a test suite."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import parse_qsl, urlsplit

BLOCK = 16 * 1024


@dataclass(frozen=True)
class Head:
    """A request line and its headers; header names are lower case."""

    method: str
    target: str
    headers: dict[str, str]


@dataclass(frozen=True)
class Request:
    """One request to a simulated service."""

    method: str
    scheme: str
    host: str
    target: str  # the path and query exactly as they were sent
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def url(self) -> str:
        """The whole address."""
        return f"{self.scheme}://{self.host}{self.target}"

    @property
    def path(self) -> str:
        """The path, undecoded."""
        return path_of(self.target)

    @property
    def query(self) -> dict[str, str]:
        """The decoded parameters of the query."""
        return query_of(self.target)

    @property
    def form(self) -> dict[str, str]:
        """The decoded parameters of a form in the body, if that is what the body holds."""
        if "x-www-form-urlencoded" not in self.headers.get("content-type", ""):
            return {}
        return dict(parse_qsl(self.body.decode("utf-8", "replace"), keep_blank_values=True))


@dataclass(frozen=True)
class Response:
    """One answer; `chunked` sends it without a Content-Length."""

    status: int = 200
    body: bytes = b""
    content_type: str | None = "text/html; charset=utf-8"
    headers: dict[str, str] = field(default_factory=dict)
    chunked: bool = False


def path_of(target: str) -> str:
    """The part of a request target before the question mark."""
    return target.partition("?")[0]


def query_of(target: str) -> dict[str, str]:
    """The decoded query of a request target; the last of a repeated name wins."""
    return dict(parse_qsl(target.partition("?")[2], keep_blank_values=True))


def origin_form(target: str) -> tuple[str, str]:
    """Split the absolute target a proxy is sent into host and origin-form target."""
    parts = urlsplit(target)
    query = f"?{parts.query}" if parts.query else ""
    return parts.hostname or "", (parts.path or "/") + query


async def read_head(reader: asyncio.StreamReader) -> Head | None:
    """Read one request head, or return None when the client has hung up."""
    try:
        raw = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = raw.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ", 2)
    fields = (line.partition(":") for line in lines if ":" in line)
    return Head(method, target, {name.strip().lower(): value.strip() for name, _, value in fields})


async def read_body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    """Read the body that these headers announce."""
    if "chunked" in headers.get("transfer-encoding", "").lower():
        return await _read_chunks(reader)
    return await reader.readexactly(int(headers.get("content-length") or 0))


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    parts: list[bytes] = []
    while size := int((await reader.readline()).partition(b";")[0], 16):
        parts.append(await reader.readexactly(size))
        await reader.readline()
    await reader.readline()
    return b"".join(parts)


def render_head(status: int, headers: Iterable[tuple[str, str]]) -> bytes:
    """The status line and headers of an answer."""
    try:
        reason = HTTPStatus(status).phrase
    except ValueError:
        reason = "Unknown"
    lines = [f"HTTP/1.1 {status} {reason}", *(f"{name}: {value}" for name, value in headers)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def header_list(response: Response, length: int | None) -> list[tuple[str, str]]:
    """The headers of an answer of `length` bytes; None means chunked."""
    framing = ("Transfer-Encoding", "chunked") if length is None else ("Content-Length", str(length))
    kind = [("Content-Type", response.content_type)] if response.content_type else []
    return [*kind, framing, *response.headers.items()]


def chunk(piece: bytes) -> bytes:
    """One chunk of a chunked body."""
    return b"%x\r\n%b\r\n" % (len(piece), piece)


def blocks(body: bytes, size: int = BLOCK) -> Iterator[bytes]:
    """Cut a body into pieces of at most `size` bytes."""
    return (body[start : start + size] for start in range(0, len(body), size))
