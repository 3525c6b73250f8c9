"""Make the sources, each with its hosts, its pace and its way of refusing, over one gateway."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from prioris_mcp import __version__
from prioris_mcp.adapters.arxiv import ar5iv
from prioris_mcp.adapters.arxiv import client as arxiv_client
from prioris_mcp.adapters.arxiv import provider as arxiv
from prioris_mcp.adapters.doi import resolver as doi
from prioris_mcp.adapters.europepmc import client as europepmc_client
from prioris_mcp.adapters.europepmc import provider as europepmc
from prioris_mcp.adapters.http.gateway import Answer, Gateway, Limits
from prioris_mcp.adapters.http.throttle import Throttle
from prioris_mcp.adapters.http.upstream import Upstream
from prioris_mcp.adapters.openalex import client as openalex
from prioris_mcp.adapters.parsers.jats.load import article_kind
from prioris_mcp.domain.documents import ProviderName
from prioris_mcp.domain.pacing import Pace
from prioris_mcp.domain.sources.arxiv import ARXIV
from prioris_mcp.domain.sources.europepmc import EUROPEPMC
from prioris_mcp.ports.coordination import Gates
from prioris_mcp.ports.library import StorageBackend
from prioris_mcp.ports.sources import FullTextSource
from prioris_mcp.redaction import Redactor
from prioris_mcp.settings import Settings

_log = logging.getLogger(__name__)
_DOWNLOAD_PATIENCE = 4
"""Number of times the longest tolerated silence that a whole document may take."""
_DOI_SPACING = _OPENALEX_SPACING = 1.0


def open_gateway(settings: Settings) -> Gateway:
    """Return the gateway that all requests take."""
    if settings.unverified_https:
        _log.warning(
            "certificates of the sources are not checked (PRIORIS_MCP_UNVERIFIED_HTTPS): answers can be forged"
        )
    agent = f"PriorisMCP/{__version__} (Model Context Protocol server for research papers; one request at a time)"
    return Gateway(
        user_agent=agent,
        timeout=settings.http_timeout_seconds,
        verify=not settings.unverified_https,
        hide=Redactor(settings.secrets()).hidden,
    )


class Sources:
    """Hold everything on the network that can be asked."""

    def __init__(self, settings: Settings, gateway: Gateway, gates: Gates, store: StorageBackend) -> None:
        self._settings, self._gateway, self._gates, self.store = settings, gateway, gates, store
        seconds, most = settings.http_timeout_seconds, settings.max_download_bytes
        quick, patient = Limits(seconds, most), Limits(seconds * _DOWNLOAD_PATIENCE, most)
        ttl = settings.response_cache_ttl
        of_arxiv = self.upstream("arxiv", "arXiv", arxiv.HOSTS, arxiv_client.refused)
        of_ar5iv = self.upstream("arxiv", "ar5iv", frozenset({ar5iv.HOST}), arxiv_client.refused)
        self.arxiv = arxiv.ArxivProvider(
            arxiv_client.ArxivApi(of_arxiv, quick),
            of_arxiv,
            store,
            download=patient,
            pin_seconds=ttl,
            older=ar5iv.Ar5iv(of_ar5iv, patient) if settings.ar5iv else None,
        )
        of_europepmc = self.upstream("europepmc", "Europe PMC", europepmc.HOSTS, europepmc_client.refused)
        self.europepmc = europepmc.EuropePmcProvider(
            europepmc_client.EuropePmcApi(of_europepmc, quick),
            of_europepmc,
            store,
            article_kind,
            download=patient,
            seconds=ttl,
        )
        of_openalex = self.upstream(
            "openalex", "OpenAlex", openalex.HOSTS, openalex.never_refused, most_spacing=_OPENALEX_SPACING
        )
        key = settings.openalex_api_key
        self.openalex = openalex.OpenAlexClient(of_openalex, quick, key.get_secret_value() if key else None)
        of_doi = self.upstream("doi", "doi.org", doi.HOSTS, doi.refused, most_spacing=_DOI_SPACING)
        self.landing_pages = doi.DoiResolver(of_doi, quick)
        self.full_text = {name: made(self) for name, made in FULL_TEXT.items()}

    def upstream(
        self,
        name: str,
        label: str,
        hosts: frozenset[str],
        refused: Callable[[Answer], bool],
        *,
        most_spacing: float = float("inf"),
    ) -> Upstream:
        """Return the way to a source: its hosts alone, at its pace, with its way of refusing."""
        settings = self._settings
        spacing = settings.request_spacing_seconds
        budget = settings.rate_limit_backoff_budget_seconds
        pace = Pace(spacing=min(spacing, most_spacing), first_backoff=spacing, budget=budget)
        throttle = Throttle(name, label, self._gates, pace, budget + settings.http_timeout_seconds, time.time)
        return Upstream(label, hosts, self._gateway, throttle, refused)


FULL_TEXT: dict[ProviderName, Callable[[Sources], FullTextSource]] = {
    ARXIV.name: lambda sources: sources.arxiv,
    EUROPEPMC.name: lambda sources: sources.europepmc,
}
"""What answers for each source of the table that can be asked."""
