"""How deep a document may nest: measured without recursion, and room made for a walk that does recurse."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from prioris_mcp.adapters.parsers.html.elements import tag

if TYPE_CHECKING:
    from prioris_mcp.adapters.parsers.html.elements import Element

_FRAMES = 10_000
"""A walk takes a few Python frames for each level of nesting, so the usual thousand would not reach the bounds."""


def too_deep(root: Element, limit: int, opaque: frozenset[str] = frozenset()) -> bool:
    """Whether elements nest more than *limit* levels, what is inside *opaque* ones aside."""
    level = [root]
    for _ in range(limit):
        level = [child for node in level if not opaque or tag(node) not in opaque for child in node]
        if not level:
            return False
    return True


@contextmanager
def deep_recursion() -> Generator[None]:
    """Allow the recursion that a walk to the bounds of nesting needs."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
