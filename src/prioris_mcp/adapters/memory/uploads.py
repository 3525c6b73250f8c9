"""Unfinished uploads, in memory."""

from __future__ import annotations

from collections.abc import Callable

from prioris_mcp.domain.localfiles import Upload


class MemoryUploads:
    """Uploads within one process."""

    def __init__(self) -> None:
        self._uploads: dict[str, Upload] = {}

    async def open(self, session: str, upload: Upload, most: int) -> bool:
        if len(self._uploads) >= most:
            return False
        self._uploads[session] = upload
        return True

    async def update(self, session: str, change: Callable[[Upload], Upload | None]) -> Upload | None:
        if session not in self._uploads:
            return None
        changed = change(self._uploads[session])
        if changed is None:
            del self._uploads[session]
        else:
            self._uploads[session] = changed
        return changed

    async def take(self, session: str) -> Upload | None:
        return self._uploads.pop(session, None)

    async def sweep(self, gone: Callable[[Upload], bool]) -> None:
        self._uploads = {session: upload for session, upload in self._uploads.items() if not gone(upload)}
