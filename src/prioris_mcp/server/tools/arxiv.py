"""The arXiv tools. Each is its parameters, one call, one presentation."""

from __future__ import annotations

from typing import Annotated, Literal

from fastmcp import Context
from pydantic import Field

from prioris_mcp.app.services import Services
from prioris_mcp.domain.documents import SourceFormat
from prioris_mcp.domain.markdown import Window
from prioris_mcp.domain.sources.arxiv import ARXIV
from prioris_mcp.models.arxiv import ArxivMetadataResult, ArxivSearchResult
from prioris_mcp.models.common import FullTextFetchResult, PagedMarkdown
from prioris_mcp.server.arguments.params import ArxivFormat, ArxivId, Limit, Offset, PdfPage


async def research_arxiv_search(
    services: Services,
    query: Annotated[
        str,
        Field(
            description="arXiv query: words, quoted phrases, fields ti: au: abs: co: jr: cat: all:, AND OR ANDNOT,"
            " brackets, submittedDate:[202401010000 TO 202412312359].",
            examples=['ti:"low-rank adaptation" AND cat:cs.CL'],
        ),
    ],
    max_results: Annotated[
        int, Field(description="Most papers to return.", json_schema_extra={"minimum": 1, "maximum": 2000})
    ] = 10,
    start: Annotated[
        int,
        Field(
            description="Papers to skip; start + max_results is at most 30000.",
            json_schema_extra={"minimum": 0},
        ),
    ] = 0,
    sort_by: Annotated[
        Literal["relevance", "lastUpdatedDate", "submittedDate"], Field(description="What to sort by.")
    ] = "relevance",
    sort_order: Annotated[
        Literal["ascending", "descending"], Field(description="Direction of sorting.")
    ] = "descending",
) -> ArxivSearchResult:
    """Search arXiv by words, phrases, authors, categories or dates, and get metadata with abstracts.

    Bare words are OR-ed by arXiv: join them with AND, or quote a phrase. Use
    research_arxiv_list_top_n for the newest papers of a category, and research_arxiv_fetch_metadata for known
    identifiers. To read a paper, go on with research_arxiv_fetch_full_text.
    """
    return await services.arxiv.search(
        query, start=start, max_results=max_results, sort_by=sort_by, sort_order=sort_order
    )


async def research_arxiv_list_top_n(
    services: Services,
    include_categories: Annotated[
        list[str],
        Field(
            description="Subject classes that every paper must have, from research://arxiv/categories.",
            examples=[["cs.CL", "cs.LG"]],
        ),
    ],
    n: Annotated[int, Field(description="Number of papers.", json_schema_extra={"minimum": 1, "maximum": 2000})],
    exclude_categories: Annotated[
        list[str] | None, Field(description="Subject classes that no paper may have.")
    ] = None,
) -> ArxivSearchResult:
    """List the papers submitted last in one or more arXiv subject classes, newest first.

    Use it to see what is new in a field; use research_arxiv_search to look for a subject. Codes are in the
    resource research://arxiv/categories.
    """
    return await services.arxiv.list_top_n(include_categories, exclude_categories or [], n)


async def research_arxiv_fetch_metadata(
    services: Services,
    arxiv_ids: Annotated[
        list[str],
        Field(
            description="arXiv identifiers in any usual spelling, with or without version.",
            examples=[["2106.09685", "hep-th/9901001v1"]],
        ),
    ],
) -> ArxivMetadataResult:
    """Look up title, authors, abstract, categories, dates and links of known arXiv papers.

    Takes many identifiers at once, which costs one request for each hundred, and answers in their order;
    those that arXiv does not know are in not_found. Use research_arxiv_search when you have no identifier.
    """
    return await services.arxiv.fetch_metadata(arxiv_ids)


async def research_arxiv_fetch_full_text(
    services: Services, ctx: Context, arxiv_id: ArxivId, format: ArxivFormat = "pdf"
) -> FullTextFetchResult:
    """Download an arXiv paper into the local library, unless it is there already.

    Call this once before research_arxiv_parse_full_text. It takes a few seconds, as arXiv
    wants pauses. The answer names the version that was stored.
    """
    return FullTextFetchResult.of(await services.fetch(ARXIV.name, arxiv_id, SourceFormat(format), ctx.report_progress))


async def research_arxiv_parse_full_text(
    services: Services,
    ctx: Context,
    arxiv_id: ArxivId,
    format: ArxivFormat = "pdf",
    offset: Offset = 0,
    limit: Limit = None,
    page: PdfPage = None,
) -> PagedMarkdown:
    """Read a fetched arXiv paper as Markdown, one window at a time.

    Needs research_arxiv_fetch_full_text first; asks no network. While has_more is true, call again with
    offset = offset + length of markdown, without page. page_range says which pages the window covers: cite those.
    """
    window = Window(offset, limit, page)
    return PagedMarkdown.of(
        await services.parse(ARXIV.name, arxiv_id, SourceFormat(format), window, progress=ctx.report_progress)
    )
