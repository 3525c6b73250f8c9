"""Vectors are made in the background, and found by meaning."""

from __future__ import annotations

import asyncio

import apsw
import pytest

from prioris_mcp.adapters.sqlite.vectors.index import DOCUMENTS, SqliteVectorIndex
from prioris_mcp.app.catalogue import Deletion
from prioris_mcp.app.indexing.embedding import EmbeddingScheduler
from prioris_mcp.app.search.passages import DocumentTexts, passages
from prioris_mcp.domain import chunks
from prioris_mcp.domain.documents import Artefact, DocumentKey
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.domain.notes.note import NoteChange, NoteFilter
from prioris_mcp.domain.page import PageRequest
from prioris_mcp.domain.search import Scope
from prioris_mcp.errors import ConfigurationError, InvalidRequestError
from tests.notes import later, note
from tests.unit.app.world import KEY, LOCAL, NAME, PDF, TEXT, World, embedding

pytestmark = pytest.mark.anyio


@pytest.fixture
async def world():
    world = World()
    await world.put()
    return world


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
    assert await world.scheduler.status([KEY]) == "not_built"
    async with embedding(world) as counts:
        assert (counts.total, counts.succeeded) == (1, 1)
        found = await world.search("beta", Scope(), "vector", 0, 5)
        assert found.fts is None
        assert found.vector.total == 3
        assert TEXT.text[found.vector.items[0].hit.span.start :].startswith("## Two")
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
    assert await world.scheduler.status([KEY]) == "building"
    await world.delete([Deletion(LOCAL, NAME, PDF, "all")])
    await world.scheduler.notice()
    counts = world.scheduler.rebuild
    assert (counts.total, counts.pending, counts.cancelled) == (2, 0, 1)


async def test_failures_are_counted_and_tried_again(world, caplog):
    """Logged once; the counts add up at every moment."""
    good = world.scheduler._embedder.embed
    world.scheduler._clock = iter(range(0, 10**6, 40)).__next__

    async def fail(texts, **how):
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
        found = await world.find("beta", Scope(), PageRequest(0, 5), 1000)
    first = found.hits.items[0]
    assert (first.title, first.path, first.pages) == ("One", ("One", "Two"), (2, 2))
    assert (first.candidate.fts_rank is not None, first.candidate.vector_rank) == (True, 1)
    assert len([hit for hit in found.hits.items if "beta" in hit.snippet]) == 1
    assert found.without_meaning is None


async def test_without_vectors_words_alone_are_used_and_it_is_said(world):
    """Before anything is embedded."""
    found = await world.find("beta", Scope(), PageRequest(0, 5), 1000)
    assert found.without_meaning == "no vectors are built yet"
    assert found.hits.items


async def test_related_passages_are_of_other_documents(world):
    """Nearest to the passage at an offset."""
    other = DocumentKey(LOCAL, "20260101-0000-zzzz", PDF)
    await world.put(other, Markdown.whole("# Else\n\nbeta too\n"))
    async with embedding(world):
        while world.scheduler.rebuild.succeeded < 2:
            await asyncio.sleep(0.01)
        found = await world.find.related(KEY, TEXT.text.index("beta"), PageRequest(0, 5), 1000)
    assert {hit.candidate.what.key for hit in found.hits.items} == {other}


async def noted(world, *texts):
    """Notes with these texts, embedded."""
    for number, text in enumerate(texts, 1):
        await world.notes.create(note(number, text, tags=("t",) if number % 2 else ()))
    task = asyncio.create_task(world.note_scheduler.run())
    while world.note_scheduler.rebuild.succeeded < len(texts):
        await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.wait([task])


async def near(world, keyword, wanted=NoteFilter(), mode="vector"):  # noqa: B008 - frozen
    found = await world.search_notes(wanted, keyword, mode, PageRequest(0, 10))
    return [int(each.note.id, 16) for each in found.vector.items], found.vector.total, found.status


async def test_notes_are_found_by_meaning(world):
    """The nearest first, only those that the filter names, with the exact total."""
    await noted(world, "ant bee", "ant", "cat dog")
    assert await near(world, "ant") == ([2, 1, 3], 3, "ready")
    assert await near(world, "ant", NoteFilter(tags_all=("t",))) == ([1, 3], 2, "ready")
    assert await near(world, "ant", NoteFilter(tags_all=("none",))) == ([], 0, "not_built")


async def test_the_state_of_the_notes_is_that_of_the_worst(world):
    """Of all that the filter names, also of those that cannot be found yet."""
    await noted(world, "ant")
    await world.notes.update(note(1).id, NoteChange(tags=("u",)), later(9))
    assert (await near(world, "ant"))[2] == "ready"
    await world.notes.create(note(2, "bee", tags=("new",)))
    assert await near(world, "ant") == ([1], 1, "building")
    assert (await near(world, "ant", NoteFilter(tags_all=("u",))))[2] == "ready"
    assert (await near(world, "ant", NoteFilter(tags_all=("new",))))[2] == "building"


async def test_a_deleted_note_is_near_to_nothing(world):
    """At once."""
    await noted(world, "ant", "bee")
    await world.notes.delete(note(1).id)
    assert await near(world, "ant") == ([2], 1, "ready")


