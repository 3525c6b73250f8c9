"""Text on its way in and out, without a server."""

from __future__ import annotations

from typing import Any

import pytest

from prioris_mcp.server.text import NestedTooDeepError, is_text, only_text


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("a\ud800b", "a\ufffdb"),
        ("\U0001f600 é\x00", "\U0001f600 é\x00"),
        (["\udfff", 1, None], ["\ufffd", 1, None]),
        ({"k\udc00": {"x": ["\ud800"]}}, {"k\ufffd": {"x": ["\ufffd"]}}),
        (1.5, 1.5),
    ],
)
def test_lone_surrogates_are_replaced_everywhere(given: Any, meant: Any) -> None:
    """In strings, lists, values and keys; everything else stays as it is."""
    assert only_text(given) == meant


def test_what_is_nested_too_deep_is_refused() -> None:
    """Long before Python's own limit, so that nothing behind it can meet that."""
    deep: Any = "x"
    for _ in range(500):
        deep = [deep]
    with pytest.raises(NestedTooDeepError):
        only_text(deep)


def test_surrogates_are_no_text() -> None:
    """Alone they are not, as what they stand for in pairs they are."""
    assert (is_text("\ud83d"), is_text("\U0001f600")) == (False, True)
