"""Shape results that several tools share."""

from typing import Annotated, Literal

from pydantic import AliasPath, Field

from prioris_mcp.domain.documents import Artefact, ProviderName, SourceFormat
from prioris_mcp.domain.search import IndexStatus, Match, Strength
from prioris_mcp.domain.sources.table import SOURCES, named
from prioris_mcp.models.base import ReadAs, ResultModel, Unavailable, Warnings, WireModel, Words
from prioris_mcp.remedies import Action, Remedy

FormatName = Annotated[SourceFormat, Words(SourceFormat)]
Provider = Annotated[ProviderName, Words(SOURCES)]
_Told = Annotated[ProviderName, Words(named(lambda spec: spec.networked and spec.tells_availability))]
_Untold = Annotated[ProviderName, Words(named(lambda spec: spec.networked and not spec.tells_availability))]


class FullTextFetchResult(ResultModel):
    """A document that is now in the library."""

    location: str = Field(description="Where the library keeps it; for reference only")
    format_: FormatName = Field(validation_alias=AliasPath("key", "format"), serialization_alias="format")
    size_bytes: int
    served_from_storage: bool = Field(description="True where nothing had to be downloaded")
    resource_uri: str = Field(description="Resource with the document's bytes")
    warnings: Warnings = ()


class ArxivResolvedIdentifierResult(ResultModel):
    """An identifier that arXiv serves."""

    provider: _Untold = Field(validation_alias=AliasPath("key", "provider"))
    identifier: str = Field(
        validation_alias=AliasPath("key", "identifier"),
        description=f"With its version; for {Remedy(Action.USE_SOURCE, 'arxiv')}",
    )
    resolved_url: str = Field(validation_alias="url")
    format_: FormatName = Field(validation_alias=AliasPath("key", "format"), serialization_alias="format")
    formats: tuple[FormatName, ...] = Field(default=(), description="What there may be")
    next_step: str = Field(default="", description="The call, or what to do, to get the full text")
    warnings: Warnings = ()


class EuropePmcResolvedIdentifierResult(ResultModel):
    """An identifier that Europe PMC serves."""

    provider: _Told = Field(validation_alias=AliasPath("key", "provider"))
    identifier: str = Field(
        validation_alias=AliasPath("key", "identifier"), description=f"For {Remedy(Action.USE_SOURCE, 'europepmc')}"
    )
    resolved_url: str = Field(validation_alias="url")
    format_: FormatName = Field(validation_alias=AliasPath("key", "format"), serialization_alias="format")
    full_text_available: bool = Field(
        validation_alias="available", description=f"Whether {Remedy(Action.FETCH, 'europepmc')} can succeed"
    )
    formats: tuple[FormatName, ...] = Field(default=(), description="What there is")
    next_step: str = Field(default="", description="The call, or what to do, to get the full text")
    warnings: Warnings = ()


ResolvedIdentifierResult = ArxivResolvedIdentifierResult | EuropePmcResolvedIdentifierResult


class _Window(WireModel):
    markdown: str = Field(validation_alias=AliasPath("slice", "text"))
    offset: int = Field(
        validation_alias=AliasPath("slice", "span", "start"),
        description="Characters before the window, from the start of the document",
    )
    limit: int = Field(
        validation_alias=AliasPath("slice", "limit"), description="Most characters that this answer could hold"
    )
    total_length: int = Field(
        validation_alias=AliasPath("slice", "total_length"), description="Characters of the whole document"
    )
    has_more: bool = Field(validation_alias=AliasPath("slice", "has_more"))


class _Pages(WireModel):
    total_pages: int | None = Field(
        validation_alias=AliasPath("slice", "total_pages"), description="Null for formats without pages"
    )
    page_range: tuple[int, int] | None = Field(
        validation_alias=AliasPath("slice", "page_range"),
        description="First and last page of the window; null for formats without pages",
    )


