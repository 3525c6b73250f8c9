"""Secrets in texts, however they are written."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable
from functools import reduce
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prioris_mcp.redaction import MARK, Redactor, bare

SECRET = 'k-pl/an+ted="Secret"&é1'
WAYS: dict[str, Callable[[str], str]] = {
    "percent": lambda text: quote(text, safe=""),
    "percent, small": lambda text: "".join(f"%{byte:02x}" for byte in text.encode()),
    "percent, in part": lambda text: "".join(quote(char, safe="") if n % 3 else char for n, char in enumerate(text)),
    "form": quote_plus,
    "JSON": json.dumps,
    "JSON with slashes": lambda text: json.dumps(text).replace("/", "\\/"),
    "JSON, all escaped": lambda text: "".join(f"\\u{ord(char):04X}" for char in text),
    "HTML": html.escape,
    "HTML by number": lambda text: "".join(f"&#{ord(char)};" for char in text),
    "HTML by hexadecimal number": lambda text: "".join(f"&#X{ord(char):x};" for char in text),
    "Python": repr,
    "capitals": lambda text: text.upper().replace("É", "é"),
}
PACKERS = [base64.b64encode, base64.urlsafe_b64encode]


@pytest.mark.parametrize("way", WAYS)
def test_every_way_of_writing_is_read(way: str) -> None:
    """Nothing of the secret is left, and all that stood around it is."""
    shown = Redactor([SECRET])(f"before {WAYS[way](SECRET)} after")
    assert shown.replace('"', "").replace("'", "").replace("\\", "") == f"before {MARK} after"


@given(st.lists(st.sampled_from(sorted(WAYS)), min_size=1, max_size=4), st.text(max_size=20), st.text(max_size=20))
def test_ways_in_each_other_are_read(ways: list[str], before: str, after: str) -> None:
    """As JSON in an address in a page, whatever stands around it: at least the secret's own letters are gone."""
    written = reduce(lambda text, way: WAYS[way](text), ways, SECRET)
    shown = Redactor([SECRET])(f"{before} {written} {after}")
    assert MARK in shown
    assert written not in shown


@given(st.binary(max_size=9), st.binary(max_size=9), st.sampled_from(PACKERS), st.sampled_from([SECRET, "x" * 8]))
def test_base64_is_read_wherever_it_begins(before: bytes, after: bytes, pack: Callable[[bytes], bytes], secret: str):
    """As in an Authorization header, in both alphabets: what is left decodes to nothing of the secret."""
    packed = pack(before + secret.encode() + after).decode()
    shown = Redactor([secret])(f"Basic {packed}")
    assert MARK in shown
    left = shown.removeprefix("Basic ").split(MARK)
    assert len(left) == 2
    assert len(left[0]) <= len(before) * 8 // 6
    assert len(left[1].rstrip("=")) <= -(-len(after) * 8 // 6)


@pytest.mark.parametrize("length", range(8, len(SECRET)))
def test_a_secret_that_was_cut_off_is_hidden(length: int) -> None:
    """Somebody else may have bounded the text before."""
    assert Redactor([SECRET])(f"key {SECRET[:length]}…") == f"key {MARK}…"


@pytest.mark.parametrize(
    ("secret", "text", "shown"),
    [
        ("abc", "the abc of abcdef", "the abc of abcdef"),
        ("abc", "api_key=abc&x=1 and 'abc'", "api_key=***&x=1 and '***'"),
        ("abc", "api_key%3Dabc", "api_key%3D***"),
        ("abcde", "key abcde is not abcdef", "key *** is not abcdef"),
        ("", "text", "text"),
        ("Bearer token-of-somebody", "the Bearer of token-of-somebody", "the Bearer of ***"),
        (
            "http://ada:pass-word@proxy.example:1",
            "pass-word at http://proxy.example:1",
            "*** at http://proxy.example:1",
        ),
        ("https://ocr.example/x?t=k-address", "k-address at https://arxiv.org/x", "*** at https://arxiv.org/x"),
    ],
)
def test_short_and_compound_secrets(secret: str, text: str, shown: str) -> None:
    """A short one is hidden as a word or a value only, of a compound one its secret parts are."""
    assert Redactor([secret])(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("at (https://u:p@h.example/a/b?q=1#f).", "at (https://h.example/a/b)."),
        ("HTTPS://h.example?q", "HTTPS://h.example"),
        ("https://h.example/a@b and https://h.example/#x, y", "https://h.example/a@b and https://h.example/, y"),
        ("research://arxiv/1/pdf/markdown?offset=1", "research://arxiv/1/pdf/markdown?offset=1"),
    ],
)
def test_addresses_are_shown_bare(text: str, shown: str) -> None:
    """Without user, query and fragment; only those of the web, for ours hold no secrets."""
    assert Redactor()(text) == shown


@pytest.mark.parametrize(
    ("address", "shown"),
    [("/works?key=1", "/works"), ("//u@h/x?y", "//h/x"), ("x#y?z", "x"), ("https://u:p@h", "https://h"), ("", "")],
)
def test_relative_addresses_are_made_bare(address: str, shown: str) -> None:
    """As a redirect may have them."""
    assert bare(address) == shown


@pytest.mark.parametrize("written", [SECRET.encode().hex(), SECRET.encode().hex().upper()])
def test_hexadecimal_is_read(written: str) -> None:
    """As a library shows bytes, whole or cut off."""
    assert Redactor([SECRET])(f"bytes {written} there") == f"bytes {MARK} there"
    assert Redactor([SECRET])(f"bytes {written[:20]}…") == f"bytes {MARK}…"


@given(st.text(max_size=200))
def test_other_texts_stay(text: str) -> None:
    """To the letter, whatever they look like."""
    assert Redactor(["no-such-secret-here"]).hidden(text) == text
