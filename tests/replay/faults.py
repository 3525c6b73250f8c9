"""The ways an upstream can misbehave.

Each fault is one small coroutine in the table `KINDS`; its keyword arguments are the
arguments of `StandIn.fault`, which are checked when the fault is ordered.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import threading
import zlib
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from math import inf
from typing import Any

from tests.replay.exchange import Exchange
from tests.replay.wire import Request, Response, blocks, chunk

Kind = Callable[..., Awaitable[None]]

RATE_EXCEEDED = Response(429, b"Rate exceeded.", "text/html")
FOR_EVER = -1


async def status(
    exchange: Exchange,
    *,
    status: int,
    body: str | bytes = b"",
    content_type: str | None = "text/html",
    headers: dict[str, str] | None = None,
) -> None:
    """Another status, with any body and headers."""
    await exchange.send(Response(status, _bytes(body), content_type, headers or {}))


async def rate_limit(exchange: Exchange, *, retry_after: float | str | None = None) -> None:
    """429, with or without a Retry-After header."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    await exchange.send(replace(RATE_EXCEEDED, headers=headers))


async def silence(exchange: Exchange) -> None:
    """Never answer; the client has to give up."""
    await exchange.pause(inf)


async def delay(exchange: Exchange, *, seconds: float) -> None:
    """The true answer, later."""
    await exchange.pause(seconds)
    await exchange.send(exchange.answer)


async def reset(exchange: Exchange) -> None:
    """Break the connection before any answer."""
    exchange.reusable = False
    exchange.writer.transport.abort()


async def truncate(exchange: Exchange, *, fraction: float = 0.5) -> None:
    """Announce the whole answer, send a part of it, and hang up."""
    answer = exchange.answer
    part = answer.body[: int(len(answer.body) * fraction)]
    exchange.reusable = False
    await exchange.begin(answer, None if answer.chunked else len(answer.body))
    for piece in blocks(part):
        await exchange.write(chunk(piece) if answer.chunked else piece)


async def drip(exchange: Exchange, *, chunk: int = 1, interval: float = 1.0) -> None:
    """The true answer, `chunk` bytes at a time."""
    await exchange.begin(exchange.answer, len(exchange.answer.body))
    for piece in blocks(exchange.answer.body, chunk):
        await exchange.write(piece)
        await exchange.pause(interval)


async def huge(exchange: Exchange, *, size: int = 1 << 30, chunked: bool = False) -> None:
    """An answer of `size` bytes that begins like the true one; chunked, its length is not announced."""
    await exchange.begin(exchange.answer, None if chunked else size)
    for piece in _padding(exchange.answer.body[:1024], size):
        await exchange.write(chunk(piece) if chunked else piece)
    if chunked:
        await exchange.write(b"0\r\n\r\n")


async def gzip_bomb(exchange: Exchange, *, size: int = 1 << 28) -> None:
    """A small compressed answer that unpacks to `size` bytes."""
    packed = await asyncio.to_thread(_packed_zeros, size)
    await exchange.send(Response(200, packed, exchange.answer.content_type, {"Content-Encoding": "gzip"}))


async def redirect(exchange: Exchange, *, location: str, status: int = 302) -> None:
    """A redirection to anywhere."""
    await exchange.send(Response(status, b"", headers={"Location": location}))


async def redirect_loop(exchange: Exchange) -> None:
    """A redirection of the address to itself."""
    await redirect(exchange, location=exchange.request.url)


async def body(exchange: Exchange, *, body: str | bytes, content_type: str | None = "text/html") -> None:
    """A success with another body; without a content type no such header is sent."""
    await exchange.send(Response(200, _bytes(body), content_type))


async def garbage(exchange: Exchange) -> None:
    """Bytes that are not HTTP."""
    exchange.reusable = False
    await exchange.write(b"\x00\xff\xfethis is not HTTP\r\n\r\n")


KINDS: dict[str, Kind] = {
    kind.__name__: kind
    for kind in (
        status,
        rate_limit,
        silence,
        delay,
        reset,
        truncate,
        drip,
        huge,
        gzip_bomb,
        redirect,
        redirect_loop,
        body,
        garbage,
    )
}


@dataclass
class Fault:
    """One ordered fault; it is used up when `times` reaches nought."""

    kind: str
    host: str = "*"
    path: str = "*"
    times: int = 1
    args: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"unknown fault {self.kind!r}; there are {', '.join(sorted(KINDS))}")
        inspect.signature(KINDS[self.kind]).bind(None, **self.args)

    def matches(self, request: Request) -> bool:
        """Whether this fault is to be applied to a request."""
        return self.times != 0 and fnmatchcase(request.host, self.host) and fnmatchcase(request.path, self.path)

    async def apply(self, exchange: Exchange) -> None:
        """Misbehave."""
        await KINDS[self.kind](exchange, **self.args)


class FaultQueue:
    """The ordered faults, oldest first; safe to fill from another thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._faults: list[Fault] = []

    def add(self, fault: Fault) -> None:
        """Order one more fault."""
        with self._lock:
            self._faults.append(fault)

    def clear(self) -> None:
        """Forget all orders."""
        with self._lock:
            self._faults.clear()

    def take(self, request: Request) -> Fault | None:
        """The oldest fault that matches, counted as used once."""
        with self._lock:
            found = next((fault for fault in self._faults if fault.matches(request)), None)
            if found and found.times > 0:
                found.times -= 1
            return found


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def _padding(start: bytes, size: int) -> Iterator[bytes]:
    block = b"%" + b"x" * 65534 + b"\n"
    yield start[:size]
    for done in range(min(len(start), size), size, len(block)):
        yield block[: size - done]


@functools.cache
def _packed_zeros(size: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = bytes(1 << 20)
    parts = [packer.compress(block[: size - start]) for start in range(0, size, len(block))]
    return b"".join([*parts, packer.flush()])
