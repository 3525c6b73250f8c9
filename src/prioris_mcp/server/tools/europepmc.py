"""The Europe PMC tools."""

from __future__ import annotations

from typing import Annotated

from fastmcp import Context
from pydantic import Field

from prioris_mcp.app.services import Services
from prioris_mcp.domain.documents import SourceFormat
from prioris_mcp.domain.markdown import Window
from prioris_mcp.domain.sources.europepmc import EUROPEPMC
from prioris_mcp.models.common import EuropePmcMarkdown, FullTextFetchResult
from prioris_mcp.models.europepmc import EuropePmcMetadataResult, EuropePmcSearchResult
from prioris_mcp.server.arguments.params import Limit, Offset

ArticleId = Annotated[
    str,
    Field(description="PMCID, PMID, DOI, source:id, or a page's address."),
]


async def research_europepmc_search(
    services: Services,
    query: Annotated[
        str,
        Field(
            description="Europe PMC query: words, quoted phrases, field:value, AND OR NOT, brackets.",
            examples=['TITLE:"base editing" AND OPEN_ACCESS:y AND PUB_YEAR:2024'],
        ),
    ],
    page_size: Annotated[
        int, Field(description="Most records to return.", json_schema_extra={"minimum": 1, "maximum": 1000})
    ] = 25,
    cursor_mark: Annotated[
        str, Field(description="* for the first page, then next_cursor_mark of the page before, as it is.")
    ] = "*",
) -> EuropePmcSearchResult:
    """Search the life-science literature in Europe PMC, and get metadata with abstracts.

    next_cursor_mark is there while more pages are. full_text_available says which articles
    research_europepmc_fetch_full_text can get. Use research_europepmc_fetch_metadata for known identifiers.
    """
    return await services.europepmc.search(query, page_size=page_size, cursor_mark=cursor_mark)


async def research_europepmc_fetch_metadata(
    services: Services,
    identifiers: Annotated[
        list[str],
        Field(description="PMCIDs, PMIDs, DOIs or source:id, one or more."),
    ],
) -> EuropePmcMetadataResult:
    """Look up known articles in Europe PMC: title, authors, abstract, journal, licence, full text or not.

    Takes many at once and answers in their order; those that are not known are in not_found. Use
    research_europepmc_search when you have no identifier.
    """
    return await services.europepmc.fetch_metadata(identifiers)


async def research_europepmc_fetch_full_text(
    services: Services, ctx: Context, identifier: ArticleId
) -> FullTextFetchResult:
    """Download an open-access article from Europe PMC into the local library, unless it is there already.

    Works where full_text_available is true. Then call research_europepmc_parse_full_text.
    """
    fetched = await services.fetch(EUROPEPMC.name, identifier, SourceFormat.XML, ctx.report_progress)
    return FullTextFetchResult.of(fetched)


async def research_europepmc_parse_full_text(
    services: Services, ctx: Context, identifier: ArticleId, offset: Offset = 0, limit: Limit = None
) -> EuropePmcMarkdown:
    """Read a fetched Europe PMC article as Markdown, one window at a time.

    Needs research_europepmc_fetch_full_text first, and asks no network. While has_more is true, call again with
    offset = offset + length of markdown.
    """
    window = Window(offset, limit)
    return EuropePmcMarkdown.of(
        await services.parse(EUROPEPMC.name, identifier, SourceFormat.XML, window, progress=ctx.report_progress)
    )
