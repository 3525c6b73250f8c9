"""Standard output, which the protocol's writer shares with answers that never reach the protocol."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, TextIO

Say = Callable[[dict[str, Any]], None]
"""Writes one message, and drops it where nobody listens any more."""


@contextmanager
def sharing_output() -> Iterator[Say]:
    """While this lasts, the buffer of ``sys.stdout`` takes whole lines; what anybody prints goes to standard error."""
    plain = sys.stdout
    plain.flush()
    fd = os.dup(plain.fileno())
    _divert(plain.fileno())
    # Never closed: a thread may still write to it when all else has ended.
    lines = _WholeLines(os.fdopen(fd, "wb", closefd=False))
    sys.stdout = _Printed(plain, lines)

    def say(message: dict[str, Any]) -> None:
        with suppress(OSError):
            lines.write(json.dumps(message).encode() + b"\n")

    try:
        yield say
    finally:
        with suppress(OSError):
            plain.flush()
        os.dup2(fd, plain.fileno(), inheritable=True)
        sys.stdout = plain


def _divert(fd: int) -> None:
    try:
        os.dup2(2, fd, inheritable=True)
    except OSError:  # there is no standard error
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, fd, inheritable=True)
        os.close(nothing)


class _Printed:
    """*plain*, but for the buffer, which is all of it that the protocol's writer uses."""

    def __init__(self, plain: TextIO, buffer: io.BufferedIOBase) -> None:
        self._plain, self.buffer = plain, buffer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._plain, name)


class _WholeLines(io.BufferedIOBase):
    """Each write is one or more lines, and nothing comes between its bytes."""

    def __init__(self, target: BinaryIO) -> None:
        self._target = target
        self._lock = threading.Lock()

    def writable(self) -> bool:
        return True

    def write(self, content: Any, /) -> int:
        with self._lock:
            written = self._target.write(content)
            self._target.flush()
        return written
