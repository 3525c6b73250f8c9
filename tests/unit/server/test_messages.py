"""What clients send in place of a message."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prioris_mcp.server.messages import DEEPEST, too_deep, with_arguments
from prioris_mcp.server.stdio.stdin import _MendedLines

BOM = b"\xef\xbb\xbf"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
VALUES = st.recursive(
    st.none() | st.text(alphabet='[]{}"\\ab,:') | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(alphabet='["\\}'), inner, max_size=3),
)


def levels(value: Any) -> int:
    """How deep a value is nested."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(levels, inner), default=0)


@given(VALUES, st.integers(0, 80))
def test_depth_is_found_without_decoding(value: Any, more: int) -> None:
    """Whatever strings hold; one level more than are allowed is too many."""
    for level in range(more):
        value = [value] if level % 2 else {"a": value, "[[": "{{"}
    assert too_deep(json.dumps(value).encode()) is (levels(value) > DEEPEST)


@pytest.mark.parametrize(
    ("text", "deep"),
    [
        (b"[" * 65, True),
        (b'{"a":' * 65, True),
        (b"[" * 64, False),
        (b'"' + b"[" * 500, False),
        (b'"\\"' + b"[" * 500 + b'"', False),
        (b'"\\\\"' + b"[" * 500, True),
        (b"]" * 500, False),
        (b"[]" * 500, False),
    ],
)
def test_depth_of_what_is_no_json(text: bytes, deep: bool) -> None:
    """Cut off inside of a string or outside of it, or never opened."""
    assert too_deep(text) is deep


@pytest.mark.parametrize("given", ['{"limit":5}', "text", ["x"], 3, True])
def test_arguments_that_are_no_object_are_handed_on(given: Any) -> None:
    """As the one argument of their name, which no tool has."""
    sent = {**PING, "method": "tools/call", "params": {"name": "t", "arguments": given}}
    got = json.loads(with_arguments(json.dumps(sent).encode()))
    assert got["params"] == {"name": "t", "arguments": {"arguments": given}}


@pytest.mark.parametrize(
    "sent",
    [
        {**PING, "method": "tools/call", "params": {"name": "t", "arguments": {"arguments": "x"}}},
        {**PING, "method": "tools/call", "params": {"name": "t", "arguments": None}},
        {**PING, "method": "prompts/get", "params": {"name": "p", "arguments": "x"}},
        {**PING, "method": "tools/call", "params": {"name": '"arguments": "x'}},
        {**PING, "params": ["arguments"]},
    ],
)
def test_other_messages_stay(sent: dict[str, Any]) -> None:
    """To the letter."""
    line = json.dumps(sent).encode()
    assert with_arguments(line) == line


class Client:
    """What a client sends, what the protocol is given of it, and what is answered in its place."""

    def __init__(self, *lines: bytes) -> None:
        self.said: list[dict[str, Any]] = []
        self.left = 0
        reader = _MendedLines(io.BytesIO(b"\n".join(lines) + b"\n"), self.said.append, self._leave)
        self.got = [json.loads(line) for line in iter(reader.read1, b"") for line in line.splitlines()]

    def _leave(self) -> None:
        self.left += 1


def test_a_byte_order_mark_is_no_part_of_a_message() -> None:
    """Before the first or any other; and the end of the input is told once."""
    client = Client(BOM + json.dumps(PING).encode(), BOM + json.dumps(PING).encode())
    assert (client.got, client.said, client.left) == ([PING, PING], [], 1)


def test_each_message_of_a_batch_is_passed_on() -> None:
    """In order, with a mark before and spaces around; what is no message is refused by itself."""
    other = {**PING, "id": "two\n"}
    client = Client(BOM + b"  " + json.dumps([PING, 3, other, []]).encode())
    assert client.got == [PING, other]
    assert [answer["error"]["code"] for answer in client.said] == [-32600, -32600]


@pytest.mark.parametrize(("line", "code"), [(b"[]", -32600), (b"[1", -32700), (b"[" * 100, -32700), (b"[1,2]", -32600)])
def test_a_batch_without_a_message_is_answered(line: bytes, code: int) -> None:
    """Once or for each of its members, without an id, and the reader does not take it for the end."""
    client = Client(line, json.dumps(PING).encode())
    assert {answer["error"]["code"] for answer in client.said} == {code}
    assert all(answer["id"] is None and answer["error"]["message"] for answer in client.said)
    assert client.got == [PING]
