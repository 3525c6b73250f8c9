"""Which source serves which identifier, and what to tell those who asked another."""

from __future__ import annotations

from prioris_mcp.domain.documents import ProviderName
from prioris_mcp.domain.sources.identifiers import ArxivId, Doi, EuropePmcId, Identifier, LocalFileId, recognise
from prioris_mcp.errors import InvalidRequestError, UnsupportedProviderError
from prioris_mcp.remedies import Action, Remedy

_SHOWN = 200


def parse_arxiv(text: str) -> ArxivId:
    """The arXiv identifier in *text*; InvalidRequestError for anything else, naming the tool for what it is."""
    found = _or_none(text)
    if isinstance(found, Doi) and found.arxiv:
        return found.arxiv
    if isinstance(found, ArxivId):
        return found
    raise InvalidRequestError(
        f"not an arXiv identifier: {text[:_SHOWN]!r};"
        f" expected a form such as 2106.09685, 2106.09685v2 or hep-th/9901001",
        *_elsewhere(found),
    )


def parse_europepmc(text: str) -> EuropePmcId | Doi:
    """The Europe PMC record that *text* names, or a DOI to look one up by; InvalidRequestError for anything else."""
    found = _or_none(text)
    if isinstance(found, EuropePmcId) or (isinstance(found, Doi) and not found.arxiv):
        return found
    raise InvalidRequestError(
        f"not a Europe PMC identifier: {text[:_SHOWN]!r}; expected a form such as PMC4767193, MED:26551875 or a DOI",
        *_elsewhere(found),
    )


def parse_localfile(text: str) -> str:
    """The identifier of a local file in *text*; InvalidRequestError for anything else."""
    found = _or_none(text)
    if isinstance(found, LocalFileId):
        return found.text
    raise InvalidRequestError(
        f"not an identifier of a local file: {text[:_SHOWN]!r}; they look like 20260729-1430-a3f2, and ",
        Remedy(Action.LIST_SOURCE, ProviderName.LOCALFILE),
        " lists them",
        *_elsewhere(found),
    )


def provider_of(text: str) -> ProviderName | None:
    """The source that serves what *text* identifies; None where that is not to be seen from it."""
    match _or_none(text):
        case ArxivId():
            return ProviderName.ARXIV
        case EuropePmcId():
            return ProviderName.EUROPEPMC
        case Doi() as doi:
            return ProviderName.ARXIV if doi.arxiv else ProviderName.EUROPEPMC
        case LocalFileId():
            return ProviderName.LOCALFILE
        case _:
            return None


def _or_none(text: str) -> Identifier | None:
    try:
        return recognise(text)
    except (InvalidRequestError, UnsupportedProviderError):
        return None


def _elsewhere(found: Identifier | None) -> tuple[str | Remedy, ...]:
    """Who serves what *found* is."""
    match found:
        case ArxivId():
            return "; ", Remedy(Action.USE_SOURCE, ProviderName.ARXIV), " take it"
        case EuropePmcId():
            return "; ", Remedy(Action.USE_SOURCE, ProviderName.EUROPEPMC), " take it"
        case Doi():
            return "; ", Remedy(Action.RESOLVE, identifier=str(found)), " says who serves this DOI"
        case LocalFileId():
            return "; ", Remedy(Action.USE_SOURCE, ProviderName.LOCALFILE), " take it"
        case None:
            return ()
