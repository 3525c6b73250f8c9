"""What clients send instead of a message that the protocol can read, and what is made of it; for every transport."""

from __future__ import annotations

import json
import re
from typing import Any

DEEPEST = 64
"""Levels of JSON that are read; no tool needs a tenth of them, and decoders give up at some depth of their own."""
TOO_DEEP = f"the message is nested deeper than {DEEPEST} levels; send it as the tool's schema shows it"
ONE_AT_A_TIME = "a batch of messages is not taken; send each message by itself"
ARGUMENTS = "arguments"
_BOM = b"\xef\xbb\xbf"
_STRINGS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
"""Whole ones, and one that is cut off."""
_SQUARE = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_NO_OBJECT = re.compile(rb'"arguments"\s*+:\s*+[^{n\s]')


def begun(message: bytes) -> bytes:
    """*message* without the byte order mark that some programs write first."""
    return message.removeprefix(_BOM)


def is_batch(message: bytes) -> bool:
    """Whether *message* is a list, as a batch is."""
    return message.lstrip()[:1] == b"["


def too_deep(message: bytes) -> bool:
    """Whether *message*, if it is JSON at all, has more than `DEEPEST` levels; found without decoding it."""
    if message.count(b"[") + message.count(b"{") <= DEEPEST:
        return False
    left = _STRINGS.sub(b"", message).translate(_SQUARE, _NO_BRACKETS)
    # Each round takes away the innermost level, so what is left had more levels, or is no JSON.
    rounds = 0
    while left.count(b"[") - left.count(b"]") <= DEEPEST and b"[]" in left and rounds < DEEPEST:
        left, rounds = left.replace(b"[]", b""), rounds + 1
    return b"[]" in left or left.count(b"[") > DEEPEST


def with_arguments(message: bytes) -> bytes:
    """*message*, a tool's arguments put into an object if they are none, as they must be to get as far as us.

    `ArgumentRepairMiddleware` then reads them, or says in a sentence what is wrong with them.
    """
    if not _NO_OBJECT.search(message):
        return message
    try:
        read = json.loads(message)
        params = read["params"]
        given = params[ARGUMENTS]
    except (ValueError, KeyError, TypeError, RecursionError):
        return message
    if read.get("method") != "tools/call" or isinstance(given, dict | None):
        return message
    params[ARGUMENTS] = {ARGUMENTS: given}
    return json.dumps(read).encode() + b"\n"


def refusal(code: int, sentence: str) -> dict[str, Any]:
    """A JSON-RPC error for what has no id that could be told."""
    return {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": sentence}}
