"""Take in the caller's own PDFs: at once, or piece by piece."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from anyio import to_thread

from prioris_mcp.app.fetch import Fetched
from prioris_mcp.domain.documents import SourceFormat
from prioris_mcp.domain.sources import localfiles
from prioris_mcp.domain.sources.localfiles import Upload, UploadLimits
from prioris_mcp.errors import InvalidRequestError
from prioris_mcp.ports.library import Documents
from prioris_mcp.ports.uploads import Uploads


class AddFile:
    """Add a PDF that the caller has to the library. The same bytes are the same document."""

    def __init__(self, store: Documents, most: int, now: Callable[[], datetime]) -> None:
        """Refuse files of more than *most* bytes."""
        self._store, self._most, self._now = store, most, now

    async def encoded(self, text: str, filename: str | None) -> Fetched:
        """Add what *text* encodes in base64."""
        return await self(await to_thread.run_sync(localfiles.decoded, text, self._most, "content_base64"), filename)

    async def __call__(self, content: bytes, filename: str | None) -> Fetched:
        """Add *content*, or raise and store nothing.

        Raise FileTooLargeError over the limit, InvalidRequestError where *content* is no PDF.
        """
        localfiles.checked_pdf(localfiles.within(content, self._most, "the file"))
        digest = await to_thread.run_sync(lambda: hashlib.sha256(content).hexdigest())
        added = await self._store.add_document(
            localfiles.LOCALFILE.name,
            SourceFormat.PDF,
            content,
            alias=f"sha256:{digest}",
            names=localfiles.names(self._now(), secrets.choice),
            original_identifier=filename,
        )
        return Fetched(added.key, len(content), served_from_storage=not added.new)


@dataclass(frozen=True, slots=True)
class UploadState:
    """Tell how far an upload is."""

    received_index: int
    bytes_so_far: int


class UploadFile:
    """Take a PDF in pieces, for files that do not fit into one call. Hide a session from other owners."""

    def __init__(
        self,
        uploads: Uploads,
        add: AddFile,
        limits: UploadLimits,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._uploads, self._add, self.limits, self._clock = uploads, add, limits, clock

    async def begin(self, filename: str | None, owner: str = "") -> str:
        """Open an upload, and return the name of its session."""
        now = self._clock()
        await self._uploads.sweep(lambda upload: upload.expired(now, self.limits))
        session = secrets.token_urlsafe(16)
        if not await self._uploads.open(session, Upload(filename, now, owner=owner), self.limits):
            raise InvalidRequestError(
                f"{self.limits.sessions} uploads are open, the most at once; finalize one, or wait"
                f" {self.limits.seconds:g} s for those that were left"
            )
        return session

    async def chunk(self, session: str, index: int, text: str, owner: str = "") -> UploadState:
        """Take the next piece, in base64. Leave the upload as it was where that raises."""
        piece = await to_thread.run_sync(localfiles.decoded, text, self.limits.chunk, "chunk_base64")
        now = self._clock()

        def change(upload: Upload) -> Upload | None:
            if upload.owner != owner:
                raise localfiles.unknown_upload(session)
            return None if upload.expired(now, self.limits) else upload.with_piece(index, piece, now, self.limits)

        upload = await self._uploads.update(session, change)
        if upload is None:
            raise localfiles.unknown_upload(session)
        return UploadState(index, upload.size)

    async def finish(self, session: str, owner: str = "") -> Fetched:
        """Add the whole file; end the session, whether that succeeds or not."""
        upload = await self._uploads.take(session, owner)
        if upload is None or upload.expired(self._clock(), self.limits):
            raise localfiles.unknown_upload(session)
        return await self._add(upload.content(), upload.filename)
