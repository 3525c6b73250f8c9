"""Input schemas as the strictest clients take them, in few characters."""

from __future__ import annotations

from typing import Any


def plain(schema: Any) -> Any:
    """*schema* without its null alternatives: Gemini takes neither a list of types nor null among the values.

    A parameter that may be null may be left out as well, which is all that a caller needs to know; null is taken.
    """
    if isinstance(schema, list):
        return [plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    rest = {key: plain(value) for key, value in schema.items() if not (key == "default" and value in (None, []))}
    if isinstance(kinds := rest.get("type"), list):
        rest["type"] = next(kind for kind in kinds if kind != "null")
    shown = [part for part in rest.get("anyOf", []) if part != {"type": "null"}]
    return {**shown[0], **{k: v for k, v in rest.items() if k != "anyOf"}} if len(shown) == 1 else rest
