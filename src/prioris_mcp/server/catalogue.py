"""Every tool of the server, one row each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp_types import ToolAnnotations

from prioris_mcp.domain.documents import ProviderName
from prioris_mcp.domain.sources.table import SOURCES
from prioris_mcp.server.arguments.repair import Beside
from prioris_mcp.server.tools import arxiv, discovery, europepmc, library, localfile, notes


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One tool. The function's docstring is its description; its first parameter, the services, is not shown."""

    function: Callable[..., Any]
    title: str
    group: str
    read_only: bool = False
    """Nothing is stored or changed."""
    open_world: bool = False
    """A source on the network may be asked."""
    destructive: bool = False
    idempotent: bool = True
    cached: bool = False
    """It asks a source and nothing else, so its answers are remembered for a while."""
    fetches: bool = False
    """It brings a document into the library, and its answer leads there."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """Parameters of its neighbours that it must not be asked for, each with the reason."""

    @property
    def name(self) -> str:
        """What clients call it."""
        return self.function.__name__

    @property
    def beside(self) -> Beside:
        """What it is told beside its parameters, and does not ignore: where it is a source's, the source."""
        spec = SOURCES.get(ProviderName(self.group))
        if spec is None:
            return Beside()
        formats = {"format": spec.formats[0].value} if len(spec.formats) == 1 else {}
        return Beside({"provider": spec.name, **formats}, self.refused)

    @property
    def annotations(self) -> ToolAnnotations:
        """The hints of the protocol, as far as they mean anything: what reads only may always be repeated."""
        return ToolAnnotations(
            read_only_hint=self.read_only,
            destructive_hint=self.destructive,
            idempotent_hint=None if self.read_only else self.idempotent,
            open_world_hint=self.open_world,
        )


_ASKS: dict[str, Any] = {"read_only": True, "open_world": True, "cached": True}
_FETCHES: dict[str, Any] = {"open_world": True, "fetches": True}
TOOLS = [
    ToolSpec(arxiv.research_arxiv_search, "Search arXiv", "arxiv", **_ASKS),
    ToolSpec(arxiv.research_arxiv_list_top_n, "List the newest arXiv papers", "arxiv", **_ASKS),
    ToolSpec(arxiv.research_arxiv_fetch_metadata, "Look up arXiv papers", "arxiv", **_ASKS),
    ToolSpec(arxiv.research_arxiv_fetch_full_text, "Fetch an arXiv paper", "arxiv", **_FETCHES),
    ToolSpec(arxiv.research_arxiv_parse_full_text, "Read an arXiv paper", "arxiv"),
    ToolSpec(europepmc.research_europepmc_search, "Search Europe PMC", "europepmc", **_ASKS),
    ToolSpec(europepmc.research_europepmc_fetch_metadata, "Look up articles in Europe PMC", "europepmc", **_ASKS),
    ToolSpec(europepmc.research_europepmc_fetch_full_text, "Fetch an article", "europepmc", **_FETCHES),
    ToolSpec(
        europepmc.research_europepmc_parse_full_text,
        "Read an article",
        "europepmc",
        refused={"page": "articles of Europe PMC have no pages; use offset and limit"},
    ),
    ToolSpec(localfile.research_localfile_fetch_full_text, "Add a PDF to the library", "localfile", fetches=True),
    ToolSpec(localfile.research_localfile_parse_full_text, "Read a local PDF", "localfile"),
    ToolSpec(localfile.research_localfile_begin_upload, "Begin a chunked upload", "localfile", idempotent=False),
    ToolSpec(localfile.research_localfile_upload_chunk, "Send a chunk of an upload", "localfile", idempotent=False),
    ToolSpec(
        localfile.research_localfile_finalize_upload,
        "End a chunked upload",
        "localfile",
        idempotent=False,
        fetches=True,
    ),
    ToolSpec(discovery.research_discovery, "Discover works by meaning", "discovery", read_only=True, open_world=True),
    ToolSpec(library.research_resolve_identifier, "Resolve an identifier", "library", **_ASKS),
    ToolSpec(library.research_list_fetched, "List the library", "library", read_only=True),
    ToolSpec(library.research_delete_fetched, "Delete from the library", "library", destructive=True),
    ToolSpec(library.research_search_fetched, "Search the library", "library", read_only=True),
    ToolSpec(library.research_find, "Find passages in the library", "library", read_only=True),
    ToolSpec(library.research_related, "Find related passages", "library", read_only=True),
    ToolSpec(notes.research_notes_create, "Write a note", "notes", open_world=True, idempotent=False),
    ToolSpec(notes.research_notes_read, "Read a note", "notes", read_only=True),
    ToolSpec(notes.research_notes_update, "Change a note", "notes", destructive=True),
    ToolSpec(notes.research_notes_delete, "Delete a note", "notes", destructive=True),
    ToolSpec(notes.research_notes_search, "Search notes", "notes", read_only=True),
]
"""In the order in which clients list them."""
