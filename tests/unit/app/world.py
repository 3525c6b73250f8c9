"""A library with its indexes in memory."""

from __future__ import annotations

import asyncio
import contextlib

from prioris_mcp.adapters.localfile.provider import LocalFileProvider
from prioris_mcp.adapters.memory.coordination import MemoryLeases
from prioris_mcp.adapters.memory.library import MemoryStorageBackend
from prioris_mcp.adapters.memory.notes import MemoryNotesBackend
from prioris_mcp.adapters.memory.text_index import MemorySearchIndex
from prioris_mcp.adapters.memory.vectors import HashEmbedder, MemoryVectorIndex
from prioris_mcp.app.catalogue import DeleteFromLibrary, ListLibrary
from prioris_mcp.app.concurrency import KeyedLock
from prioris_mcp.app.indexing.embedding import EmbeddingScheduler
from prioris_mcp.app.indexing.text import Indexer
from prioris_mcp.app.library import Library
from prioris_mcp.app.notes.search import NotesAbout, NotesSemanticSearch, SearchNotes
from prioris_mcp.app.search.documents import FullTextSearch, SearchLibrary, SemanticSearch
from prioris_mcp.app.search.find import Find
from prioris_mcp.app.search.passages import DocumentTexts, NoteTexts
from prioris_mcp.domain import chunks
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.errors import StorageError

LOCAL, PDF = ProviderName("localfile"), SourceFormat.PDF
NAME = "20260101-0000-abcd"
KEY = DocumentKey(LOCAL, NAME, PDF)
TEXT = Markdown.of_pages(["lead alpha\n\n# One\n\nalpha\n\n", "## Two\n\nbeta\n\n"])


class Moody(MemorySearchIndex):
    """An index that fails as often as it is told to."""

    failures: list[Exception]

    async def search(self, query, scope, page, *, loosely=False):
        if self.failures:
            await self.reset("")
            raise self.failures.pop()
        return await super().search(query, scope, page, loosely=loosely)

    async def position(self):
        if self.failures and isinstance(self.failures[-1], OSError):
            raise StorageError("no disk")
        return await super().position()


class World:
    def __init__(self) -> None:
        self.store, self.index = MemoryStorageBackend(lambda: "now"), Moody()
        self.index.failures = []
        self.indexer = Indexer(self.store, self.index)
        library = Library({LOCAL: LocalFileProvider()}, self.store)
        vectors, embedder, runs = MemoryVectorIndex(), HashEmbedder(), KeyedLock(MemoryLeases())
        self.scheduler = EmbeddingScheduler(DocumentTexts(self.store), vectors, embedder, runs, 2)
        self.words = FullTextSearch(self.store, self.index, self.indexer)
        meaning = SemanticSearch(self.store, vectors, embedder, self.scheduler)
        self.search = SearchLibrary(library, self.words, meaning, 10)
        self.notes, note_vectors = MemoryNotesBackend(), MemoryVectorIndex()
        self.note_scheduler = EmbeddingScheduler(NoteTexts(self.notes), note_vectors, embedder, runs, 2)
        by_meaning = NotesSemanticSearch(self.notes, note_vectors, embedder, self.note_scheduler)
        self.search_notes = SearchNotes(self.notes, by_meaning)
        self.find = Find(library, self.store, self.words, meaning, self.notes, by_meaning, NotesAbout(library))
        self.delete = DeleteFromLibrary(library, self.store, self.indexer.follow)
        self.list = ListLibrary(self.store)

    async def put(self, key=KEY, text=TEXT):
        await self.store.write_document(key, b"%PDF", original_identifier="x")
        await self.store.write_markdown(key, text, chunks.split(key, text.text), "test")


@contextlib.asynccontextmanager
async def embedding(world):
    """The background work, until it has nothing to do."""
    task = asyncio.create_task(world.scheduler.run())
    try:
        while not world.scheduler.rebuild.total or world.scheduler.rebuild.pending:
            await asyncio.sleep(0.01)
        yield world.scheduler.rebuild
    finally:
        task.cancel()
        await asyncio.wait([task])
