"""Keep unfinished uploads until they are complete."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from prioris_mcp.domain.sources.localfiles import Upload, UploadLimits


class Uploads(Protocol):
    """Keep open uploads by the name of their session. They may be lost when the server ends.

    Example::

        if await uploads.open(session, upload, limits):
            whole = await uploads.take(session, upload.owner)
    """

    async def open(self, session: str, upload: Upload, limits: UploadLimits) -> bool:
        """Store *upload*. Return False, and store nothing, where its owner or all owners have reached *limits*."""
        ...

    async def update(self, session: str, change: Callable[[Upload], Upload | None]) -> Upload | None:
        """Replace an upload by what *change* returns for it, and return that; remove it where that is None.

        Return None where there is no such session. Leave the upload as it was where *change* raises.
        """
        ...

    async def take(self, session: str, owner: str) -> Upload | None:
        """Remove and return an upload of *owner*; return None for a session that is another's or not there."""
        ...

    async def sweep(self, gone: Callable[[Upload], bool]) -> None:
        """Remove every upload for which *gone* is true."""
        ...