async def test_lists_of_notes_are_those_that_were_asked(world):
    """None for a mechanism that was not; no keyword has no meaning; an unknown mechanism is refused."""
    await noted(world, "ant")
    page = PageRequest(0, 5)
    both = await world.search_notes(NoteFilter(), "ant", "hybrid", page)
    assert (both.fts.total, both.vector.total, both.status) == (1, 1, "ready")
    words = await world.search_notes(NoteFilter(), "ant", "fts", page)
    assert (words.fts.total, words.vector, words.status) == (1, None, None)
    listed = await world.search_notes(NoteFilter(), None, "hybrid", page)
    assert (listed.fts.total, listed.vector, listed.status) == (1, None, None)
    nothing = await world.search_notes(NoteFilter(), None, "vector", page)
    assert (nothing.fts, nothing.vector, nothing.status) == (None, None, None)
    with pytest.raises(InvalidRequestError, match="there is fts, vector, hybrid"):
        await world.search_notes(NoteFilter(), "ant", "magic", page)


async def test_without_a_model_words_still_find_notes(world):
    """Asked for both, there is no list of meaning, and it is said why; asked for meaning alone, that is the answer."""
    await world.notes.create(note(1, "ant"))

    async def refuse(texts, **how):
        raise ConfigurationError("no model")

    world.note_scheduler._embedder.embed = refuse
    both = await world.search_notes(NoteFilter(), "ant", "hybrid", PageRequest(0, 5))
    assert (both.fts.total, both.vector, both.status, both.unavailable) == (1, None, None, "no model")
    with pytest.raises(ConfigurationError):
        await world.search_notes(NoteFilter(), "ant", "vector", PageRequest(0, 5))


async def test_notes_stand_in_the_one_list_where_they_are_asked_for(world):
    """Ranked among the passages, and cited by their id."""
    await noted(world, "beta gamma", "zeta")
    async with embedding(world):
        without = await world.find("beta", Scope(), PageRequest(0, 9), 1000)
        found = await world.find("beta", Scope(), PageRequest(0, 9), 1000, notes=True)
        scoped = await world.find("beta", Scope(LOCAL), PageRequest(0, 9), 1000, notes=True)
    notes = [
        hit for hit in found.hits.items if hit.candidate.what in (note(1, "beta gamma", tags=("t",)), note(2, "zeta"))
    ]
    assert (notes[0].snippet, notes[0].candidate.fts_rank) == ("beta gamma", 1)
    assert found.hits.total == without.hits.total + 2
    assert scoped.hits.total == without.hits.total


async def test_notes_are_related_to_passages_and_to_each_other(world):
    """But not to the document that they are about, nor to themselves."""
    await noted(world, "beta", "beta too")
    async with embedding(world):
        to_passage = await world.find.related(KEY, TEXT.text.index("beta"), PageRequest(0, 9), 1000)
        to_note = await world.find.related_to_note(note(1).id, PageRequest(0, 9), 1000)
    assert [hit.snippet for hit in to_passage.hits.items] == ["beta", "beta too"]
    assert "beta too" in [hit.snippet for hit in to_note.hits.items]
    assert note(1).id not in [getattr(hit.candidate.what, "id", "") for hit in to_note.hits.items]
    assert any(getattr(hit.candidate.what, "key", None) == KEY for hit in to_note.hits.items)


async def test_what_is_deleted_while_it_is_embedded_is_near_to_nothing(world):
    """By another process, just before or just after its vectors are kept."""
    for when in ("before", "after"):
        await world.put()
        keep = world.scheduler._index.put

        async def put(*what, when=when, keep=keep):
            if when == "before":
                await world.store.delete(KEY, tuple(Artefact))
            await keep(*what)
            await world.store.delete(KEY, tuple(Artefact))

        world.scheduler._index.put = put
        async with embedding(world):
            assert await world.scheduler._index.held(world.scheduler._embedder.model) == {}
        world.scheduler._index.put = keep


async def test_a_lost_vector_file_is_made_again_while_the_program_runs(tmp_path, world):
    """Removed or damaged: all that is stored is embedded anew, and a search finds it."""
    index = SqliteVectorIndex(tmp_path / "vectors.sqlite3", DOCUMENTS, 2**20)
    model = world.scheduler._embedder
    scheduler = EmbeddingScheduler(DocumentTexts(world.store), index, model, world.scheduler._runs, 1)
    task = asyncio.create_task(scheduler.run())
    for times in (1, 2, 3):
        while scheduler.rebuild.succeeded < times:
            await asyncio.sleep(0.01)
        assert (await index.search(model.model, (await model.embed(["beta"]))[0], None, PageRequest(0, 5))).total == 3
        if times == 1:
            (tmp_path / "vectors.sqlite3").unlink()
        else:
            with apsw.Connection(str(tmp_path / "vectors.sqlite3")) as db:
                db.execute("DROP TABLE entry")
            await index.held(model.model)
        scheduler.wake()
    task.cancel()
    await asyncio.wait([task])
    index.close()
