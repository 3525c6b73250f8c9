"""What the application asks of a source of publications."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from prioris_mcp.domain.discovery import DiscoveryQuery, Work
from prioris_mcp.domain.documents import DocumentKey, Download, Resolution, SourceFormat
from prioris_mcp.domain.page import Page
from prioris_mcp.domain.sources.identifiers import Doi
from prioris_mcp.models.arxiv import ArxivCategories, ArxivMetadataResult, ArxivSearchResult
from prioris_mcp.models.discovery import WorkTypes
from prioris_mcp.models.europepmc import EuropePmcMetadataResult, EuropePmcSearchResult
from prioris_mcp.ports.parsing import Progress

SortBy = Literal["relevance", "lastUpdatedDate", "submittedDate"]
SortOrder = Literal["ascending", "descending"]


class LibrarySource(Protocol):
    """A source of documents, as far as the library is concerned."""

    @property
    def formats(self) -> tuple[SourceFormat, ...]:
        """The formats in which its documents come."""
        ...

    async def recall(self, identifier: str, format: SourceFormat) -> DocumentKey | None:
        """The key under which the library holds what *identifier* means. Never asks the network.

        None where the library holds no version of it; InvalidRequestError for what is no identifier of this
        source.
        """
        ...

    def files_at(self, key: DocumentKey) -> str:
        """The address below which the source shows the files that a document names; empty where there are none."""
        ...


class FullTextSource(LibrarySource, Protocol):
    """A source that offers full text on the network. It never writes to the library.

    What asks the network raises RateLimitedError or ProviderUnavailableError where the source does not
    answer usefully; a failure is never an empty result.
    """

    async def pin(self, identifier: str, format: SourceFormat) -> DocumentKey:
        """The key that *identifier* means now. Asks the source only where the identifier leaves that open.

        InvalidRequestError for what is no identifier of this source, NotFoundError where it names nothing.
        """
        ...

    async def resolve(self, identifier: str, format: SourceFormat) -> Resolution:
        """What *identifier* means now, and where its full text is. Raises as `pin` does."""
        ...

    def is_paper(self, content: bytes, format: SourceFormat) -> bool:
        """Whether *content* has what a paper of this source has in *format*, so that `download` would take it."""
        ...

    async def download(self, key: DocumentKey, progress: Progress | None = None) -> Download:
        """The document's bytes, checked to be of the key's format. *progress* is told bytes, where it is long.

        NotFoundError where the source does not know it, FormatUnavailableError where it exists but not in
        this format.
        """
        ...


class ArxivCatalogue(Protocol):
    """What arXiv knows about papers, without their full text. Every call asks arXiv.

    InvalidRequestError for what arXiv cannot take, before anything is sent where that can be known.
    """

    async def search(
        self, query: str, *, start: int, max_results: int, sort_by: SortBy, sort_order: SortOrder
    ) -> ArxivSearchResult:
        """One page of the papers that match *query* in arXiv's own syntax."""
        ...

    async def list_top_n(self, include: Sequence[str], exclude: Sequence[str], n: int) -> ArxivSearchResult:
        """The *n* papers submitted last that are in every class of *include* and in none of *exclude*."""
        ...

    async def fetch_metadata(self, identifiers: Sequence[str]) -> ArxivMetadataResult:
        """The records of *identifiers* in their order; what is malformed or unknown is ``not_found``."""
        ...

    async def categories(self) -> ArxivCategories:
        """All subject classes, by code."""
        ...


class EuropePmcCatalogue(Protocol):
    """What Europe PMC knows about articles, without their full text. Every call asks Europe PMC.

    InvalidRequestError for what it cannot take, before anything is sent where that can be known.
    """

    async def search(self, query: str, *, page_size: int, cursor_mark: str) -> EuropePmcSearchResult:
        """One page of the records that match *query* in Europe PMC's own syntax."""
        ...

    async def fetch_metadata(self, identifiers: Sequence[str]) -> EuropePmcMetadataResult:
        """The records of *identifiers* in their order; what is malformed or unknown is ``not_found``."""
        ...


class DiscoveryIndex(Protocol):
    """Knows works of every publisher. Raises ConfigurationError where no key is configured."""

    async def find(self, query: DiscoveryQuery) -> Page[Work]:
        """One page of the works that are nearest to the query in meaning."""
        ...

    async def work_types(self) -> WorkTypes:
        """The kinds of work that it tells apart."""
        ...


class LandingPages(Protocol):
    """Says where DOIs lead."""

    async def landing(self, doi: Doi) -> str:
        """The address that *doi* leads to, which is not requested.

        NotFoundError for a DOI that is not registered, ProviderUnavailableError where nobody says.
        """
        ...
