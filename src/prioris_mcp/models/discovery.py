"""Shape results of discovery."""

from typing import Annotated, Literal

from pydantic import Field

from prioris_mcp.domain.documents import ProviderName
from prioris_mcp.domain.sources.table import named
from prioris_mcp.models.base import ResultModel, Warnings, WireModel, Words


class DiscoveryAuthor(WireModel):
    """One author."""

    name: str


class DiscoveryFetchRoute(WireModel):
    """How to get at a work's full text."""

    kind: Literal["known_provider", "oa_link", "manual_upload"]
    provider: Annotated[ProviderName, Words(named(lambda spec: spec.networked))] | None = None
    identifier: str | None = None
    pdf_url: str | None = None


class DiscoveryHit(ResultModel):
    """One work that is near the query in meaning."""

    openalex_id: str
    title: str | None
    publication_year: int | None
    doi: str | None
    abstract: str | None
    authors: list[DiscoveryAuthor]
    work_type: str | None = Field(description="Code; research://openalex/work-types explains it")
    score: float
    fetch_route: DiscoveryFetchRoute
    next_step: str = Field(description="The call, or what to do, to get the full text")
    is_authors_truncated: bool = Field(
        default=False, exclude_if=lambda cut: not cut, description="True where authors are only the first"
    )


class DiscoveryResult(ResultModel):
    """One page of works, without those that the library holds; page is the one that this is."""

    hits: list[DiscoveryHit]
    page: int
    per_page: int
    total: int = Field(description="Works that match, at most 50, before any were left out")
    has_more: bool
    hits_in_library: int = Field(
        default=0, exclude_if=lambda count: not count, description="Works left out because the library holds them"
    )
    warnings: Warnings = ()


class WorkType(WireModel):
    """One kind of work."""

    code: str
    name: str
    description: str


class WorkTypes(WireModel):
    """Every kind of work, by code."""

    types: list[WorkType]
