"""How much one argument may be: stated in every input schema, and checked before anything else looks at it.

What is longer than anybody means costs seconds in a tokenizer or a parser, in which nobody else is served.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from prioris_mcp.domain.notes.limits import MOST_ANCHORS, MOST_TAGS
from prioris_mcp.errors import InvalidRequestError

MOST_CHARACTERS = 10_000
MOST_ITEMS = 500
_ITEMS = {
    "tags": MOST_TAGS,
    "tags_all": MOST_TAGS,
    "tags_any": MOST_TAGS,
    "tags_exclude": MOST_TAGS,
    "anchors": MOST_ANCHORS,
}
"""Where a list may be shorter than others."""
MOST_CHARACTERS_OF_A_LIST = 1_000_000
"""Of all texts in a list or an object together."""
_ENCODED = "contentEncoding"
"""Files in base64 have limits of their own, in bytes."""


def stated(schema: Mapping[str, Any]) -> dict[str, Any]:
    """An input *schema* in which every parameter has its bound, its own or a common one."""
    properties = {name: {**field, **_missing(name, field)} for name, field in schema.get("properties", {}).items()}
    return {**schema, "properties": properties}


def _missing(name: str, field: Mapping[str, Any]) -> dict[str, int]:
    kind = field.get("type")
    if kind == "array":
        return {} if "maxItems" in field else {"maxItems": _ITEMS.get(name, MOST_ITEMS)}
    if kind != "string" or not field.keys().isdisjoint(("enum", "const", "maxLength", _ENCODED)):
        return {}
    return {"maxLength": MOST_CHARACTERS}


def check(field: Mapping[str, Any], value: Any, name: str) -> None:
    """InvalidRequestError where *value* is more than *field*, the schema of a parameter, allows."""
    if isinstance(value, str) and field.get("type") == "string":
        _check("characters", len(value), field.get("maxLength"), name)
    elif isinstance(value, (str, list, dict)):
        if isinstance(value, list):
            _check("entries", len(value), field.get("maxItems"), name)
        _check("characters", sum(_lengths(value)), MOST_CHARACTERS_OF_A_LIST, name)


def _lengths(value: Any) -> Iterator[int]:
    """The lengths of all texts in *value*, whose depth is bounded already."""
    if isinstance(value, str):
        yield len(value)
    elif isinstance(value, list):
        for item in value:
            yield from _lengths(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield len(str(key))
            yield from _lengths(item)


def _check(unit: str, count: int, most: int | None, name: str) -> None:
    if most is not None and count > most:
        raise InvalidRequestError(
            f"{name} has {count} {unit}, and takes at most {most}; send less, or make several calls of it"
        )
