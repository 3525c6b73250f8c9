"""Searching, listing and deleting, over the library and the index in memory."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from prioris_mcp.adapters.localfile.provider import LocalFileProvider
from prioris_mcp.adapters.memory.coordination import MemoryLeases
from prioris_mcp.adapters.memory.library import MemoryStorageBackend
from prioris_mcp.adapters.memory.text_index import MemorySearchIndex
from prioris_mcp.adapters.memory.vectors import HashEmbedder, MemoryVectorIndex
from prioris_mcp.app.embedding import EmbeddingScheduler, passages
from prioris_mcp.app.fetching import OneAtATime
from prioris_mcp.app.finding import Find
from prioris_mcp.app.indexing import Indexer, sections
from prioris_mcp.app.library import DeleteFromLibrary, Deletion, ListLibrary
from prioris_mcp.app.reading import Library
from prioris_mcp.app.searching import ByMeaning, ByWords, SearchLibrary
from prioris_mcp.domain import chunks
from prioris_mcp.domain.documents import Artefact, DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.domain.search import Page, Scope
from prioris_mcp.errors import IndexLostError, InvalidRequestError, StorageError

pytestmark = pytest.mark.anyio
LOCAL, PDF = ProviderName.LOCALFILE, SourceFormat.PDF
NAME = "20260101-0000-abcd"
KEY = DocumentKey(LOCAL, NAME, PDF)
TEXT = Markdown.of_pages(["lead alpha\n\n# One\n\nalpha\n\n", "## Two\n\nbeta\n\n"])


class Moody(MemorySearchIndex):
    """An index that fails as often as it is told to."""

    failures: list[Exception]

    async def search(self, query, scope, page):
        if self.failures:
            await self.reset("")
            raise self.failures.pop()
        return await super().search(query, scope, page)

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
        vectors, embedder, runs = MemoryVectorIndex(), HashEmbedder(), OneAtATime(MemoryLeases())
        self.scheduler = EmbeddingScheduler(self.store, vectors, embedder, runs, 2)
        self.words = ByWords(self.store, self.index, self.indexer)
        meaning = ByMeaning(self.store, vectors, embedder, self.scheduler)
        self.search = SearchLibrary(library, self.words, meaning, 10)
        self.find = Find(library, self.store, self.words, meaning)
        self.delete = DeleteFromLibrary(library, self.store, self.indexer.follow)
        self.list = ListLibrary(self.store)

    async def put(self, key=KEY, text=TEXT):
        await self.store.write_document(key, b"%PDF", original_identifier="x")
        await self.store.write_markdown(key, text, chunks.split(key, text.text), "test")


@pytest.fixture
async def world():
    world = World()
    await world.put()
    return world


def test_no_text_is_unfindable():
    """What stands before the first heading is a row of its own; without headings the pages are."""
    found = list(sections(TEXT, chunks.split(KEY, TEXT.text)))
    assert [(part.heading, TEXT.text[part.span.start : part.span.end]) for part in found] == [
        ("", "lead alpha\n\n"),
        ("One", "# One\n\nalpha\n\n## Two\n\nbeta\n\n"),
        ("Two", "## Two\n\nbeta\n\n"),
    ]
    plain = Markdown.of_pages(["first\n", "\n", "third\n"])
    assert [part.text for part in sections(plain, ())] == ["first", "third"]


async def test_a_search_sees_what_was_stored_just_before(world):
    """The index catches up by itself, and hits carry a snippet."""
    found = await world.search("beta", Scope(), "fts", 0, None)
    assert [shown.hit.span.start for shown in found.fts.hits] == [12, 26]
    assert all("beta" in shown.snippet for shown in found.fts.hits)
    assert (found.fts.total, found.fts.page, found.status) == (2, Page(0, 10), {})


async def test_the_status_is_told_for_one_document(world):
    """When source, identifier and format are given; a document that is not there is not built."""
    assert (await world.search("beta", Scope(LOCAL, NAME, PDF), "fts", 0, 5)).status == {"fts": "ready"}
    assert (await world.search("beta", Scope(LOCAL, NAME), "fts", 0, 5)).status == {}
    missing = await world.search("beta", Scope(LOCAL, "20260101-0000-zzzz", PDF), "fts", 0, 5)
    assert (missing.status, missing.fts.total) == ({"fts": "not_built"}, 0)
    unknown = await world.search("beta", Scope(ProviderName.EUROPEPMC, "MED:1", SourceFormat.XML), "fts", 0, 5)
    assert (unknown.status, unknown.fts.total) == ({"fts": "not_built"}, 0)


@pytest.mark.parametrize(
    ("scope", "mode", "offset", "limit", "words"),
    [
        (Scope(identifier=NAME), "fts", 0, 5, "identifier needs provider"),
        (Scope(LOCAL, "nonsense"), "fts", 0, 5, "not an identifier of a local file"),
        (Scope(), "magic", 0, 5, "there is fts, vector, hybrid"),
        (Scope(), "fts", -1, 5, "offset must be 0 or more"),
        (Scope(), "fts", 0, 0, "limit must be 1 or more"),
    ],
)
async def test_wrong_arguments_are_refused(world, scope, mode, offset, limit, words):
    """In one sentence each."""
    with pytest.raises(InvalidRequestError, match=words):
        await world.search("beta", scope, mode, offset, limit)


async def test_pages_are_bounded(world):
    """However many are asked for, and however far away."""
    found = await world.search("alpha", Scope(), "fts", 10**30, 10**30)
    assert found.fts.page.limit == 200
    assert found.fts.hits == ()


async def test_a_lost_index_is_not_noticed(world):
    """The search is repeated over the rebuilt index."""
    world.index.failures = [IndexLostError("x"), IndexLostError("x")]
    assert (await world.search("beta", Scope(), "fts", 0, 5)).fts.total == 2


async def test_an_index_that_stays_lost_is_an_error(world):
    """Not an empty result."""
    world.index.failures = [IndexLostError("x")] * 3
    with pytest.raises(IndexLostError):
        await world.search("beta", Scope(), "fts", 0, 5)


async def test_following_survives_a_broken_index(world, caplog):
    """A document is stored all the same; the failure is logged."""
    world.index.failures = [OSError()]
    await world.indexer.follow()
    assert "behind the library" in caplog.text


async def test_deletes_are_told_apart(world):
    """A double is deleted once and then not found; nonsense is not found; the index forgets at once."""
    wanted = [
        Deletion(LOCAL, NAME.upper(), PDF, "markdown"),
        Deletion(LOCAL, NAME, PDF, "markdown"),
        Deletion(LOCAL, "nonsense", PDF, "all"),
        Deletion(LOCAL, NAME, SourceFormat.HTML, "all"),
        Deletion(ProviderName.EUROPEPMC, "MED:1", SourceFormat.XML, "all"),
    ]
    result = await world.delete(wanted)
    assert (list(result.deleted), list(result.not_found)) == (wanted[:1], wanted[1:])
    assert not await world.index.holds(KEY)
    assert await world.store.read_document(KEY) == b"%PDF"
    assert (await world.delete([Deletion(LOCAL, NAME, PDF, "all")])).not_found == ()
    assert await world.store.exists(KEY, Artefact.DOCUMENT) is None


async def test_a_hit_whose_document_went_away_is_left_out(world):
    """Also when the index has not heard of it."""
    await world.indexer.follow()
    hits = await world.index.search("beta", Scope(), Page(0, 5))
    await world.store.delete(KEY, tuple(Artefact))
    assert await world.words.shown(hits) == ()


async def test_lists_are_bounded(world):
    """A page of the catalogue holds at most a thousand entries."""
    listed = await world.list(None, None, Page(0, 10**9))
    assert (listed.page.limit, listed.entries.total) == (1000, 2)


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


def test_a_passage_is_a_sections_own_text():
    """What stands under a deeper heading belongs to that; headings alone are no passage."""
    found = list(passages(TEXT, chunks.split(KEY, TEXT.text)))
    assert [(part.path, part.text.strip()) for part in found] == [
        ((), "lead alpha"),
        (("One",), "alpha"),
        (("One", "Two"), "beta"),
    ]
    plain = Markdown.of_pages(["first", "second"])
    assert [part.chunk_id for part in passages(plain, ())] == ["leaf-1", "leaf-2"]


def test_windows_are_short_and_lose_nothing():
    """Each is what a model can read, under the section's headings."""
    (passage, *_) = passages(Markdown.whole("Word and word. " * 400), ())
    windows = passage.windows()
    assert max(map(len, windows)) <= 900
    assert " ".join(windows).split() == passage.text.split()


