"""An identifier as it was pasted, without what came along: quotes, brackets, signs of a sentence, hidden characters."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote

LONGEST = 2000
"""Characters of anything that can be an identifier; more is not looked at."""
_QUOTES = "\"'`´“”„‟‘’‚‹›«»"
_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_OPENERS = {closer: opener for opener, closer in _PAIRS.items()}
_AFTER = ".,;!"
"""Signs of a sentence that can stand behind an identifier, and end none."""
_LAYERS = 8
"""Wrappings that are taken off, one within the other."""
_HYPHENS = dict.fromkeys(map(ord, "‐‑‒–−"), "-")
_FULL_WIDTH = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_FORMS = {**_HYPHENS, **_FULL_WIDTH}
_BREAK = re.compile(r"[ \t]*[^\S \t]\s*")
"""The end of a line, or a space that no keyboard has: both come from how a page was set."""
_BEGINS = re.compile(r"10\.\d{4}|\d{4}\.\d{4}|[a-z]+:|PM[CI]D?|[a-z-]+/\d{7}", re.IGNORECASE | re.ASCII)
_WITHIN = tuple("./:-_%=")
"""Signs at which a line of an identifier may end or begin."""


def cleaned(text: str) -> str:
    """Return *text* without what was pasted along with it."""
    shown = "".join(sign for sign in text.translate(_FORMS) if unicodedata.category(sign) != "Cf")
    return trimmed(_on_one_line(shown.strip()))


def decoded(text: str) -> str | None:
    """Return *text* percent-decoded once; None where that is no text."""
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError:
        return None


def trimmed(text: str) -> str:
    """Return *text* without the quotes, brackets and signs around it; brackets of its own stay, which are balanced."""
    for _ in range(_LAYERS):
        text = _unwrapped(text.strip().strip(_QUOTES).rstrip(_AFTER))
    return text


def _unwrapped(text: str) -> str:
    """One layer less."""
    first, last = text[:1], text[-1:]
    if _PAIRS.get(first) == last and text.count(first) == text.count(last) and _closes_at_end(text):
        return text[1:-1]
    if last in _OPENERS and text.count(last) > text.count(_OPENERS[last]):
        return text[:-1]
    if first in _PAIRS and text.count(first) > text.count(_PAIRS[first]):
        return text[1:]
    return text


def _closes_at_end(text: str) -> bool:
    """Whether the bracket that opens *text* is closed by its last sign, not before."""
    depth, opener, closer = 0, text[0], text[-1]
    for at, sign in enumerate(text):
        depth += (sign == opener) - (sign == closer)
        if depth == 0:
            return at == len(text) - 1
    return False


def _on_one_line(text: str) -> str:
    """*text* joined where a line ended inside an identifier; left alone where it may be two of them."""
    lines = _BREAK.split(text)
    joined = lines[0]
    for line in lines[1:]:
        torn = joined.endswith(_WITHIN) or line.startswith(_WITHIN)
        plain = joined.isalnum() or _BEGINS.match(line)
        joined += line if torn or not plain else f"\n{line}"
    return joined
