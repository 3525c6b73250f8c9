"""Shape results about Europe PMC."""

from typing import Any

from pydantic import Field

from prioris_mcp.models.base import ResultModel, Warnings, WireModel
from prioris_mcp.remedies import Action, Remedy


class EuropePmcAuthor(WireModel):
    """One author, or a group under its name."""

    full_name: str | None = None
    first_name: str | None = None
    last_name: str | None = None
    initials: str | None = None


class EuropePmcRecord(WireModel):
    """The metadata of one record."""

    identifier: str = Field(description="source:id, e.g. MED:26551875")
    pmid: str | None = None
    pmcid: str | None = None
    doi: str | None = None
    title: str | None = None
    authors: list[EuropePmcAuthor]
    abstract: str | None = None
    journal: dict[str, Any] | None = Field(default=None, description="journalInfo, as Europe PMC gives it")
    pub_year: str | None = None
    is_open_access: str = Field(description="Y or N")
    license: str | None = None
    full_text_available: bool = Field(description=f"Whether {Remedy(Action.FETCH, 'europepmc')} can succeed")


class EuropePmcSearchResult(ResultModel):
    """One page of records that match."""

    results: list[EuropePmcRecord]
    hit_count: int
    next_cursor_mark: str | None = Field(
        default=None,
        exclude_if=lambda mark: mark is None,
        description="cursor_mark of the next page; absent on the last one",
    )
    warnings: Warnings = ()


class EuropePmcMetadataResult(ResultModel):
    """Records in the order asked for, and the identifiers that name none, as they were given."""

    results: list[EuropePmcRecord]
    not_found: list[str]
    warnings: Warnings = ()