async def test_documents_are_embedded_in_the_background(world):
    """And can then be found by meaning; the counts add up."""
    assert await world.scheduler.status(KEY) == "not_built"
    async with embedding(world) as counts:
        assert (counts.total, counts.succeeded) == (1, 1)
        found = await world.search("beta", Scope(), "vector", 0, 5)
        assert found.fts is None
        assert found.vector.total == 3
        assert TEXT.text[found.vector.hits[0].hit.span.start :].startswith("## Two")
        assert (await world.search("beta", Scope(LOCAL, NAME, PDF), "hybrid", 0, 5)).status == {
            "fts": "ready",
            "vector": "ready",
        }


async def test_a_deleted_document_is_near_to_nothing(world):
    """At once, also while it waits to be embedded."""
    async with embedding(world):
        await world.delete([Deletion(LOCAL, NAME, PDF, "all")])
        assert (await world.search("beta", Scope(), "vector", 0, 5)).vector.total == 0
    await world.put()
    await world.scheduler.notice()
    assert await world.scheduler.status(KEY) == "building"
    await world.delete([Deletion(LOCAL, NAME, PDF, "all")])
    await world.scheduler.notice()
    counts = world.scheduler.rebuild
    assert (counts.total, counts.pending, counts.cancelled) == (2, 0, 1)


