"""The tools for the caller's own PDFs."""

from __future__ import annotations

from typing import Annotated

from fastmcp import Context
from pydantic import Field

from prioris_mcp.app.services import Services
from prioris_mcp.domain.documents import SourceFormat
from prioris_mcp.domain.markdown import Window
from prioris_mcp.domain.sources.localfiles import LOCALFILE
from prioris_mcp.models.localfile import LocalFileFetchResult, LocalFilePage, UploadProgress, UploadSession
from prioris_mcp.server.arguments.params import Limit, Offset, PdfPage
from prioris_mcp.server.http.callers import owner

Filename = Annotated[str | None, Field(description="The file's name, for reference.")]
SessionId = Annotated[str, Field(description="From research_localfile_begin_upload.")]


async def research_localfile_fetch_full_text(
    services: Services,
    content_base64: Annotated[
        str,
        Field(
            description="The PDF's bytes in base64; {file} at most.", json_schema_extra={"contentEncoding": "base64"}
        ),
    ],
    filename: Filename = None,
) -> LocalFileFetchResult:
    """Add a PDF that you have to the library, from its bytes.

    For small files; use research_localfile_begin_upload for one over about 1 MB. The same bytes give the same
    id. Read it with research_localfile_parse_full_text.
    """
    return LocalFileFetchResult.of(await services.add.encoded(content_base64, filename))


async def research_localfile_parse_full_text(
    services: Services,
    ctx: Context,
    id: Annotated[str, Field(description="id that adding the file returned, e.g. 20260729-1430-a3f2.")],
    offset: Offset = 0,
    limit: Limit = None,
    page: PdfPage = None,
) -> LocalFilePage:
    """Read a local PDF as Markdown, one window at a time.

    research_localfile_fetch_full_text adds it to the library first. While has_more is true, call
    again with offset = offset + length of markdown, without page.
    """
    window = Window(offset, limit, page)
    return LocalFilePage.of(
        await services.parse(LOCALFILE.name, id, SourceFormat.PDF, window, progress=ctx.report_progress)
    )


async def research_localfile_begin_upload(services: Services, filename: Filename = None) -> UploadSession:
    """Begin to add a large PDF in chunks.

    Then call research_localfile_upload_chunk for each chunk in order, and research_localfile_finalize_upload at
    the end. An upload that is left alone expires after some minutes.
    """
    session = await services.upload.begin(filename, owner())
    return UploadSession(session_id=session, max_chunk_bytes=services.upload.limits.chunk)


async def research_localfile_upload_chunk(
    services: Services,
    session_id: SessionId,
    index: Annotated[int, Field(description="Number of the chunk, from 0.", json_schema_extra={"minimum": 0})],
    chunk_base64: Annotated[
        str,
        Field(
            description="The chunk's bytes in base64, at most max_chunk_bytes before it.",
            json_schema_extra={"contentEncoding": "base64"},
        ),
    ],
) -> UploadProgress:
    """Send the next chunk of an upload that research_localfile_begin_upload opened. Chunks come in order.

    After the last one call research_localfile_finalize_upload.
    """
    progress = await services.upload.chunk(session_id, index, chunk_base64, owner())
    return UploadProgress(received_index=progress.received_index, bytes_so_far=progress.bytes_so_far)


async def research_localfile_finalize_upload(services: Services, session_id: SessionId) -> LocalFileFetchResult:
    """End an upload, and add its file to the library.

    The session is over whether this succeeds or not: after an error begin again with
    research_localfile_begin_upload. Read the file with research_localfile_parse_full_text.
    """
    return LocalFileFetchResult.of(await services.upload.finish(session_id, owner()))
