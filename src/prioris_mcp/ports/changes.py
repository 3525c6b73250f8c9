"""What happened to texts, as whoever keeps something made of them asks for it."""

from __future__ import annotations

from typing import Protocol, TypeVar

from prioris_mcp.domain.changes import Changes, Position

K = TypeVar("K")


class ChangeLog(Protocol[K]):
    """Numbered changes of texts, each under its key: a document's or a note's."""

    async def changes(self, after: Position, most: int) -> Changes[K]:
        """Return what happened after *after*, oldest first, *most* at most, each key with its last change only.

        All that ever happened, where *after* is a place in another history.
        """
        ...
