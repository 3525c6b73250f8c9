"""What the application asks of the place where unfinished uploads wait."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from prioris_mcp.domain.localfiles import Upload


class Uploads(Protocol):
    """Open uploads by the name of their session. They may be lost when the server ends."""

    async def open(self, session: str, upload: Upload, most: int) -> bool:
        """Keep *upload*; False, and nothing kept, where *most* are open already."""
        ...

    async def update(self, session: str, change: Callable[[Upload], Upload | None]) -> Upload | None:
        """Replace an upload by what *change* makes of it, and return that; None removes it.

        None where there is no such session. An exception of *change* leaves the upload as it was.
        """
        ...

    async def take(self, session: str) -> Upload | None:
        """Remove an upload and return it."""
        ...

    async def sweep(self, gone: Callable[[Upload], bool]) -> None:
        """Remove every upload for which *gone* says so."""
        ...
