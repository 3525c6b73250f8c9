"""The user's notes."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from prioris_mcp.models.base import Damaged, ResultModel, Unavailable, Warnings, WireModel
from prioris_mcp.models.common import FormatName, IndexStatus, Provider


def _no_truth_value(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError(f"it must be a whole number, got {str(value).lower()}")  # noqa: TRY004 - as the library wants it
    return value


WholeNumber = Annotated[int, BeforeValidator(_no_truth_value)]


class AnchorLocation(WireModel):
    """Where in a document."""

    page_number: WholeNumber | None = None
    section_heading: str | None = None
    paragraph_index: WholeNumber | None = None


class AnchorSelectors(WireModel):
    """A passage by its words and those around it."""

    exact_text_quote: str | None = None
    prefix_context: str | None = None
    suffix_context: str | None = None


class WireAnchor(WireModel):
    """A hint at a passage; nobody checks that it is there."""

    location: AnchorLocation | None = None
    selectors: AnchorSelectors | None = None


class NoteFrontmatter(WireModel):
    """Everything of a note but its text."""

    id: str
    provider: Provider
    canonical_identifier: str
    format_: FormatName | None = Field(alias="format")
    anchors: list[WireAnchor]
    author_name: str | None = Field(description="Null means the user's own")
    tags: list[str]
    metadata: dict[str, str] | None
    created_at: str = Field(description="ISO 8601, UTC")
    updated_at: str = Field(description="ISO 8601, UTC")


class WireNote(ResultModel):
    """One note."""

    id: str
    provider: Provider
    canonical_identifier: str
    format_: FormatName | None = Field(alias="format")
    text: str
    anchors: list[WireAnchor]
    author_name: str | None = Field(description="Null means the user's own")
    tags: list[str]
    metadata: dict[str, str] | None
    created_at: str = Field(description="ISO 8601, UTC")
    updated_at: str = Field(description="ISO 8601, UTC")
    damaged: Damaged = None
    warnings: Warnings = ()


class NoteExport(WireModel):
    """One note, ready to be written to a Markdown file by whoever reads this."""

    suggested_filename: str
    frontmatter: NoteFrontmatter
    markdown_body: str = Field(description="Exactly the note's text")


class PagedNotes(WireModel):
    """One page of notes."""

    notes: list[WireNote]
    offset: int
    limit: int
    total: int
    has_more: bool


class NoteVectorMatch(WireModel):
    """One note that is near in meaning."""

    note_id: str
    text_preview: str
    score: float = Field(description="Cosine distance; lower is better")


class PagedNoteVectorMatches(WireModel):
    """One page of near notes, the nearest first."""

    matches: list[NoteVectorMatch]
    offset: int
    limit: int
    total: int
    has_more: bool


class NotesSearchResult(ResultModel):
    """A list for each mechanism that was asked; null for one that was not."""

    fts: PagedNotes | None
    vector: PagedNoteVectorMatches | None
    index_status: dict[str, IndexStatus] | None
    unavailable: Unavailable = None
    warnings: Warnings = ()
