"""Find out which source serves an identifier, and under which name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from prioris_mcp.domain.documents import ProviderName, Resolution, SourceFormat
from prioris_mcp.domain.sources.identifiers import ArxivId, Doi, EuropePmcId, LocalFileId, landed, recognise
from prioris_mcp.errors import (
    InvalidRequestError,
    ProviderUnavailableError,
    RateLimitedError,
    UnsupportedProviderError,
)
from prioris_mcp.ports.sources import FullTextSource, LandingPages
from prioris_mcp.remedies import ADD_FILE, Action, Remedy


class Resolve:
    """Routes an identifier to the source that serves it. DOIs are asked about at doi.org first."""

    def __init__(self, sources: Mapping[ProviderName, FullTextSource], pages: LandingPages) -> None:
        self._sources, self._pages = sources, pages

    async def __call__(self, identifier: str, format_: str | None = None) -> Resolution:
        """UnsupportedProviderError for what no source of ours serves, InvalidRequestError for a wrong format.

        Without a format it is the first that the source offers.
        """
        found = recognise(identifier)
        if isinstance(found, LocalFileId):
            raise UnsupportedProviderError(
                f"{found} is a local file, which needs no resolving: read it with ",
                Remedy(Action.PARSE, ProviderName.LOCALFILE, str(found)),
            )
        if isinstance(found, Doi):
            found = await self._led_to(found)
        provider = ProviderName.ARXIV if isinstance(found, ArxivId) else ProviderName.EUROPEPMC
        source = self._sources[provider]
        wanted = _checked(format_, provider, source.formats) if format_ else source.formats[0]
        return replace(await source.resolve(str(found), wanted), formats=source.formats)

    async def _led_to(self, doi: Doi) -> ArxivId | EuropePmcId:
        """Where *doi* leads, as an identifier of one of our sources."""
        paper = doi.arxiv
        asked = Doi(f"{_ARXIV_DOI}{paper.base}") if paper else doi
        try:
            landing = await self._pages.landing(asked)
        except (ProviderUnavailableError, RateLimitedError):
            if paper is None:
                raise
            return paper
        return _versioned(_served(landing, doi), paper)


_ARXIV_DOI = "10.48550/arxiv."


def _versioned(found: ArxivId | EuropePmcId, paper: ArxivId | None) -> ArxivId | EuropePmcId:
    """*found* with the version that the DOI named: arXiv registers its DOIs without."""
    return paper if paper and isinstance(found, ArxivId) and found.base == paper.base else found


def _served(landing: str, doi: Doi) -> ArxivId | EuropePmcId:
    if found := landed(landing):
        return found
    host = (urlsplit(landing).hostname or landing)[:100] if "[" not in landing else landing[:100]
    raise UnsupportedProviderError(
        f"{doi} leads to {host}, which no source of this server serves; ",
        Remedy(Action.LOOK_UP, ProviderName.EUROPEPMC, str(doi)),
        " may know the DOI, or add the PDF with ",
        ADD_FILE,
    )


def _checked(format_: str, provider: ProviderName, formats: tuple[SourceFormat, ...]) -> SourceFormat:
    try:
        wanted = SourceFormat(format_.strip().lower())
    except ValueError:
        wanted = None
    if wanted not in formats or wanted is None:
        raise InvalidRequestError(
            f"{provider} offers {' and '.join(formats)}, not {format_[:50]!r}; leave format out, or give one of these"
        )
    return wanted
