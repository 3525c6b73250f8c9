"""Searching, listing and deleting, over the library and the index in memory."""

from __future__ import annotations

import pytest

from prioris_mcp.app.catalogue import Deletion
from prioris_mcp.app.indexing.text import sections
from prioris_mcp.domain import chunks
from prioris_mcp.domain.documents import Artefact, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.domain.page import PageRequest
from prioris_mcp.domain.search import Scope
from prioris_mcp.errors import IndexLostError, InvalidRequestError
from tests.unit.app.world import KEY, LOCAL, NAME, PDF, TEXT, World

pytestmark = pytest.mark.anyio


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
    assert [shown.hit.span.start for shown in found.fts.items] == [12, 26]
    assert all("beta" in shown.snippet for shown in found.fts.items)
    assert (found.fts.total, found.fts.offset, found.fts.limit, found.status) == (2, 0, 10, {})


async def test_the_status_is_told_for_one_document(world):
    """When source, identifier and format are given; a document that is not there is not built."""
    assert (await world.search("beta", Scope(LOCAL, NAME, PDF), "fts", 0, 5)).status == {
        "fts": "ready",
        "vector": "not_built",
    }
    assert (await world.search("beta", Scope(LOCAL, NAME), "fts", 0, 5)).status == {}
    missing = await world.search("beta", Scope(LOCAL, "20260101-0000-zzzz", PDF), "fts", 0, 5)
    nothing = {"fts": "not_built", "vector": "not_built"}
    assert (missing.status, missing.fts.total) == (nothing, 0)
    unknown = await world.search("beta", Scope(ProviderName("europepmc"), "MED:1", SourceFormat.XML), "fts", 0, 5)
    assert (unknown.status, unknown.fts.total) == (nothing, 0)


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
    assert found.fts.limit == 200
    assert found.fts.items == ()


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
        Deletion(ProviderName("europepmc"), "MED:1", SourceFormat.XML, "all"),
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
    hits = await world.index.search("beta", Scope(), PageRequest(0, 5))
    await world.store.delete(KEY, tuple(Artefact))
    assert await world.words.shown(hits) == ()


async def test_lists_are_bounded(world):
    """A page of the catalogue holds at most a thousand entries."""
    listed = await world.list(None, None, PageRequest(0, 10**9))
    assert (listed.limit, listed.total) == (1000, 2)
