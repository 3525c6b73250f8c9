"""Results about the caller's own files."""

from typing import Literal

from pydantic import Field

from prioris_mcp.models.base import ResultModel, Warnings


class LocalFileFetchResult(ResultModel):
    """A PDF of the caller's that is now in the library."""

    id: str = Field(description="Its identifier from now on, e.g. 20260729-1430-a3f2")
    location: str = Field(description="Where the library keeps it; for reference only")
    format_: Literal["pdf"] = Field(alias="format")
    size_bytes: int
    served_from_storage: bool = Field(description="True where the same bytes were there before")
    resource_uri: str = Field(description="Resource with the document's bytes")
    warnings: Warnings = ()


class LocalFilePage(ResultModel):
    """A window of a local file's Markdown."""

    markdown: str
    offset: int = Field(description="Characters before the window, from the start of the document")
    limit: int = Field(description="Most characters that this answer could hold")
    total_length: int = Field(description="Characters of the whole document")
    has_more: bool
    total_pages: int
    page_range: tuple[int, int] = Field(description="First and last page of the window")
    resource_uri: str = Field(description="Resource with the same text")
    warnings: Warnings = ()


class UploadSession(ResultModel):
    """An open upload."""

    session_id: str
    max_chunk_bytes: int = Field(description="Most bytes of one chunk, before base64")
    warnings: Warnings = ()


class UploadProgress(ResultModel):
    """How far an upload is."""

    received_index: int
    bytes_so_far: int
    warnings: Warnings = ()
