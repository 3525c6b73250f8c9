"""Hold works that were discovered, and the ladder by which their full text is reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prioris_mcp.domain.documents import ProviderName
from prioris_mcp.domain.sources.doi import Doi
from prioris_mcp.domain.sources.identifiers import recognise
from prioris_mcp.domain.sources.providers import own_name, serving
from prioris_mcp.domain.sources.spec import Identifier
from prioris_mcp.errors import InvalidRequestError, PriorisError

MOST_RESULTS = 50
LONGEST_QUERY = 2000
_BEST_FIRST = ("publishedVersion", "acceptedVersion", "submittedVersion")


@dataclass(frozen=True, slots=True)
class WorkLocation:
    """Name one place where a work can be seen."""

    landing_page: str | None
    pdf_url: str | None
    version: str | None


@dataclass(frozen=True, slots=True)
class Work:
    """Hold one work, as its index knows it."""

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
    """Tell whether the index names only the first of its authors."""

    def identifiers(self) -> tuple[Identifier, ...]:
        """Return every identifier of this work that a source of ours serves, the surest first."""
        own = [self.doi, self.pmcid and f"PMCID:{self.pmcid}"]
        pages = [address for place in self.locations for address in (place.landing_page, place.pdf_url)]
        found = [_served(text) for text in (*own, *pages) if text]
        return tuple(dict.fromkeys(identifier for identifier in found if identifier))


@dataclass(frozen=True, slots=True)
class Route:
    """Tell how to get at a work's full text."""

    kind: Literal["known_provider", "oa_link", "manual_upload"]
    provider: ProviderName | None = None
    identifier: str | None = None
    pdf_url: str | None = None


def route(work: Work) -> Route:
    """Return the first rung that holds: a source of ours, an open-access PDF, or the user's own copy."""
    for identifier in work.identifiers():
        return Route("known_provider", serving(identifier).name, identifier.written)
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


def _served(text: str) -> Identifier | None:
    """Return the identifier in *text*, where it is one by which full text can be had."""
    try:
        found = recognise(text)
    except PriorisError:
        return None
    meant = own_name(found) if isinstance(found, Doi) else found
    return meant if meant and meant.leads_to_text else None


@dataclass(frozen=True, slots=True)
class DiscoveryQuery:
    """Tell what to discover. Raise InvalidRequestError for what the index cannot be asked."""

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
