"""What the application asks of the place where unfinished uploads wait."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from prioris_mcp.domain.sources.localfiles import Upload, UploadLimits


class Uploads(Protocol):
    """Open uploads by the name of their session. They may be lost when the server ends."""

    async def open(self, session: str, upload: Upload, limits: UploadLimits) -> bool:
        """Keep *upload*; False, and nothing kept, where its owner or all together have as many as *limits* allow."""
        ...

    async def update(self, session: str, change: Callable[[Upload], Upload | None]) -> Upload | None:
        """Replace an upload by what *change* makes of it, and return that; None removes it.

        None where there is no such session. An exception of *change* leaves the upload as it was.
        """
        ...

    async def take(self, session: str, owner: str) -> Upload | None:
        """Remove an upload of *owner* and return it; that of another stays as if there were none."""
        ...

    async def sweep(self, gone: Callable[[Upload], bool]) -> None:
        """Remove every upload for which *gone* says so."""
        ...
