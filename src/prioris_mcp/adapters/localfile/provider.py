"""The caller's own PDFs as a source: there is nothing to ask, only to recall."""

from __future__ import annotations

from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.sources.providers import parse_localfile
from prioris_mcp.errors import InvalidRequestError


class LocalFileProvider:
    """LibrarySource of ``ports/sources.py``: an identifier that this server gave out is the key itself."""

    formats = (SourceFormat.PDF,)

    async def recall(self, identifier: str, format: SourceFormat) -> DocumentKey | None:
        if format is not SourceFormat.PDF:
            raise InvalidRequestError(f"a local file is always a pdf, not {format}; give format='pdf'")
        return DocumentKey(ProviderName.LOCALFILE, parse_localfile(identifier), format)

    def files_at(self, key: DocumentKey) -> str:  # noqa: ARG002 - a PDF names no files
        return ""
