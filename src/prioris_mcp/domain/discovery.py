"""Works that were discovered, and the ladder by which their full text is reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prioris_mcp.domain.documents import ProviderName
from prioris_mcp.domain.sources.identifiers import ArxivId, Doi, EuropePmcId, recognise
from prioris_mcp.errors import InvalidRequestError, PriorisError

MOST_RESULTS = 50
LONGEST_QUERY = 2000
_BEST_FIRST = ("publishedVersion", "acceptedVersion", "submittedVersion")


@dataclass(frozen=True, slots=True)
class WorkLocation:
    """One place where a work can be seen."""

    landing_page: str | None
    pdf_url: str | None
    version: str | None


@dataclass(frozen=True, slots=True)
class Work:
    """One work, as its index knows it."""

    openalex_id: str
    title: str | None
    year: int | None
    doi: str | None
    pmcid: str | None
    abstract: str | None
    authors: tuple[str, ...]
    kind: str | None
    score: float
    locations: tuple[WorkLocation, ...]
    best_oa: WorkLocation | None
    more_authors: bool = False
    """Whether the index names only the first of its authors."""

    def identifiers(self) -> tuple[ArxivId | EuropePmcId, ...]:
        """Every identifier of this work that a source of ours serves, the surest first."""
        own = [self.doi, self.pmcid and f"PMCID:{self.pmcid}"]
        pages = [address for place in self.locations for address in (place.landing_page, place.pdf_url)]
        found = [_served(text) for text in (*own, *pages) if text]
        return tuple(dict.fromkeys(identifier for identifier in found if identifier))


@dataclass(frozen=True, slots=True)
class Route:
    """How to get at a work's full text."""

    kind: Literal["known_provider", "oa_link", "manual_upload"]
    provider: ProviderName | None = None
    identifier: str | None = None
    pdf_url: str | None = None


def route(work: Work) -> Route:
    """The first rung that holds: a source of ours, an open-access PDF, or the user's own copy."""
    for identifier in work.identifiers():
        provider = ProviderName.ARXIV if isinstance(identifier, ArxivId) else ProviderName.EUROPEPMC
        name = str(identifier) if isinstance(identifier, ArxivId) else identifier.number
        return Route("known_provider", provider, name)
    pdf_url = _open_pdf(work)
    return Route("oa_link", pdf_url=pdf_url) if pdf_url else Route("manual_upload")


def _open_pdf(work: Work) -> str | None:
    places = list(work.locations) or [place for place in (work.best_oa,) if place]
    usable = [place for place in places if _is_web(place.pdf_url)]
    ranked = sorted(usable, key=lambda place: _rank(place.version))
    return ranked[0].pdf_url if ranked else None


def _rank(version: str | None) -> int:
    return _BEST_FIRST.index(version) if version in _BEST_FIRST else len(_BEST_FIRST)


def _is_web(address: str | None) -> bool:
    return bool(address) and str(address).lower().startswith(("https://", "http://"))


def _served(text: str) -> ArxivId | EuropePmcId | None:
    """The identifier in *text*, where it is one by which full text can be had."""
    try:
        found = recognise(text)
    except PriorisError:
        return None
    if isinstance(found, Doi):
        return found.arxiv
    if isinstance(found, ArxivId):
        return found
    return found if isinstance(found, EuropePmcId) and found.source == "PMC" else None


@dataclass(frozen=True, slots=True)
class DiscoveryQuery:
    """What to discover; InvalidRequestError for what the index cannot be asked."""

    text: str
    max_results: int
    page: int = 1
    from_year: int | None = None
    to_year: int | None = None
    open_access_only: bool = False

    def __post_init__(self) -> None:
        if not any(character.isalnum() for character in self.text):
            raise InvalidRequestError("query has nothing to search for; describe what you look for in words")
        if len(self.text) > LONGEST_QUERY:
            raise InvalidRequestError(f"query must be at most {LONGEST_QUERY} characters, got {len(self.text)}")
        if not 1 <= self.max_results <= MOST_RESULTS:
            raise InvalidRequestError(f"max_results must be 1 to {MOST_RESULTS}, got {self.max_results}")
        if self.page < 1:
            raise InvalidRequestError(f"page must be 1 or more, got {self.page}")
        if self.from_year is not None and self.to_year is not None and self.from_year > self.to_year:
            raise InvalidRequestError(
                f"from_year {self.from_year} is after to_year {self.to_year}; give the earlier one as from_year"
            )
