"""Keep vectors in memory, made without a model: for tests, and the shortest statement of what both do."""

from __future__ import annotations

import hashlib
import math
import operator
import re
import struct
from collections.abc import Collection, Sequence
from typing import Generic, TypeVar

from prioris_mcp.domain.page import Page, PageRequest
from prioris_mcp.domain.search import IndexStatus, worst
from prioris_mcp.domain.vectors import Embedded, Selection, Vector, VectorHit

K = TypeVar("K")
_DIMENSION = 64


class HashEmbedder:
    """Implement EmbeddingBackend by feature hashing: texts that share words are near, and nothing else is."""

    model = "hash-64"

    def unavailable_reason(self) -> str | None:
        return None

    async def embed(self, texts: Sequence[str], *, background: bool = False) -> list[Vector]:  # noqa: ARG002
        return [_hashed(text) for text in texts]


class MemoryVectorIndex(Generic[K]):
    """Implement VectorIndex within one process."""

    def __init__(self) -> None:
        self._entries: dict[K, tuple[str, str, tuple[Embedded, ...]]] = {}

    async def origin(self) -> str:
        return "memory"

    async def held(self, model: str) -> dict[K, str]:
        return {key: change for key, (of, change, _) in self._entries.items() if of == model}

    async def holds(self, model: str, key: K, change: str) -> bool:
        return self._entries.get(key, ("", "", ()))[:2] == (model, change)

    async def put(self, model: str, key: K, change: str, sections: Sequence[Embedded]) -> None:
        self._entries.pop(key, None)
        self._entries[key] = (model, change, tuple(section for section in sections if section.vectors))

    async def remove(self, keys: Collection[K]) -> None:
        for key in keys:
            self._entries.pop(key, None)

    async def search(self, model: str, query: Vector, only: Selection[K], page: PageRequest) -> Page[VectorHit[K]]:
        found = [
            VectorHit(key, section.chunk_id, section.span, min(_distance(query, vector) for vector in section.vectors))
            for key, (of, _, sections) in self._entries.items()
            if of == model and (only is None or (only(key) if callable(only) else key in only))
            for section in sections
        ]
        ranked = sorted(found, key=lambda near: near.distance)
        return page.cut(ranked)

    async def status(self, model: str, keys: Collection[K]) -> IndexStatus:
        found = (self._entries.get(key) for key in keys)
        return worst("not_built" if entry is None else "ready" if entry[0] == model else "stale" for entry in found)


def _hashed(text: str) -> Vector:
    values = [0.0] * _DIMENSION
    for word in re.findall(r"\w+", text.lower()):
        digest = hashlib.sha256(word.encode()).digest()
        values[digest[0] % _DIMENSION] += 1.0 if digest[1] % 2 else -1.0
    norm = math.hypot(*values) or 1.0
    return struct.pack(f"<{_DIMENSION}f", *(value / norm for value in values))


def _distance(one: Vector, other: Vector) -> float:
    form = f"<{len(one) // 4}f"
    shared: float = sum(map(operator.mul, struct.unpack(form, one), struct.unpack(form, other)))
    return max(0.0, 1.0 - shared)
