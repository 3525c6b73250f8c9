"""From the application's results to the wire's."""

from __future__ import annotations

from prioris_mcp.app.discover import Discovered
from prioris_mcp.domain.discovery import Work, route
from prioris_mcp.domain.documents import Resolution
from prioris_mcp.models.common import (
    ArxivResolvedIdentifierResult,
    EuropePmcResolvedIdentifierResult,
    ResolvedIdentifierResult,
)
from prioris_mcp.models.discovery import DiscoveryAuthor, DiscoveryFetchRoute, DiscoveryHit, DiscoveryResult
from prioris_mcp.server.remedies import after_discovery, after_resolving


def resolved(result: Resolution) -> ResolvedIdentifierResult:
    """Which source serves an identifier."""
    model = ArxivResolvedIdentifierResult if result.available is None else EuropePmcResolvedIdentifierResult
    return model.of(result).model_copy(update={"next_step": after_resolving(result)})


def discovered(result: Discovered) -> DiscoveryResult:
    """One page of works, each with its route."""
    return DiscoveryResult(
        hits=[_hit(work) for work in result.works],
        page=result.query.page,
        per_page=result.query.max_results,
        total=result.total,
        has_more=result.has_more,
        hits_in_library=result.held,
    )


def _hit(work: Work) -> DiscoveryHit:
    way = route(work)
    return DiscoveryHit(
        openalex_id=work.openalex_id,
        title=work.title,
        publication_year=work.year,
        doi=work.doi,
        abstract=work.abstract,
        authors=[DiscoveryAuthor(name=name) for name in work.authors],
        work_type=work.kind,
        score=work.score,
        fetch_route=DiscoveryFetchRoute.model_validate(
            {"kind": way.kind, "provider": way.provider, "identifier": way.identifier, "pdf_url": way.pdf_url}
        ),
        next_step=after_discovery(way),
        is_authors_truncated=work.more_authors,
    )
