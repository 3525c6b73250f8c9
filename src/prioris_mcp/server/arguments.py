"""What a model meant by the arguments that it sent: unambiguous slips are understood, the rest is left as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_ONE = ("arxiv_id", "identifier", "id", "canonical_identifier")
_MANY = ("arxiv_ids", "identifiers")
_ALIASES = frozenset(
    {*_ONE, *_MANY, "arxivId", "arxivIds", "arxiv", "paper_id", "paperId", "document_id", "doi", "pmid", "pmcid", "ids"}
)
"""Names for an identifier that models confuse. A tool has one parameter for it at most."""

_INTEGER = re.compile(r"\s*-?\d{1,18}\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Understood:
    """Arguments as the tool takes them, and the names of those that it does not know."""

    arguments: dict[str, Any]
    dropped: list[str] = field(default_factory=list)


def understood(schema: Mapping[str, Any], given: Mapping[str, Any]) -> Understood:
    """*given* for a tool whose input *schema* this is."""
    properties, required = schema.get("properties", {}), schema.get("required", [])
    renamed, dropped = _renamed(properties, given)
    arguments = {}
    for name, value in renamed.items():
        meant = _meant(properties[name], value)
        if name in required or not _says_nothing(properties[name], meant):
            arguments[name] = meant
    return Understood(arguments, dropped)


def _renamed(properties: Mapping[str, Any], given: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Known names, and other names for an identifier where the tool's own is not there; and what is neither."""
    known = {name: value for name, value in given.items() if name in properties}
    dropped = [name for name in given if name not in properties]
    for name in list(dropped):
        own = _identifier_of(properties) if name in _ALIASES else None
        if own is not None and own not in known:
            known[own] = given[name]
            dropped.remove(name)
    return known, dropped


def _identifier_of(properties: Mapping[str, Any]) -> str | None:
    found = [name for name in (*_ONE, *_MANY) if name in properties]
    return found[0] if len(found) == 1 else None


def _meant(schema: Mapping[str, Any], value: Any) -> Any:
    """*value* as a person would read it who knows what the parameter is."""
    kind, choices = schema.get("type"), schema.get("enum")
    if isinstance(value, str):
        if choices:
            return next((choice for choice in choices if choice == value.strip().lower()), value)
        if kind == "integer" and _INTEGER.fullmatch(value):
            return int(value)
        if kind in ("array", "object"):
            value = _decoded(value, kind)
    if kind == "array" and isinstance(value, str | dict):
        return [value] if value else []
    if kind == "array" and isinstance(value, list) and schema.get("items", {}).get("enum"):
        return [_meant(schema["items"], item) for item in value]
    return value


def _decoded(text: str, kind: str) -> Any:
    """The list or object that *text* is the JSON of; else *text*."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return found if isinstance(found, dict | list) and (kind == "array" or isinstance(found, dict)) else text


def _says_nothing(schema: Mapping[str, Any], value: Any) -> bool:
    """Whether an optional argument is as good as left out."""
    return value is None or (bool(schema.get("enum")) and isinstance(value, str) and not value.strip())
