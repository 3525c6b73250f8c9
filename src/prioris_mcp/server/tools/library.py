"""The tools that look at everything the library holds."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from prioris_mcp.app.catalogue import Deletion
from prioris_mcp.app.search.documents import scope_of
from prioris_mcp.app.services import Services
from prioris_mcp.domain.page import PageRequest
from prioris_mcp.errors import InvalidRequestError
from prioris_mcp.models.common import (
    DeleteFetchedResult,
    DeletionEntry,
    FindResult,
    FormatName,
    ListFetchedResult,
    Provider,
    ResolvedIdentifierResult,
    SearchFetchedResult,
)
from prioris_mcp.server.present import documents as present
from prioris_mcp.server.present import search as present_search

OfProvider = Annotated[Provider | None, Field(description="Only of this source.")]
OfFormat = Annotated[FormatName | None, Field(description="Only in this format.")]
Skip = Annotated[int, Field(description="Entries to skip.", json_schema_extra={"minimum": 0})]


async def research_resolve_identifier(
    services: Services,
    identifier: Annotated[
        str,
        Field(description="DOI, arXiv identifier, PMID, PMCID, or a page's address.", examples=["10.1038/nature12373"]),
    ],
    format: Annotated[
        str | None, Field(description="Wanted format, if it matters: pdf or html for arXiv, xml for Europe PMC.")
    ] = None,
) -> ResolvedIdentifierResult:
    """Find out which source serves an identifier, and the identifier and address to go on with.

    Use it for a DOI, or when you do not know which tools to call; next_step of the answer is the call to make, such as
    research_arxiv_fetch_full_text, and formats says what there is.
    """
    return present.resolved(await services.resolve(identifier, format))


async def research_list_fetched(
    services: Services,
    provider: OfProvider = None,
    format: OfFormat = None,
    offset: Skip = 0,
    limit: Annotated[
        int, Field(description="Most entries to return.", json_schema_extra={"minimum": 1, "maximum": 1000})
    ] = 50,
) -> ListFetchedResult:
    """List what the library holds: fetched documents and their parsed Markdown, newest first.

    Use it to find identifiers of stored papers and local files; asks no network. To look for words inside
    them use research_search_fetched.
    """
    scope = scope_of(provider, None, format)
    return ListFetchedResult.of(await services.list(scope.provider, scope.format, PageRequest(offset, limit)))


async def research_delete_fetched(
    services: Services,
    entries: Annotated[list[DeletionEntry], Field(description="What to delete.")],
) -> DeleteFetchedResult:
    """Delete documents or their Markdown from the library, for good.

    Use it when the wrong paper was fetched. document and markdown are deleted apart; all deletes both. Notes stay.
    deleted names each version and format that is gone, not_found the entries that named nothing stored.
    research_list_fetched shows what is there.
    """
    if not entries:
        raise InvalidRequestError("entries must name at least one thing to delete")
    wanted = [Deletion(entry.provider, entry.identifier, entry.format_, entry.artefact) for entry in entries]
    return DeleteFetchedResult.of(await services.delete(wanted))


async def research_search_fetched(
    services: Services,
    query: Annotated[
        str,
        Field(
            description='Words, "phrases", prefix*, AND, OR, NOT, NEAR(a b); plain questions work as well.',
            examples=['"low-rank" adaptation'],
        ),
    ],
    provider: OfProvider = None,
    identifier: Annotated[str | None, Field(description="Only this document; needs provider.")] = None,
    format: OfFormat = None,
    mode: Annotated[str, Field(description="fts (words), vector (meaning), or hybrid (both lists).")] = "fts",
    offset: Skip = 0,
    limit: Annotated[
        int | None,
        Field(
            description="Most matches to return; default {matches}.", json_schema_extra={"minimum": 1, "maximum": 200}
        ),
    ] = None,
) -> SearchFetchedResult:
    """Search the full text of everything that was fetched and parsed.

    Each match is a section with a snippet; read on by giving its offset to the parse tool of its provider.
    Finds only parsed documents, and asks no network; use research_arxiv_search to find new papers.
    """
    scope = scope_of(provider, identifier, format)
    return SearchFetchedResult.of(await services.search(query, scope, mode, offset, limit))


Snippets = Annotated[
    int,
    Field(description="Most characters of all snippets together.", json_schema_extra={"minimum": 0, "maximum": 100000}),
]
Many = Annotated[int, Field(description="Most sections to return.", json_schema_extra={"minimum": 1, "maximum": 200})]


async def research_find(
    services: Services,
    query: Annotated[str, Field(description="A question, or what you look for in plain words.")],
    provider: OfProvider = None,
    identifier: Annotated[str | None, Field(description="Only this document; needs provider.")] = None,
    format: OfFormat = None,
    notes: Annotated[bool, Field(description="The user's notes as well.")] = False,
    offset: Skip = 0,
    limit: Many = 10,
    snippet_chars: Snippets = 6000,
) -> FindResult:
    """Find passages in everything that was fetched and parsed, by words and by meaning, in one ranked list.

    The first choice for a question; each hit has title, section, pages and snippet for citing. Read on with its
    offset and the parse tool of its provider. without_vectors says when only words were compared. Use
    research_search_fetched for exact FTS5 queries.
    """
    scope = scope_of(provider, identifier, format)
    found = await services.find(query, scope, PageRequest(offset, limit), snippet_chars, notes=notes)
    return present_search.finding(found)


async def research_related(
    services: Services,
    provider: Annotated[Provider | None, Field(description="Source of the document.")] = None,
    identifier: Annotated[str | None, Field(description="Its identifier.")] = None,
    format: Annotated[FormatName | None, Field(description="Its format.")] = None,
    at: Annotated[
        int, Field(description="Character of its text that the passage stands at.", json_schema_extra={"minimum": 0})
    ] = 0,
    note_id: Annotated[str | None, Field(description="A note instead of a passage.")] = None,
    offset: Skip = 0,
    limit: Many = 10,
    snippet_chars: Snippets = 6000,
) -> FindResult:
    """Find passages and notes about other documents that are nearest in meaning to one passage, or to a note.

    Give provider, identifier, format and offset (as at) of a hit of research_find or research_search_fetched, or a
    note_id. Needs the model for semantic search.
    """
    page, find = PageRequest(offset, limit), services.find
    if note_id is not None and provider is None and identifier is None and format is None:
        return present_search.finding(await find.related_to_note(note_id, page, snippet_chars))
    if note_id is not None or provider is None or identifier is None or format is None:
        raise InvalidRequestError("give provider, identifier and format of a stored document, or a note_id, not both")
    key = await services.library.locate(provider, identifier, format)
    return present_search.finding(await find.related(key, at, page, snippet_chars))
