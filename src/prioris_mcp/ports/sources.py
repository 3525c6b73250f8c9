"""Ask a source of publications."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from prioris_mcp.domain.discovery import DiscoveryQuery, Work
from prioris_mcp.domain.documents import DocumentKey, Download, Resolution, SourceFormat
from prioris_mcp.domain.page import Page
from prioris_mcp.domain.sources.doi import Doi
from prioris_mcp.models.arxiv import ArxivCategories, ArxivMetadataResult, ArxivSearchResult
from prioris_mcp.models.discovery import WorkTypes
from prioris_mcp.models.europepmc import EuropePmcMetadataResult, EuropePmcSearchResult
from prioris_mcp.ports.parsing import Progress

SortBy = Literal["relevance", "lastUpdatedDate", "submittedDate"]
SortOrder = Literal["ascending", "descending"]


class LibrarySource(Protocol):
    """Tell what identifiers of a source mean to the library.

    Example::

        key = await source.recall("arXiv:2106.09685", SourceFormat.PDF)  # None where the library holds no version
    """

    async def recall(self, identifier: str, format: SourceFormat) -> DocumentKey | None:
        """Return the key under which the library holds what *identifier* means. Never ask the network.

        Return None where the library holds no version of it. Raise InvalidRequestError where *identifier* is none of
        this source's.
        """
        ...

    def files_at(self, key: DocumentKey) -> str:
        """Return the address below which the source serves the files that a document names; empty where none."""
        ...


class FullTextSource(LibrarySource, Protocol):
    """Offer full text on the network. Never write to the library.

    Raise RateLimitedError or ProviderUnavailableError from every method that asks the network, where the source gives
    no useful answer; a failure is never an empty result.

    Example::

        key = await source.pin("2106.09685", SourceFormat.PDF)  # with the version that is newest now
        found = await source.download(key)
    """

    async def pin(self, identifier: str, format: SourceFormat) -> DocumentKey:
        """Return the key that *identifier* means now. Ask the source only where the identifier leaves that open.

        Raise InvalidRequestError where *identifier* is none of this source's, NotFoundError where it names nothing.
        """
        ...

    async def resolve(self, identifier: str, format: SourceFormat) -> Resolution:
        """Return what *identifier* means now, and where its full text is. Raise as `pin` does."""
        ...

    def is_paper(self, content: bytes, format: SourceFormat) -> bool:
        """Return whether *content* has what a paper in *format* must have for `download` to accept it."""
        ...

    async def download(self, key: DocumentKey, progress: Progress | None = None) -> Download:
        """Return the document's bytes, checked to be of the key's format.

        Report bytes to *progress* during a long download. Raise NotFoundError where the source does not know the
        document, FormatUnavailableError where it has the document but not in this format.
        """
        ...


class ArxivCatalogue(Protocol):
    """Look up papers in arXiv, without their full text. Every call asks arXiv.

    Raise InvalidRequestError where arXiv cannot take the request, before it is sent where that can be known.

    Example::

        found = await arxiv.fetch_metadata(["2106.09685", "no-such-id"])
        assert found.not_found == ["no-such-id"]
    """

    async def search(
        self, query: str, *, start: int, max_results: int, sort_by: SortBy, sort_order: SortOrder
    ) -> ArxivSearchResult:
        """Return one page of the papers that match *query* in arXiv's own syntax."""
        ...

    async def list_top_n(self, include: Sequence[str], exclude: Sequence[str], n: int) -> ArxivSearchResult:
        """Return the *n* papers submitted last that are in every class of *include* and in none of *exclude*."""
        ...

    async def fetch_metadata(self, identifiers: Sequence[str]) -> ArxivMetadataResult:
        """Return the records of *identifiers* in their order; list as ``not_found`` what is malformed or unknown."""
        ...

    async def categories(self) -> ArxivCategories:
        """Return all subject classes, by code."""
        ...


class EuropePmcCatalogue(Protocol):
    """Look up articles in Europe PMC, without their full text. Every call asks Europe PMC.

    Raise InvalidRequestError where it cannot take the request, before it is sent where that can be known.

    Example::

        first = await europepmc.search("DOI:10.1038/nature12373", page_size=25, cursor_mark="*")
    """

    async def search(self, query: str, *, page_size: int, cursor_mark: str) -> EuropePmcSearchResult:
        """Return one page of the records that match *query* in Europe PMC's own syntax."""
        ...

    async def fetch_metadata(self, identifiers: Sequence[str]) -> EuropePmcMetadataResult:
        """Return the records of *identifiers* in their order; list as ``not_found`` what is malformed or unknown."""
        ...


class DiscoveryIndex(Protocol):
    """Find works of every publisher. Raise ConfigurationError where no key is configured.

    Example::

        page = await index.find(query)  # works nearest in meaning first
    """

    async def find(self, query: DiscoveryQuery) -> Page[Work]:
        """Return one page of the works that are nearest to *query* in meaning."""
        ...

    async def work_types(self) -> WorkTypes:
        """Return the kinds of work that the index tells apart."""
        ...


class LandingPages(Protocol):
    """Tell where DOIs lead.

    Example::

        await pages.landing(Doi("10.48550/arxiv.2106.09685"))  # "https://arxiv.org/abs/2106.09685"
    """

    async def landing(self, doi: Doi) -> str:
        """Return the address that *doi* leads to, without requesting it.

        Raise NotFoundError where the DOI is not registered, ProviderUnavailableError where the resolver does not say.
        """
        ...
