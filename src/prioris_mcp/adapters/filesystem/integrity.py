"""Serve only stored files that hold what was stored."""

from __future__ import annotations

import hashlib

from prioris_mcp.adapters.filesystem.blobs import Blobs, Stamp
from prioris_mcp.adapters.filesystem.catalogue import ArtefactRow
from prioris_mcp.errors import DamagedDocumentError

_MOST_COMPARED = 10_000


class SoundFiles:
    """Read files of the store, each compared with its digest when it is first read."""

    def __init__(self, blobs: Blobs) -> None:
        self._blobs = blobs
        self._compared: dict[str, Stamp | None] = {}

    def read(self, row: ArtefactRow) -> bytes | None:
        """Return the bytes of a row as they were stored; None where they are not there.

        Compare again with its digest what was compared once only after the file was touched.
        """
        stamp = self._blobs.stamp(row.folder, row.name)
        content = self._blobs.read(row.folder, row.name)
        if content is None or self._compared.get(row.name) == stamp:
            return content
        if hashlib.sha256(content).hexdigest() != row.sha256:
            raise DamagedDocumentError(
                f"the stored {row.artefact} of {row.key} is damaged; delete it and fetch it again"
            )
        if len(self._compared) >= _MOST_COMPARED:
            self._compared.clear()
        self._compared[row.name] = stamp
        return content
