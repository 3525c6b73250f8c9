"""What every SearchIndex promises."""

from __future__ import annotations

import pytest

from prioris_mcp.domain.changes import Position
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Span
from prioris_mcp.domain.page import PageRequest
from prioris_mcp.domain.search import Scope, Section
from prioris_mcp.errors import InvalidRequestError

pytestmark = pytest.mark.anyio
A = DocumentKey(ProviderName("arxiv"), "2106.09685v2", SourceFormat.PDF)
B = DocumentKey(ProviderName("localfile"), "20260101-0000-abcd", SourceFormat.PDF)
C = DocumentKey(ProviderName("arxiv"), "2106.09685v2", SourceFormat.HTML)
ALL = PageRequest(0, 10)


def section(start: int, text: str, *path: str) -> Section:
    return Section(path, Span(start, len(text)), text)


async def put(index, key, number, *sections, library="one"):
    await index.index_entries(key, sections, Position(library, number))


async def found(index, query, scope=Scope(), page=ALL):  # noqa: B008 - frozen
    hits = await index.search(query, scope, page)
    return [(hit.key, hit.span.start) for hit in hits.items], hits.total


@pytest.fixture
async def filled(index):
    await index.reset("one")
    await put(index, A, 1, section(0, "alpha beta", "Intro"), section(10, "gamma alpha alpha", "Method"))
    await put(index, B, 2, section(0, "alpha delta"))
    await put(index, C, 3, section(0, "alpha epsilon", "Intro"))
    return index


async def test_the_better_match_comes_first(filled):
    """With the exact total, and a score that grows with the match."""
    hits = await filled.search("alpha", Scope(), ALL)
    assert (hits.items[0].key, hits.items[0].span) == (A, Span(10, 17))
    assert hits.total == len(hits.items) == 4
    assert [hit.score for hit in hits.items] == sorted((hit.score for hit in hits.items), reverse=True)


async def test_pages_put_together_give_the_list(filled):
    """Each hit once, whatever the page; beyond the end there is nothing, with the true total."""
    whole, total = await found(filled, "alpha")
    pages = [(await found(filled, "alpha", page=PageRequest(at, 1)))[0] for at in range(4)]
    assert [hit for page in pages for hit in page] == whole
    assert await found(filled, "alpha", page=PageRequest(99, 5)) == ([], total)


@pytest.mark.parametrize(
    ("scope", "keys"),
    [
        (Scope(provider=ProviderName("arxiv")), {A, C}),
        (Scope(format=SourceFormat.PDF), {A, B}),
        (Scope(ProviderName("arxiv"), "2106.09685v2"), {A, C}),
        (Scope(ProviderName("arxiv"), "2106.09685v2", SourceFormat.HTML), {C}),
        (Scope(ProviderName("arxiv"), "nothing"), set()),
        (Scope(provider=ProviderName("europepmc")), set()),
    ],
)
async def test_a_scope_narrows_hits_and_total_alike(filled, scope, keys):
    """Only the documents in it are seen."""
    hits, total = await found(filled, "alpha", scope)
    assert {key for key, _ in hits} == keys
    assert total == len(hits)


async def test_headings_are_searched_too(filled):
    """And count for the section under them."""
    assert (await found(filled, "method"))[0] == [(A, 10)]


async def test_a_document_is_replaced_and_removed_whole(filled):
    """Nothing of what was there before is found."""
    await put(filled, A, 4, section(5, "zeta"))
    assert await found(filled, "gamma") == ([], 0)
    assert await found(filled, "zeta") == ([(A, 5)], 1)
    await filled.remove_document(B, Position("one", 5))
    assert await found(filled, "delta") == ([], 0)
    assert (await filled.holds(A), await filled.holds(B)) == (True, False)


async def test_a_change_is_applied_once(filled):
    """A change that somebody applied before does nothing, so two processes can catch up at the same time."""
    await put(filled, A, 3, section(0, "late"))
    await filled.remove_document(C, Position("one", 2))
    assert await found(filled, "late") == ([], 0)
    assert await filled.holds(C)
    assert await filled.position() == Position("one", 3)


async def test_a_new_library_begins_anew(filled):
    """Everything of the old one is forgotten."""
    await filled.reset("two")
    assert await found(filled, "alpha") == ([], 0)
    assert await filled.position() == Position("two", 0)
    await put(filled, A, 1, section(0, "alpha"), library="two")
    assert (await found(filled, "alpha"))[1] == 1


async def test_no_rows_is_a_document_too(filled):
    """An empty document is held, and found by nothing."""
    await put(filled, B, 4)
    assert await filled.holds(B)
    assert (await found(filled, "delta"))[1] == 0


@pytest.mark.parametrize("query", ["", "  ", "!?", '""'])
async def test_nothing_to_search_for_is_refused(filled, query):
    """In a sentence; it is the only query that is."""
    with pytest.raises(InvalidRequestError):
        await filled.search(query, Scope(), ALL)


async def test_snippets_show_the_match(filled):
    """One line each, in the order of the texts."""
    hits = await filled.search("alpha", Scope(), ALL)
    texts = ["word " * 500 + "alpha\nnext " + "word " * 500, "alpha"]
    first, second = await filled.snippets(hits.expression, texts)
    assert "alpha next" in first
    assert len(first) < 400
    assert second == "alpha"
