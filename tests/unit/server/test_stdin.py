"""Lines of standard input that the protocol's reader would drop."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prioris_mcp.server.stdio.stdin import mended

ID = '"id":"a\\"b"'
DEEP = "[" * 5000 + "]" * 5000
WHOLE_TEXT = st.text(st.characters(exclude_categories=["Cs"]))


def _request(text: str) -> bytes:
    return b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":"' + text.encode() + b'"}}\n'


@given(WHOLE_TEXT, st.booleans())
def test_readable_lines_stay(text: str, ascii_only: bool) -> None:
    """A line that can be read is passed on byte for byte, pairs of surrogates and backslashes included."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "m", "params": {"a": text}}
    line = json.dumps(message, ensure_ascii=ascii_only).encode() + b"\n"
    assert mended(line) == line


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        (r"a\ud800b", "a\ufffdb"),
        (r"\uDFFF", "\ufffd"),
        (r"\ud800\ud83d\ude00", "\ufffd\U0001f600"),
        (r"\ud800\\ud83d", "\ufffd\\ud83d"),
        (r"\ude00\ud83d", "\ufffd\ufffd"),
    ],
)
def test_lone_surrogates_are_replaced(sent: str, read: str) -> None:
    """Each lone surrogate becomes U+FFFD; pairs beside it and escaped backslashes keep their meaning."""
    assert json.loads(mended(_request(sent)))["params"] == {"a": read}


@pytest.mark.parametrize(
    "line",
    [
        f'{{"jsonrpc":"2.0",{ID},"method":"tools/call","params":{{"x":{DEEP}}}}}',
        f'{{"method":"tools/call","params":{{"x":{DEEP},"id":7}},"jsonrpc":"2.0",{ID}}}',
        f'{{"method":"tools/call","params":{{"x":{DEEP},"id":7}},{ID},"jsonrpc":"2.0"}}',
        f'{{"jsonrpc":"2.0",{ID},"method":"m","params":3}}',
    ],
    ids=["id first", "id last", "id before the version", "wrong params"],
)
def test_unreadable_requests_keep_their_id(line: str) -> None:
    """A request that cannot be read becomes a call of nothing under its own id, wherever that stood."""
    expected = {"jsonrpc": "2.0", "id": 'a"b', "method": "tools/call"}
    assert json.loads(mended(line.encode() + b"\n")) == expected


@pytest.mark.parametrize("line", [b"", b"\n", b"{\n", b"[1]\n", b"\xff\n", b'{"id":1}\n', b'{"id":null,"method":3}\n'])
def test_what_has_no_id_stays(line: bytes) -> None:
    """A line that nobody waits for is left to the protocol's reader."""
    assert mended(line) == line
