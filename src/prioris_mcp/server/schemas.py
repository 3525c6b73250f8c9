"""Input schemas as the strictest clients take them, in few characters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from prioris_mcp.server.remedies import named

_NOTHING: tuple[tuple[str, Any], ...] = (("default", None), ("default", []), ("additionalProperties", False))


@dataclass(frozen=True, slots=True)
class Figures:
    """Settings that descriptions of parameters name, as ``{default_limit}`` and the like; here as they come."""

    window: int = 20_000
    """Characters of Markdown where the caller names no limit."""
    matches: int = 10
    works: int = 25
    """Hits of a discovery."""
    file_bytes: int = 10 * 2**20

    def told(self, schema: Any) -> Any:
        """*schema* with the figures and the names of tools in its descriptions."""
        if isinstance(schema, list):
            return [self.told(part) for part in schema]
        if not isinstance(schema, dict):
            return schema
        said = {key: self.told(value) for key, value in schema.items()}
        if isinstance(text := said.get("description"), str):
            said["description"] = self._filled(text)
        return said

    def _filled(self, text: str) -> str:
        for name in ("window", "matches", "works"):
            text = text.replace(f"{{{name}}}", str(getattr(self, name)))
        return named(text.replace("{file}", f"{self.file_bytes / 2**20:.3g} MiB"))


def plain(schema: Any) -> Any:
    """*schema* without its null alternatives: Gemini takes neither a list of types nor null among the values.

    A parameter that may be null may be left out as well, which is all that a caller needs to know; null is taken.
    Nor does it say that nothing else is allowed: what a tool does not know is dropped.
    """
    if isinstance(schema, list):
        return [plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    rest = {key: plain(value) for key, value in schema.items() if (key, value) not in _NOTHING}
    if isinstance(kinds := rest.get("type"), list):
        rest["type"] = next(kind for kind in kinds if kind != "null")
    shown = [part for part in rest.get("anyOf", []) if part != {"type": "null"}]
    return {**shown[0], **{k: v for k, v in rest.items() if k != "anyOf"}} if len(shown) == 1 else rest