class _SameText(WireModel):
    resource_uri: str = Field(description="Resource with the same text")
    warnings: Warnings = ()


class EuropePmcMarkdown(_SameText, _Window, ResultModel):  # the last base's fields come first on the wire
    """A window of an article's Markdown."""


class PagedMarkdown(_SameText, _Pages, _Window, ResultModel):
    """A window of a document's Markdown."""


class OfDocument(WireModel):
    """Something about one document in one format."""

    provider: Provider = Field(validation_alias=AliasPath("key", "provider"))
    identifier: str = Field(validation_alias=AliasPath("key", "identifier"))
    format_: FormatName = Field(validation_alias=AliasPath("key", "format"), serialization_alias="format")


class FetchedEntry(OfDocument):
    """One stored artefact."""

    artefact: Annotated[Artefact, Words(Artefact)]
    fetched_at_or_parsed_at: str = Field(validation_alias="stored_at", description="ISO 8601, UTC")
    size_bytes: int = Field(validation_alias="size")


class ListFetchedResult(ResultModel):
    """One page of what the library holds, newest first."""

    entries: list[FetchedEntry] = Field(validation_alias="items")
    offset: int
    limit: int
    total: int
    has_more: bool
    warnings: Warnings = ()


class DeletionEntry(WireModel):
    """One thing to delete."""

    provider: Provider = Field(description="Its source.")
    identifier: str = Field(description=f"As {Remedy(Action.LIST)} shows it; without a version, all versions.")
    format_: FormatName | None = Field(default=None, alias="format", description="Its format; without it, every one.")
    artefact: Literal["document", "markdown", "all"] = Field(
        description="document: the fetched bytes; markdown: the parsed text; all: both."
    )


class DeleteFetchedResult(ResultModel):
    """What was deleted, each with its version and format, and the entries that named nothing."""

    deleted: list[DeletionEntry]
    not_found: list[DeletionEntry]
    warnings: Warnings = ()


class SearchMatch(OfDocument):
    """One section that matches."""

    snippet: str = Field(description="Text around the match")
    offset: int = Field(
        validation_alias=AliasPath("hit", "span", "start"),
        description="Where the section begins; for the offset of a parse tool",
    )
    score: float = Field(validation_alias=AliasPath("hit", "score"), description="BM25; higher is better")


class PagedSearchMatches(WireModel):
    """One page of matches, the best first."""

    matches: list[SearchMatch] = Field(validation_alias="items")
    offset: int
    limit: int
    total: int
    has_more: bool


class VectorSearchMatch(OfDocument):
    """One section that is near in meaning."""

    chunk_id: str = Field(validation_alias=AliasPath("hit", "chunk_id"))
    offset: int = Field(validation_alias=AliasPath("hit", "span", "start"))
    snippet: str
    score: float = Field(validation_alias=AliasPath("hit", "distance"), description="Cosine distance; lower is better")


class PagedVectorSearchMatches(WireModel):
    """One page of near sections, the nearest first."""

    matches: list[VectorSearchMatch] = Field(validation_alias="items")
    offset: int
    limit: int
    total: int
    has_more: bool


class SearchFetchedResult(ResultModel):
    """A list for each mechanism that was asked; null for one that was not."""

    fts: PagedSearchMatches | None
    vector: PagedVectorSearchMatches | None
    index_status: dict[str, IndexStatus] = Field(
        validation_alias="status", description="By mechanism, where the search was for one document"
    )
    unavailable: Unavailable = None
    read_as: ReadAs = ""
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
    match: Match = Field(description="How it answers: your quoted phrases, all words, some words, or other words")
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
    strength: Strength = Field(description="How well the best hits answer; none and weak: say so, and look elsewhere")
    without_vectors: str | None = Field(description="Why meaning had no part in this list")
    pending_documents: Annotated[int, Field(exclude_if=lambda count: not count)] = Field(
        default=0, description="Documents that meaning cannot find yet; absent where there are none"
    )
    read_as: ReadAs = ""
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
