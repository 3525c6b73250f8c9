"""Keep unfinished uploads in memory."""

from __future__ import annotations

from collections.abc import Callable

from prioris_mcp.domain.sources.localfiles import Upload, UploadLimits


class MemoryUploads:
    """Keep uploads within one process."""

    def __init__(self) -> None:
        self._uploads: dict[str, Upload] = {}

    async def open(self, session: str, upload: Upload, limits: UploadLimits) -> bool:
        owned = sum(each.owner == upload.owner for each in self._uploads.values())
        if owned >= limits.sessions or len(self._uploads) >= limits.altogether:
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

    async def take(self, session: str, owner: str) -> Upload | None:
        held = self._uploads.get(session)
        return self._uploads.pop(session) if held is not None and held.owner == owner else None

    async def sweep(self, gone: Callable[[Upload], bool]) -> None:
        self._uploads = {session: upload for session, upload in self._uploads.items() if not gone(upload)}
