"""Compose the program: the one place where classes are chosen and objects that live are made."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from datetime import UTC, datetime

from prioris_mcp.adapters.http.gates import FallbackGates
from prioris_mcp.adapters.localfile.provider import LocalFileProvider
from prioris_mcp.adapters.memory.coordination import MemoryGates
from prioris_mcp.adapters.memory.uploads import MemoryUploads
from prioris_mcp.adapters.parsers.workers.pool import WorkerPool
from prioris_mcp.app.catalogue import DeleteFromLibrary, ListLibrary
from prioris_mcp.app.concurrency import KeyedLock
from prioris_mcp.app.discover import Discover
from prioris_mcp.app.fetch import Fetch
from prioris_mcp.app.indexing.embedding import EmbeddingScheduler
from prioris_mcp.app.indexing.text import Indexer
from prioris_mcp.app.library import Library
from prioris_mcp.app.notes.files import NoteFiles
from prioris_mcp.app.notes.notes import Notes
from prioris_mcp.app.notes.search import NotesAbout, NotesSemanticSearch, SearchNotes
from prioris_mcp.app.parse import Parse, Reparse
from prioris_mcp.app.read import ParseAndRead, ReadMarkdown
from prioris_mcp.app.resolve import Resolve
from prioris_mcp.app.search.documents import FullTextSearch, SearchLibrary, SemanticSearch
from prioris_mcp.app.search.find import Find
from prioris_mcp.app.search.passages import DocumentTexts, NoteTexts
from prioris_mcp.app.services import Services
from prioris_mcp.app.uploads import AddFile, UploadFile
from prioris_mcp.domain.documents import ProviderName
from prioris_mcp.domain.instants import Instant
from prioris_mcp.domain.sources.localfiles import LOCALFILE, UploadLimits
from prioris_mcp.errors import PriorisError
from prioris_mcp.ports.embedding import EmbeddingBackend
from prioris_mcp.ports.sources import FullTextSource
from prioris_mcp.settings import Settings
from prioris_mcp.wiring.embedders import embedder_of
from prioris_mcp.wiring.parsers import Parsers, parsers_over
from prioris_mcp.wiring.sources import Sources, open_gateway
from prioris_mcp.wiring.stores import Stores, open_stores

_log = logging.getLogger(__name__)
_SETTLE_SECONDS = 5.0


@asynccontextmanager
async def open_services(
    settings: Settings, parsers: Parsers | None = None, embedder: EmbeddingBackend | None = None
) -> AsyncGenerator[Services]:
    """Open the use cases over real adapters for the block. Open no file and no connection yet.

    Use *parsers* and *embedder* in place of the real ones.
    """
    async with AsyncExitStack() as lifetimes:
        stores = open_stores(settings, lifetimes.enter_context(ExitStack()))
        gateway = open_gateway(settings)
        lifetimes.push_async_callback(gateway.aclose)
        if parsers is None:
            pool = WorkerPool(settings.parse_max_concurrency, proxies=settings.pdf_ocr_server_url is not None)
            lifetimes.push_async_callback(pool.aclose)
            parsers = parsers_over(settings, pool)
        sources = Sources(settings, gateway, FallbackGates(stores.gates, MemoryGates()), stores.library)
        runs = KeyedLock(stores.leases)
        upkeep = _Upkeep(settings, stores, runs, embedder or embedder_of(settings))
        async with upkeep.in_background():
            yield _use_cases(settings, stores, sources, parsers, runs, upkeep)


class _Upkeep:
    """Run beside the calls: clear remains of killed processes, and let the indexes follow the library."""

    def __init__(self, settings: Settings, stores: Stores, runs: KeyedLock, embedder: EmbeddingBackend) -> None:
        self._durable = stores.durable
        self._house, self.embedder, at_once = stores.house, embedder, settings.embedding_max_concurrency
        self.indexer = Indexer(stores.library, stores.text)
        self.scheduler = EmbeddingScheduler(DocumentTexts(stores.library), stores.vectors, embedder, runs, at_once)
        self.notes = EmbeddingScheduler(
            NoteTexts(stores.notes), stores.note_vectors, embedder, runs, at_once, verb="embed note"
        )

    async def changed(self) -> None:
        """Let the indexes follow a change of the library: what words find at once, what meaning finds soon."""
        await self.indexer.follow()
        self.scheduler.wake()

    @asynccontextmanager
    async def in_background(self) -> AsyncGenerator[None]:
        """Run the background work for as long as the block lasts."""
        works = (self._run(), self.notes.run(), self._settle())
        tasks = [asyncio.create_task(work) for work in works]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    async def _run(self) -> None:
        try:
            if swept := await self._house.sweep():
                _log.info("removed %d files that a stopped process had left behind", swept)
        except PriorisError as exc:
            _log.warning("the library could not be checked: %s", exc)
        await self.indexer.follow()
        await self.scheduler.run()

    async def _settle(self) -> None:
        """Make the files that may not be lost whole by themselves, soon after each write, for whoever copies them."""
        while True:
            await asyncio.sleep(_SETTLE_SECONDS)
            for database in self._durable:
                await database.settle()


def _use_cases(
    settings: Settings, stores: Stores, sources: Sources, parsers: Parsers, runs: KeyedLock, upkeep: _Upkeep
) -> Services:
    store = stores.library
    networked = sources.full_text
    library = Library({**networked, LOCALFILE.name: LocalFileProvider()}, store)
    parse = Parse(library, store, parsers, runs, upkeep.changed)
    words = FullTextSearch(store, stores.text, upkeep.indexer)
    meaning = SemanticSearch(store, stores.vectors, upkeep.embedder, upkeep.scheduler)
    notes_by_meaning = NotesSemanticSearch(stores.notes, stores.note_vectors, upkeep.embedder, upkeep.notes)
    add = AddFile(store, settings.local_file_max_size_bytes, lambda: datetime.now(UTC))
    return Services(
        arxiv=sources.arxiv,
        europepmc=sources.europepmc,
        discover=Discover(sources.openalex, library, settings.response_cache_ttl),
        discovery_results=settings.discovery_max_results,
        openalex=sources.openalex,
        resolve=Resolve(networked, sources.landing_pages),
        fetch=Fetch(networked, store, runs, parse.unreadable, upkeep.changed),
        parse=ParseAndRead(library, parse.once, settings.max_inline_chars),
        reparse=Reparse(library, store, parse),
        read=ReadMarkdown(library, settings.max_inline_chars),
        library=library,
        add=add,
        upload=UploadFile(MemoryUploads(), add, _upload_limits(settings)),
        list=ListLibrary(store),
        delete=DeleteFromLibrary(library, store, upkeep.changed),
        search=SearchLibrary(library, words, meaning, settings.vector_search_default_limit),
        find=Find(library, store, words, meaning, stores.notes, notes_by_meaning, NotesAbout(library)),
        embedding=upkeep.scheduler,
        note_embedding=upkeep.notes,
        notes=_notes(stores, networked, library, notes_by_meaning, upkeep),
        note_files=NoteFiles(stores.notes, _instant),
    )


def _notes(
    stores: Stores,
    networked: Mapping[ProviderName, FullTextSource],
    library: Library,
    meaning: NotesSemanticSearch,
    upkeep: _Upkeep,
) -> Notes:
    search = SearchNotes(stores.notes, meaning)
    about = NotesAbout(library)
    return Notes(stores.notes, search, networked, about, _instant, lambda: secrets.token_hex(8), upkeep.notes.wake)


def _instant() -> Instant:
    return Instant.of(datetime.now(UTC))


def _upload_limits(settings: Settings) -> UploadLimits:
    return UploadLimits(
        chunk=settings.local_file_upload_max_chunk_bytes,
        file=settings.local_file_max_size_bytes,
        sessions=settings.local_file_upload_max_concurrent_sessions,
        seconds=settings.local_file_upload_session_ttl_seconds,
    )
