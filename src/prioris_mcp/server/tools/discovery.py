"""The discovery tool."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from prioris_mcp.app.services import Services
from prioris_mcp.domain.discovery import DiscoveryQuery
from prioris_mcp.models.discovery import DiscoveryResult
from prioris_mcp.server.present import documents as present


async def research_discovery(
    services: Services,
    query: Annotated[
        str, Field(description="What you look for, in plain words.", json_schema_extra={"maxLength": 2000})
    ],
    max_results: Annotated[
        int | None,
        Field(description="Most works to return; default {works}.", json_schema_extra={"minimum": 1, "maximum": 50}),
    ] = None,
    page: Annotated[int, Field(description="Page, from 1.", json_schema_extra={"minimum": 1})] = 1,
    from_year: Annotated[int | None, Field(description="Published in this year or later.")] = None,
    to_year: Annotated[int | None, Field(description="Published in this year or earlier.")] = None,
    open_access_only: Annotated[bool, Field(description="Only works with open full text.")] = False,
) -> DiscoveryResult:
    """Discover works of every publisher by meaning, through OpenAlex, less those that the library holds.

    Use it when words are not enough; research_arxiv_search and research_europepmc_search match words. next_step
    of each hit is the call to make for its full text. The answer is a later page than asked for where the library holds
    all before it; page says so. Needs a key of OpenAlex.
    """
    size = services.discovery_results if max_results is None else max_results
    wanted = DiscoveryQuery(query, size, page, from_year, to_year, open_access_only)
    return present.discovered(await services.discover(wanted))
