"""The tools for the user's notes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema

from prioris_mcp.app.services import Services
from prioris_mcp.domain.instants import Instant
from prioris_mcp.domain.notes.limits import MOST_TEXT
from prioris_mcp.domain.notes.note import AuthorFilter, Content, NoteChange, NoteFilter
from prioris_mcp.domain.page import PageRequest
from prioris_mcp.models.common import FormatName, Provider
from prioris_mcp.models.notes import NotesSearchResult, WireAnchor, WireNote
from prioris_mcp.server.present import notes as present


def _passages(description: str, **fields: object) -> WithJsonSchema:
    """The schema of a list of anchors without its parts' own descriptions, which are many and say little."""
    return WithJsonSchema({"type": "array", "description": description, "items": {"type": "object", **fields}})


def _fields(**kinds: str) -> dict[str, object]:
    return {"type": "object", "properties": {name: {"type": kind} for name, kind in kinds.items()}}


_PASSAGE = {
    "location": _fields(page_number="integer", section_heading="string", paragraph_index="integer"),
    "selectors": _fields(exact_text_quote="string", prefix_context="string", suffix_context="string"),
}
NoteId = Annotated[str, Field(description="Id of the note.")]


async def research_notes_create(
    services: Services,
    provider: Annotated[Provider, Field(description="Source of the document.")],
    identifier: Annotated[str, Field(description="Document, as its fetch tool takes it.")],
    text: Annotated[str, Field(description="The note, in Markdown.", json_schema_extra={"maxLength": MOST_TEXT})],
    format: Annotated[FormatName | None, Field(description="Leave out if nothing was fetched.")] = None,
    anchors: Annotated[
        list[WireAnchor],
        _passages("Passages it is about; not checked.", properties=_PASSAGE),
    ] = [],  # noqa: B006
    author_name: Annotated[str | None, Field(description="Leave out for the user's own.")] = None,
    tags: Annotated[list[str], Field(description="Labels to find it by.")] = [],  # noqa: B006
    metadata: Annotated[
        dict[str, str] | None,
        Field(description="Anything else, as strings."),
    ] = None,
) -> WireNote:
    """Keep a note about a document, fetched or not, and get it back with its id.

    With format, the identifier is pinned, for which its source may be asked. Then research_notes_search finds it,
    and research_notes_update changes it.
    """
    content = Content(text, present.anchors(anchors), author_name, tuple(tags), metadata)
    return WireNote.of(await services.notes.create(provider, identifier, format, content))


async def research_notes_read(services: Services, note_id: NoteId) -> WireNote:
    """Read one note.

    research_notes_search finds notes, and shows them whole as well. notes://{note_id}/export is the note as a file.
    """
    return WireNote.of(await services.notes.read(note_id))


async def research_notes_update(
    services: Services,
    note_id: NoteId,
    text: Annotated[str | None, Field(description="New text.", json_schema_extra={"maxLength": MOST_TEXT})] = None,
    anchors: Annotated[list[WireAnchor] | None, _passages("As in research_notes_create; [] clears.")] = None,
    tags: Annotated[list[str] | None, Field(description="[] clears.")] = None,
    metadata: Annotated[dict[str, str] | None, Field(description="{} clears.")] = None,
) -> WireNote:
    """Change a note, and get it back as it is now.

    What is left out stays; what is given replaces the old value. Document and author stay for good: use
    research_notes_create for a new note.
    """
    change = NoteChange(
        text,
        None if anchors is None else present.anchors(anchors),
        None if tags is None else tuple(tags),
        metadata,
    )
    return WireNote.of(await services.notes.update(note_id, change))


async def research_notes_delete(services: Services, note_id: NoteId) -> bool:
    """Delete a note, for good.

    False where no note has this id. To change a note use research_notes_update.
    """
    return await services.notes.delete(note_id)


async def research_notes_search(
    services: Services,
    provider: Annotated[Provider | None, Field(description="About this source.")] = None,
    canonical_identifier: Annotated[
        str | None, Field(description="About this document, in any spelling; needs provider.")
    ] = None,
    format: Annotated[FormatName | None, Field(description="About this format.")] = None,
    date_from: Annotated[str | None, Field(description="Created then or later; ISO 8601, else UTC.")] = None,
    date_to: Annotated[str | None, Field(description="Created then or earlier; a date means its end.")] = None,
    keyword: Annotated[str | None, Field(description='Words, "phrases", prefix*, AND, OR, NOT, NEAR(a b).')] = None,
    author_filter: Annotated[
        Literal["any", "mine", "named"], Field(description="mine: the user's own; named: author_name's.")
    ] = "any",
    author_name: Annotated[str | None, Field(description="With named only.")] = None,
    tags_all: Annotated[list[str], Field(description="Has each of these.")] = [],  # noqa: B006
    tags_any: Annotated[list[str], Field(description="Has one of these.")] = [],  # noqa: B006
    tags_exclude: Annotated[list[str], Field(description="Has none of these.")] = [],  # noqa: B006
    metadata: Annotated[dict[str, str], Field(description="Has these fields in its metadata.")] = {},  # noqa: B006
    mode: Annotated[str, Field(description="fts, vector (meaning), or hybrid.")] = "fts",
    offset: Annotated[int, Field(description="Notes to skip.", json_schema_extra={"minimum": 0})] = 0,
    limit: Annotated[
        int, Field(description="Most notes to return.", json_schema_extra={"minimum": 1, "maximum": 200})
    ] = 50,
) -> NotesSearchResult:
    """Find notes by document, time, author, tags and words; without filters, list them all.

    Newest first; by relevance where keyword is given. All filters hold together. Asks no network. Search the
    documents themselves with research_search_fetched.
    """
    wanted = NoteFilter(
        provider,
        format=format,
        since=Instant.parse(date_from, "date_from") if date_from else None,
        until=Instant.parse_end(date_to, "date_to") if date_to else None,
        author=AuthorFilter(author_filter),
        author_name=author_name,
        tags_all=tuple(tags_all),
        tags_any=tuple(tags_any),
        tags_exclude=tuple(tags_exclude),
        metadata=metadata,
    )
    identifier = canonical_identifier or None
    return present.listed(await services.notes.search(wanted, identifier, keyword, mode, PageRequest(offset, limit)))