async def test_failures_are_counted_and_tried_again(world, caplog):
    """Logged once; the counts add up at every moment."""
    good = world.scheduler._embedder.embed
    world.scheduler._clock = iter(range(0, 10**6, 40)).__next__

    async def fail(texts):
        raise RuntimeError("no")

    world.scheduler._embedder.embed = fail
    task = asyncio.create_task(world.scheduler.run())
    while not world.scheduler.rebuild.failed:
        await asyncio.sleep(0.01)
    world.scheduler._embedder.embed = good
    world.scheduler.wake()
    while not world.scheduler.rebuild.succeeded:
        counts = world.scheduler.rebuild
        assert counts.total == counts.pending + counts.succeeded + counts.failed + counts.cancelled
        world.scheduler.wake()
        await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.wait([task])
    assert caplog.text.count("could not be embedded") == 1


async def test_one_list_of_citable_passages(world):
    """Fused, nested sections once, with title, section, pages and ranks."""
    async with embedding(world):
        found = await world.find("beta", Scope(), Page(0, 5), 1000)
    first = found.hits[0]
    assert (first.title, first.path, first.pages) == ("One", ("One", "Two"), (2, 2))
    assert (first.candidate.fts_rank is not None, first.candidate.vector_rank) == (True, 1)
    assert len([hit for hit in found.hits if "beta" in hit.snippet]) == 1
    assert found.without_meaning is None


async def test_without_vectors_words_alone_are_used_and_it_is_said(world):
    """Before anything is embedded."""
    found = await world.find("beta", Scope(), Page(0, 5), 1000)
    assert found.without_meaning == "no vectors are built yet"
    assert found.hits


async def test_related_passages_are_of_other_documents(world):
    """Nearest to the passage at an offset."""
    other = DocumentKey(LOCAL, "20260101-0000-zzzz", PDF)
    await world.put(other, Markdown.whole("# Else\n\nbeta too\n"))
    async with embedding(world):
        while world.scheduler.rebuild.succeeded < 2:
            await asyncio.sleep(0.01)
        found = await world.find.related(KEY, TEXT.text.index("beta"), Page(0, 5), 1000)
    assert {hit.candidate.place.key for hit in found.hits} == {other}
