"""Report what happened to texts, to whoever keeps something made from them."""

from __future__ import annotations

from typing import Protocol, TypeVar

from prioris_mcp.domain.changes import Changes, Position

K = TypeVar("K")


class ChangeLog(Protocol[K]):
    """Number the changes of texts, each under its key: a document's or a note's.

    Example::

        found = await log.changes(position, 100)
        for change in found.items:
            apply(change)
    """

    async def changes(self, after: Position, most: int) -> Changes[K]:
        """Return at most *most* changes after *after*, oldest first, and each key with its last change only.

        Return every change from the first one on where *after* is a position in another history.
        """
        ...
