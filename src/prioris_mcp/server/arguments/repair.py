"""What a model meant by the arguments that it sent: unambiguous slips are understood, the rest is left as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from prioris_mcp.errors import InvalidRequestError
from prioris_mcp.server.arguments import bounds, names

_INTEGER = re.compile(r"\s*-?\d{1,18}\s*", re.ASCII)
_NOTHING = frozenset({"", "null", "none", "undefined", "nil"})
"""What programs write that mean to leave something out."""
_TEXT = frozenset({"text", "query", "keyword", "cursor_mark"})
"""Parameters whose value is a text of the caller's own, in which such a word is a word."""
_LISTS = frozenset({
    "tags", "tags_all", "tags_any", "tags_exclude", "include_categories", "exclude_categories"
})  # fmt: skip
"""Lists of words that people write in one line, with commas."""
REMARKS = frozenset({"reason", "reasoning", "explanation", "rationale", "thought", "intent", "purpose", "_meta"})
"""What some clients have their models say about every call; it asks for nothing, so nothing is amiss without it."""
_SHOWN = 60
_MOST_WARNINGS = 20


@dataclass(frozen=True, slots=True)
class Understood:
    """Arguments as the tool takes them, and a sentence for each that it should know and does not."""

    arguments: dict[str, Any]
    dropped: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Beside:
    """What a tool is told beside its own parameters, and does not ignore."""

    implied: Mapping[str, str] = field(default_factory=dict)
    """Parameters of its neighbours that can only have one value here, which therefore says nothing new."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """Parameters of its neighbours that it must not be asked for, each with the reason."""


def understood(schema: Mapping[str, Any], given: Mapping[str, Any], beside: Beside = Beside()) -> Understood:
    """*given* for a tool whose input *schema* this is.

    InvalidRequestError for what is larger than its bound, for a truth value in place of a number, and for what the
    tool must not be asked for.
    """
    properties, required = schema.get("properties", {}), schema.get("required", [])
    renamed, dropped = _renamed(properties, required, given)
    dropped = [name for name in dropped if not _is_implied(name, given[name], beside)]
    arguments = {}
    for name, value in renamed.items():
        own = properties[name]
        bounds.check(own, value, name)
        meaning = _meant(own, value, name)
        bounds.check(own, meaning, name)
        if name in required or not (_says_nothing(own, value, name) or _says_nothing(own, meaning, name)):
            arguments[name] = _checked(own, meaning, name)
    unknown = [name for name in dropped if name not in REMARKS]
    return Understood(arguments, dropped, [_warning(name, properties) for name in unknown[:_MOST_WARNINGS]])


def _is_implied(name: str, value: Any, beside: Beside) -> bool:
    if name in beside.refused and not (value is None or _is_nothing(value)):
        raise InvalidRequestError(f"{name} is not for this tool: {beside.refused[name]}")
    return name in beside.refused or str(value).lower() == beside.implied.get(name)


def _renamed(
    properties: Mapping[str, Any], required: list[str], given: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """Known names, and other names for a parameter where its own is not there; and what is neither."""
    known = {name: value for name, value in given.items() if name in properties}
    dropped = []
    for name, value in given.items():
        if name in properties:
            continue
        own = names.meant(name, properties, required)
        if own is None or own in known:
            dropped.append(name)
        else:
            known[own] = value
    return known, dropped


def _warning(name: str, properties: Mapping[str, Any]) -> str:
    near = names.suggested(name, properties)
    hint = f"did you mean {near}?" if near else f"there is {', '.join(properties) or 'none'}"
    return f"{name[:_SHOWN]}: no such argument, ignored; {hint}"


def _meant(schema: Mapping[str, Any], value: Any, name: str = "") -> Any:
    """*value* as a person would read it who knows what the parameter is."""
    kind = schema.get("type")
    if isinstance(value, str):
        value = _of_text(schema, value)
    if kind == "string" and name.endswith(("id", "identifier")):
        return _as_text(value)
    if kind == "array":
        return _as_list(schema, value, name)
    if kind == "object" and schema.get("additionalProperties", {}) == {"type": "string"}:
        return _as_strings(value)
    return value


def _of_text(schema: Mapping[str, Any], text: str) -> Any:
    kind, choices = schema.get("type"), schema.get("enum")
    if choices:
        return next((choice for choice in choices if choice == text.strip().lower()), text)
    if kind == "integer" and _INTEGER.fullmatch(text):
        return int(text)
    return _decoded(text, kind) if kind in ("array", "object") else text


def _as_list(schema: Mapping[str, Any], value: Any, name: str) -> Any:
    if isinstance(value, str) and name in _LISTS:
        return [part for item in value.split(",") if (part := item.strip())]
    if isinstance(value, str | dict):
        value = [value] if value else []
    items = schema.get("items", {})
    if isinstance(value, list) and items.get("properties"):
        return [_inside(items, item) for item in value]
    if isinstance(value, list) and items.get("enum"):
        return [_meant(items, item) for item in value]
    if isinstance(value, list) and items.get("type") == "string":
        return [_as_text(item) for item in value]
    return value


def _inside(schema: Mapping[str, Any], item: Any) -> Any:
    """One object of a list, read like arguments; what is unknown in it stays, to be refused."""
    if not isinstance(item, dict):
        return item
    found = understood(schema, item)
    return found.arguments | {name: item[name] for name in found.dropped}


def _as_text(value: Any) -> Any:
    """A number as its digits; anything else as it is."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _as_strings(value: Any) -> Any:
    """An object of strings: numbers and truth values as they are written, and no null; an empty list is none."""
    if value == []:
        return None
    if not isinstance(value, dict):
        return value
    kept = {key: item for key, item in value.items() if item is not None}
    return {key: str(item).lower() if isinstance(item, bool) else _as_text(item) for key, item in kept.items()}


def _decoded(text: str, kind: str) -> Any:
    """The list or object that *text* is the JSON of; else *text*."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return found if isinstance(found, dict | list) and (kind == "array" or isinstance(found, dict)) else text


def _checked(schema: Mapping[str, Any], value: Any, name: str) -> Any:
    if schema.get("type") == "integer" and isinstance(value, bool):
        raise InvalidRequestError(f"{name} must be a whole number, got {str(value).lower()}; give digits, such as 10")
    return value


def _says_nothing(schema: Mapping[str, Any], value: Any, name: str) -> bool:
    """Whether an optional argument is as good as left out."""
    if isinstance(value, list) and len(value) == 1 and schema.get("type") == "array":
        return value[0] is None or (_is_nothing(value[0]) and bool(value[0].strip()))
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value is None or (name not in _TEXT and _is_nothing(value))


def _is_nothing(value: Any) -> bool:
    return isinstance(value, str) and value.strip().lower() in _NOTHING
