"""Shape results about arXiv."""

from pydantic import Field

from prioris_mcp.models.base import ResultModel, Warnings, WireModel


class ArxivAuthor(WireModel):
    """One author, in the order of the paper."""

    name: str
    affiliation: str | None = None


class ArxivRecord(WireModel):
    """The metadata of one version of one paper, from one Atom entry."""

    arxiv_id: str = Field(description="Always with its version, e.g. 2106.09685v2")
    title: str
    authors: list[ArxivAuthor]
    abstract: str
    categories: list[str]
    primary_category: str
    published: str = Field(description="ISO 8601, of version 1")
    updated: str = Field(description="ISO 8601, of this version")
    pdf_url: str
    doi: str | None = None
    journal_ref: str | None = None
    comment: str | None = None


class ArxivSearchResult(ResultModel):
    """Papers that match, and how many there are in all."""

    results: list[ArxivRecord]
    total_results: int
    warnings: Warnings = ()


class ArxivMetadataResult(ResultModel):
    """Papers in the order asked for, and the identifiers that name none, as they were given."""

    results: list[ArxivRecord]
    not_found: list[str]
    warnings: Warnings = ()


class ArxivCategory(WireModel):
    """One subject class."""

    code: str
    name: str


class ArxivCategories(WireModel):
    """Every active subject class, by code."""

    categories: list[ArxivCategory]
