"""Shape results about the user's notes."""

from typing import Annotated, Any

from pydantic import AliasPath, BeforeValidator, Field

from prioris_mcp.domain.search import IndexStatus
from prioris_mcp.models.base import Damaged, ResultModel, Unavailable, Warnings, WireModel
from prioris_mcp.models.common import FormatName, Provider


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


class _NoteSubject(WireModel):
    id: str
    provider: Provider = Field(validation_alias=AliasPath("subject", "provider"))
    canonical_identifier: str = Field(validation_alias=AliasPath("subject", "identifier"))
    format_: FormatName | None = Field(validation_alias=AliasPath("subject", "format"), serialization_alias="format")


class _NoteText(WireModel):
    text: str = Field(validation_alias=AliasPath("content", "text"))


class _NoteFacts(WireModel):
    anchors: list[WireAnchor] = Field(validation_alias=AliasPath("content", "anchors"))
    author_name: str | None = Field(
        validation_alias=AliasPath("content", "author_name"), description="Null means the user's own"
    )
    tags: list[str] = Field(validation_alias=AliasPath("content", "tags"))
    metadata: dict[str, str] | None = Field(validation_alias=AliasPath("content", "metadata"))
    created_at: Annotated[str, BeforeValidator(str)] = Field(description="ISO 8601, UTC")
    updated_at: Annotated[str, BeforeValidator(str)] = Field(description="ISO 8601, UTC")


class NoteFrontmatter(_NoteFacts, _NoteSubject):
    """Everything of a note but its text."""


class WireNote(_NoteFacts, _NoteText, _NoteSubject, ResultModel):  # the last base's fields come first on the wire
    """One note."""

    damaged: Damaged = None
    warnings: Warnings = ()


class NoteExport(WireModel):
    """One note, ready to be written to a Markdown file by whoever reads this."""

    suggested_filename: str
    frontmatter: NoteFrontmatter
    markdown_body: str = Field(description="Exactly the note's text")


class PagedNotes(WireModel):
    """One page of notes."""

    notes: list[WireNote] = Field(validation_alias="items")
    offset: int
    limit: int
    total: int
    has_more: bool


class NoteVectorMatch(WireModel):
    """One note that is near in meaning."""

    note_id: str = Field(validation_alias=AliasPath("note", "id"))
    text_preview: str
    score: float = Field(validation_alias="distance", description="Cosine distance; lower is better")


class PagedNoteVectorMatches(WireModel):
    """One page of near notes, the nearest first."""

    matches: list[NoteVectorMatch] = Field(validation_alias="items")
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
