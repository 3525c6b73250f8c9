"""Shape results about the caller's own files."""

from typing import Literal

from pydantic import AliasPath, Field

from prioris_mcp.domain.documents import SourceFormat
from prioris_mcp.models.base import ResultModel, Warnings
from prioris_mcp.models.common import PagedMarkdown


class LocalFileFetchResult(ResultModel):
    """A PDF of the caller's that is now in the library."""

    id: str = Field(
        validation_alias=AliasPath("key", "identifier"),
        description="Its identifier from now on, e.g. 20260729-1430-a3f2",
    )
    location: str = Field(description="Where the library keeps it; for reference only")
    format_: Literal[SourceFormat.PDF] = Field(
        validation_alias=AliasPath("key", "format"), serialization_alias="format"
    )
    size_bytes: int
    served_from_storage: bool = Field(description="True where the same bytes were there before")
    resource_uri: str = Field(description="Resource with the document's bytes")
    warnings: Warnings = ()


class LocalFilePage(PagedMarkdown):
    """A window of a local file's Markdown."""

    total_pages: int = Field(validation_alias=AliasPath("slice", "total_pages"))
    page_range: tuple[int, int] = Field(
        validation_alias=AliasPath("slice", "page_range"), description="First and last page of the window"
    )


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
