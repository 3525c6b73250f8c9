"""Many raw connections to a server on this machine, each of which says as little as it likes."""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

HEAD = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
BODY = HEAD + b"Accept: application/json, text/event-stream\r\nContent-Length: 100000\r\n\r\n{"
HALVES = (b"", b"P", HEAD[:20], HEAD[: HEAD.index(b"127")], HEAD, BODY, BODY + b" " * 4000)
"""Requests that stop somewhere."""


@contextmanager
def crowd(port: int, count: int, says: tuple[bytes, ...] = HALVES) -> Iterator[list[socket.socket]]:
    """*count* connections that have said one of *says* each, and wait."""
    with ExitStack() as all_of_them:
        found = []
        for number in range(count):
            one = all_of_them.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
            one.setblocking(False)
            with suppress(OSError):  # it was turned away already
                one.sendall(says[number % len(says)])
            found.append(one)
        yield found


def closed(connections: list[socket.socket], seconds: float, enough: int | None = None) -> int:
    """How many of *connections* the other side has closed within *seconds*; returns as soon as *enough* or all are."""
    least = 0 if enough is None else len(connections) - enough
    waiting = selectors.DefaultSelector()
    for each in connections:
        waiting.register(each, selectors.EVENT_READ)
    end = time.monotonic() + seconds
    while len(waiting.get_map()) > least and (left := end - time.monotonic()) > 0:
        for key, _ in waiting.select(left):
            if _is_closed(key.fileobj):
                waiting.unregister(key.fileobj)
    still = len(waiting.get_map())
    waiting.close()
    return len(connections) - still


def _is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(65536) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
