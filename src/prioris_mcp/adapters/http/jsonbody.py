"""Decode JSON from strangers: bounded in depth before anything is built, and nothing that JSON does not know."""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

DEEPEST = 64
"""Most levels of lists and objects; the answers of our sources have about ten."""
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")


class NotJsonError(ValueError):
    """Tell that the bytes are no JSON that can be used; the text says why."""


def decoded(body: bytes) -> Any:
    """Return the value in *body*, in UTF-8. Raise NotJsonError where it is none or nested too deep.

    Refuse ``NaN`` and ``Infinity`` too: the library would take them, and no client of ours can read them.
    """
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NotJsonError("no text in UTF-8") from None
    _check_depth(text)
    try:
        return json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError) as exc:
        raise NotJsonError(f"no JSON, {exc}") from None


def _check_depth(text: str) -> None:
    depth = 0
    for bracket in _BRACKET.finditer(_STRING.sub("", text)):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > DEEPEST:
            raise NotJsonError(f"nested more than {DEEPEST} levels deep")


def _no_number(name: str) -> NoReturn:
    raise NotJsonError(f"{name} is no number")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise NotJsonError("a number is too large")
    return number
