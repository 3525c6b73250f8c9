"""Hold everything that a user interface can ask for, for the server and for the command line."""

from __future__ import annotations

from dataclasses import dataclass

from prioris_mcp.app.catalogue import DeleteFromLibrary, ListLibrary
from prioris_mcp.app.discover import Discover
from prioris_mcp.app.fetch import Fetch
from prioris_mcp.app.indexing.embedding import EmbeddingScheduler
from prioris_mcp.app.library import Library
from prioris_mcp.app.notes.files import NoteFiles
from prioris_mcp.app.notes.notes import Notes
from prioris_mcp.app.parse import Reparse
from prioris_mcp.app.read import ParseAndRead, ReadMarkdown
from prioris_mcp.app.resolve import Resolve
from prioris_mcp.app.search.documents import SearchLibrary
from prioris_mcp.app.search.find import Find
from prioris_mcp.app.uploads import AddFile, UploadFile
from prioris_mcp.domain.documents import DocumentKey
from prioris_mcp.ports.sources import ArxivCatalogue, DiscoveryIndex, EuropePmcCatalogue


@dataclass(frozen=True, slots=True)
class Services:
    """Hold the use cases, and the ports that need none in front of them."""

    arxiv: ArxivCatalogue
    europepmc: EuropePmcCatalogue
    openalex: DiscoveryIndex
    discover: Discover
    discovery_results: int
    """Number of hits of one discovery where the caller names none."""
    resolve: Resolve
    fetch: Fetch
    parse: ParseAndRead
    reparse: Reparse
    read: ReadMarkdown
    library: Library
    add: AddFile
    upload: UploadFile
    list: ListLibrary
    delete: DeleteFromLibrary
    search: SearchLibrary
    find: Find
    embedding: EmbeddingScheduler[DocumentKey]
    note_embedding: EmbeddingScheduler[str]
    notes: Notes
    note_files: NoteFiles
