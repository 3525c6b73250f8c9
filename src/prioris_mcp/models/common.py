"""Results that several tools share."""

from typing import Literal

from pydantic import Field

from prioris_mcp.models.base import ResultModel, Unavailable, Warnings, WireModel

FormatName = Literal["pdf", "html", "xml"]
Provider = Literal["arxiv", "europepmc", "localfile"]
IndexStatus = Literal["not_built", "stale", "ready", "building"]


class FullTextFetchResult(ResultModel):
    """A document that is now in the library."""

    location: str = Field(description="Where the library keeps it; for reference only")
    format_: FormatName = Field(alias="format")
    size_bytes: int
    served_from_storage: bool = Field(description="True where nothing had to be downloaded")
    resource_uri: str = Field(description="Resource with the document's bytes")
    warnings: Warnings = ()


class ArxivResolvedIdentifierResult(ResultModel):
    """An identifier that arXiv serves."""

    provider: Literal["arxiv"]
    identifier: str = Field(description="With its version; for the research_arxiv_* tools")
    resolved_url: str
    format_: FormatName = Field(alias="format")
    formats: tuple[FormatName, ...] = Field(default=(), description="What there may be")
    next_step: str = Field(default="", description="The call, or what to do, to get the full text")
    warnings: Warnings = ()


class EuropePmcResolvedIdentifierResult(ResultModel):
    """An identifier that Europe PMC serves."""

    provider: Literal["europepmc"]
    identifier: str = Field(description="For the research_europepmc_* tools")
    resolved_url: str
    format_: FormatName = Field(alias="format")
    full_text_available: bool = Field(description="Whether research_europepmc_fetch_full_text can succeed")
    formats: tuple[FormatName, ...] = Field(default=(), description="What there is")
    next_step: str = Field(default="", description="The call, or what to do, to get the full text")
    warnings: Warnings = ()


ResolvedIdentifierResult = ArxivResolvedIdentifierResult | EuropePmcResolvedIdentifierResult


class EuropePmcMarkdown(ResultModel):
    """A window of an article's Markdown."""

    markdown: str
    offset: int = Field(description="Characters before the window, from the start of the document")
    limit: int = Field(description="Most characters that this answer could hold")
    total_length: int = Field(description="Characters of the whole document")
    has_more: bool
    resource_uri: str = Field(description="Resource with the same text")
    warnings: Warnings = ()


class PagedMarkdown(ResultModel):
    """A window of a document's Markdown."""

    markdown: str
    offset: int = Field(description="Characters before the window, from the start of the document")
    limit: int = Field(description="Most characters that this answer could hold")
    total_length: int = Field(description="Characters of the whole document")
    has_more: bool
    total_pages: int | None = Field(description="Null for formats without pages")
    page_range: tuple[int, int] | None = Field(
        description="First and last page of the window; null for formats without pages"
    )
    resource_uri: str = Field(description="Resource with the same text")
    warnings: Warnings = ()


class FetchedEntry(WireModel):
    """One stored artefact."""

    provider: Provider
    identifier: str
    format_: FormatName = Field(alias="format")
    artefact: Literal["document", "markdown"]
    fetched_at_or_parsed_at: str = Field(description="ISO 8601, UTC")
    size_bytes: int


class ListFetchedResult(ResultModel):
    """One page of what the library holds, newest first."""

    entries: list[FetchedEntry]
    offset: int
    limit: int
    total: int
    has_more: bool
    warnings: Warnings = ()


class DeletionEntry(WireModel):
    """One thing to delete."""

    provider: Provider = Field(description="Its source.")
    identifier: str = Field(description="As research_list_fetched shows it; without a version, all versions.")
    format_: FormatName | None = Field(default=None, alias="format", description="Its format; without it, every one.")
    artefact: Literal["document", "markdown", "all"] = Field(
        description="document: the fetched bytes; markdown: the parsed text; all: both."
    )


class DeleteFetchedResult(ResultModel):
    """What was deleted, each with its version and format, and the entries that named nothing."""

    deleted: list[DeletionEntry]
    not_found: list[DeletionEntry]
    warnings: Warnings = ()


class SearchMatch(WireModel):
    """One section that matches."""

    provider: Provider
    identifier: str
    format_: FormatName = Field(alias="format")
    snippet: str = Field(description="Text around the match")
    offset: int = Field(description="Where the section begins; for the offset of a parse tool")
    score: float = Field(description="BM25; higher is better")


class PagedSearchMatches(WireModel):
    """One page of matches, the best first."""

    matches: list[SearchMatch]
    offset: int
    limit: int
    total: int
    has_more: bool


class VectorSearchMatch(WireModel):
    """One section that is near in meaning."""

    provider: Provider
    identifier: str
    format_: FormatName = Field(alias="format")
    chunk_id: str
    offset: int
    snippet: str
    score: float = Field(description="Cosine distance; lower is better")


class PagedVectorSearchMatches(WireModel):
    """One page of near sections, the nearest first."""

    matches: list[VectorSearchMatch]
    offset: int
    limit: int
    total: int
    has_more: bool


class SearchFetchedResult(ResultModel):
    """A list for each mechanism that was asked; null for one that was not."""

    fts: PagedSearchMatches | None
    vector: PagedVectorSearchMatches | None
    index_status: dict[str, IndexStatus] = Field(description="By mechanism, where the search was for one document")
    unavailable: Unavailable = None
    warnings: Warnings = ()


class FindHit(WireModel):
    """One section of a document, or one note, ready to be cited."""

    provider: Provider
    identifier: str
    format_: FormatName | None = Field(alias="format")
    note_id: str | None = Field(description="Of a note; null for a section")
    title: str
    section_path: list[str]
    page_range: tuple[int, int] | None
    offset: int = Field(description="Where the section begins; for the offset of a parse tool")
    length: int
    snippet: str
    score: float = Field(description="Higher is better")
    fts_rank: int | None
    vector_rank: int | None
    resource_uri: str = Field(description="Resource to read on at")


class FindResult(ResultModel):
    """One page of sections, the best first."""

    hits: list[FindHit]
    offset: int
    limit: int
    total: int
    has_more: bool
    without_vectors: str | None = Field(description="Why meaning had no part in this list")
    warnings: Warnings = ()


class RebuildCounts(WireModel):
    """How far background work is, since the server started."""

    total: int
    pending: int
    succeeded: int
    failed: int
    cancelled: int
    active: bool


class RebuildStatus(WireModel):
    """Background work on the vector indexes."""

    documents: RebuildCounts
    notes: RebuildCounts
