"""The tools that look at everything the library holds."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from prioris_mcp.app.library import Deletion
from prioris_mcp.app.searching import scope_of
from prioris_mcp.app.services import Services
from prioris_mcp.domain.documents import ProviderName, SourceFormat
from prioris_mcp.domain.search import Page
from prioris_mcp.errors import InvalidRequestError
from prioris_mcp.models.common import (
    DeleteFetchedResult,
    DeletionEntry,
    FormatName,
    ListFetchedResult,
    Provider,
    SearchFetchedResult,
)
from prioris_mcp.server import present

OfProvider = Annotated[Provider | None, Field(description="Only documents of this source.")]
OfFormat = Annotated[FormatName | None, Field(description="Only documents in this format.")]
Skip = Annotated[int, Field(description="Entries to skip, for paging.", json_schema_extra={"minimum": 0})]


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
    return present.listed(await services.list(scope.provider, scope.format, Page(offset, limit)))


async def research_delete_fetched(
    services: Services,
    entries: Annotated[list[DeletionEntry], Field(description="What to delete, one or more entries.")],
) -> DeleteFetchedResult:
    """Delete documents or their Markdown from the library, for good.

    Use it when the wrong paper was fetched. document and markdown are deleted apart; all deletes both. Entries
    that name nothing stored come back in not_found. research_list_fetched shows what is there.
    """
    if not entries:
        raise InvalidRequestError("entries must name at least one thing to delete")
    wanted = [
        Deletion(ProviderName(entry.provider), entry.identifier, SourceFormat(entry.format_), entry.artefact)
        for entry in entries
    ]
    return present.deleted(await services.delete(wanted))


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
    mode: Annotated[str, Field(description="Search mechanism: fts (full text).")] = "fts",
    offset: Skip = 0,
    limit: Annotated[
        int | None,
        Field(description="Most matches to return; default 10.", json_schema_extra={"minimum": 1, "maximum": 200}),
    ] = None,
) -> SearchFetchedResult:
    """Search the full text of everything that was fetched and parsed.

    Each match is a section with a snippet; read on by giving its offset to the parse tool of its provider.
    Nested sections may match together. Finds only parsed documents: research_list_fetched shows which have
    Markdown. Asks no network; use research_arxiv_search to find new papers.
    """
    scope = scope_of(provider, identifier, format)
    return present.found(await services.search(query, scope, mode, offset, limit))
