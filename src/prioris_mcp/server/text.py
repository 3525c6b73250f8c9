"""Text that every connection can carry: without lone surrogates, which JSON can write and UTF-8 cannot."""

from __future__ import annotations

import re
from typing import Any

_SURROGATES = re.compile("[\ud800-\udfff]")
_DEEPEST = 100


class NestedTooDeepError(ValueError):
    """A value has more levels than anything that a tool takes."""


def is_text(text: str) -> bool:
    """Whether *text* has no lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def only_text(value: Any, levels: int = _DEEPEST) -> Any:
    """*value* with U+FFFD for each lone surrogate in it, at every depth.

    Raises:
        NestedTooDeepError: it has more than *levels* levels.
    """
    if levels < 0:
        raise NestedTooDeepError
    match value:
        case str():
            return value if is_text(value) else _SURROGATES.sub("\ufffd", value)
        case list():
            return [only_text(item, levels - 1) for item in value]
        case dict():
            return {only_text(key): only_text(item, levels - 1) for key, item in value.items()}
    return value
