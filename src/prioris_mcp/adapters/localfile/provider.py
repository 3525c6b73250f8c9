"""The caller's own PDFs as a source: there is nothing to ask, only to recall."""

from __future__ import annotations

from prioris_mcp.domain.documents import DocumentKey, SourceFormat
from prioris_mcp.domain.sources.localfiles import LOCALFILE
from prioris_mcp.domain.sources.providers import parse


class LocalFileProvider:
    """LibrarySource of ``ports/sources.py``: an identifier that this server gave out is the key itself."""

    async def recall(self, identifier: str, format: SourceFormat) -> DocumentKey | None:
        offered = LOCALFILE.offered(format)
        return LOCALFILE.key(parse(LOCALFILE, identifier), offered)

    def files_at(self, key: DocumentKey) -> str:  # noqa: ARG002 - a PDF names no files
        return ""
