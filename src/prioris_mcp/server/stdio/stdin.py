"""Standard input, with every line that the protocol's reader would drop made into one that gets an answer."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from mcp_types import INVALID_REQUEST, PARSE_ERROR, jsonrpc_message_adapter

from prioris_mcp.server import messages
from prioris_mcp.server.stdio.stdout import Say

_HIGH, _LOW = rb"\\u[dD][89abAB][0-9a-fA-F]{2}", rb"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_LONE = re.compile(rb"\\\\|" + _HIGH + _LOW + b"|" + _HIGH + b"|" + _LOW)
"""Escaped backslashes and surrogate pairs, which stay, and lone surrogates, which no text can hold."""
_REPLACEMENT = rb"\ufffd"
_LENGTH_OF_ONE = 6
_ID = rb'"id"\s*:\s*("(?:[^"\\]|\\.){0,200}"|-?\d{1,18})\s*'
_ID_FIRST = re.compile(rb"\s*\{(?:\s*\"(?:jsonrpc|method)\"\s*:\s*\"[^\"]*\"\s*,)*\s*" + _ID + b",")
_ID_LAST = re.compile(b"," + _ID + rb'(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$')
_TAIL = 300


@contextmanager
def answering_every_line(say: Say, at_end: Callable[[], None]) -> Iterator[None]:
    """While this lasts, ``sys.stdin`` gives mended lines, and children find an empty standard input.

    *say* answers what the protocol cannot read; *at_end* is called, in the reading thread, when the client has left.
    """
    plain = sys.stdin
    fd = os.dup(plain.fileno())
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, plain.fileno(), inheritable=True)
    os.close(nothing)
    # Never closed: a thread may still wait for it when all else has ended.
    lines = _MendedLines(os.fdopen(fd, "rb", closefd=False), say, at_end)
    sys.stdin = io.TextIOWrapper(lines, encoding="utf-8", errors="replace")
    try:
        yield
    finally:
        os.dup2(fd, plain.fileno(), inheritable=True)
        sys.stdin = plain


class _MendedLines(io.BufferedIOBase):
    """The lines of *source*, mended one by one."""

    def __init__(self, source: BinaryIO, say: Say, at_end: Callable[[], None]) -> None:
        self._source, self._say, self._at_end = source, say, at_end

    def readable(self) -> bool:
        return True

    def read1(self, _size: int = -1, /) -> bytes:
        """The next line whole, whatever its length; empty at the end."""
        while line := self._source.readline():
            if found := b"".join(mended(message) for message in self._messages(messages.begun(line))):
                return found
        self._at_end()
        return b""

    def _messages(self, line: bytes) -> Iterator[bytes]:
        """The one message of *line*, or those of a batch, each of which gets its own answer."""
        if not messages.is_batch(line):
            yield line
            return
        try:
            batch = None if messages.too_deep(line) else json.loads(line)
        except ValueError:
            batch = None
        if batch is None:
            self._say(messages.refusal(PARSE_ERROR, "the batch is no JSON, or nested too deep"))
        elif not batch:
            self._say(messages.refusal(INVALID_REQUEST, "the batch is empty; send one message or more"))
        for message in batch or ():
            if isinstance(message, dict):
                yield json.dumps(message).encode() + b"\n"
            else:
                self._say(messages.refusal(INVALID_REQUEST, "the batch holds something that is no message"))

    def read(self, _size: int | None = -1, /) -> bytes:
        return self.read1()

    def readinto(self, _buffer: object, /) -> int:
        raise io.UnsupportedOperation("lines are read whole")


def mended(line: bytes) -> bytes:
    """*line* as it is if the protocol can read it, else as near to it as can be read.

    A lone surrogate becomes U+FFFD. A request that stays unreadable, as one nested too deep, keeps its id and becomes
    a call of nothing, which is answered with an error. What has no id is left as it is, to be logged and dropped.
    """
    if not line.strip() or _is_readable(line):
        return messages.with_arguments(line)
    repaired = _LONE.sub(lambda found: _kept(found.group()), line)
    if _is_readable(repaired):
        return messages.with_arguments(repaired)
    number = _request_id(repaired)
    if number is None:
        return line
    return b'{"jsonrpc":"2.0","id":' + number + b',"method":"tools/call"}\n'


def _kept(found: bytes) -> bytes:
    return _REPLACEMENT if len(found) == _LENGTH_OF_ONE else found


def _is_readable(line: bytes) -> bool:
    if messages.too_deep(line):
        return False
    try:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return False
    return True


def _request_id(line: bytes) -> bytes | None:
    """The id of an unreadable request, as JSON."""
    try:
        message = None if messages.too_deep(line) else json.loads(line)
    except ValueError:
        message = None
    if message is None:
        found = _ID_FIRST.match(line) or _ID_LAST.search(line, max(0, len(line) - _TAIL))
        return found[1] if found else None
    number = message.get("id") if isinstance(message, dict) and "method" in message else None
    return json.dumps(number).encode() if isinstance(number, str | int) else None
