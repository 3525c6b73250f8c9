"""What every StorageBackend promises."""

from __future__ import annotations

import anyio
import pytest

from prioris_mcp.domain import chunks
from prioris_mcp.domain.changes import DocumentSpan, Parsed, Position
from prioris_mcp.domain.documents import Artefact, DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Image, Markdown, Span

pytestmark = pytest.mark.anyio

KEY = DocumentKey(ProviderName("arxiv"), "2106.09685v2", SourceFormat.PDF)
OTHER = DocumentKey(ProviderName("arxiv"), "hep-th/9901001v1", SourceFormat.HTML)
TEXT = Markdown.of_pages(["# Intro\n\nnaïve ½ 注意\n\n", "## Method\n\n😀 gamma\n"])
BOTH = (Artefact.DOCUMENT, Artefact.MARKDOWN)


async def put_document(store, key=KEY, content=b"%PDF-1"):
    await store.write_document(key, content, original_identifier="2106.09685")


async def put_markdown(store, key=KEY, markdown=TEXT):
    await store.write_markdown(key, markdown, chunks.split(key, markdown.text), "test-1")


async def test_what_was_put_comes_back(store):
    """Bytes, text, pages and sections survive the trip, whatever characters they hold."""
    await put_document(store)
    await put_markdown(store)
    assert await store.read_document(KEY) == b"%PDF-1"
    assert await store.read_markdown(KEY) == TEXT
    assert await store.read_chunks(KEY) == chunks.split(KEY, TEXT.text)


async def test_unknown_is_none(store):
    """A key that was never put has nothing, and nothing of it can be deleted."""
    assert await store.exists(KEY, Artefact.DOCUMENT) is None
    assert (await store.read_document(KEY), await store.read_markdown(KEY)) == (None, None)
    assert await store.read_chunks(KEY) == ()
    assert await store.delete(KEY, BOTH) == ()


async def test_a_document_is_written_once(store):
    """The first bytes stay: a pinned identifier never changes its meaning."""
    await put_document(store, content=b"%PDF-first")
    await put_document(store, content=b"%PDF-second")
    assert await store.read_document(KEY) == b"%PDF-first"
    assert (await store.list(None, None, offset=0, limit=10)).total == 1


async def test_a_second_parse_replaces_the_first(store):
    """Markdown and sections always belong together."""
    await put_markdown(store)
    shorter = Markdown.whole("# Only\n\ndelta\n")
    await put_markdown(store, markdown=shorter)
    assert await store.read_markdown(KEY) == shorter
    assert [chunk.heading for chunk in await store.read_chunks(KEY)] == ["Only"]


async def test_deleting_one_artefact_leaves_the_other(store):
    """Document and Markdown do not cascade."""
    await put_document(store)
    await put_markdown(store)
    assert await store.delete(KEY, (Artefact.DOCUMENT,)) == (Artefact.DOCUMENT,)
    assert await store.read_document(KEY) is None
    assert await store.read_markdown(KEY) == TEXT
    assert await store.delete(KEY, BOTH) == (Artefact.MARKDOWN,)
    assert (await store.list(None, None, offset=0, limit=10)).total == 0


async def test_a_deleted_document_can_come_back(store):
    """After a delete the same key takes new bytes."""
    await put_document(store)
    await store.delete(KEY, BOTH)
    await put_document(store, content=b"%PDF-again")
    assert await store.read_document(KEY) == b"%PDF-again"


async def test_the_list_is_filtered_paged_and_counted(store):
    """Newest first, with a total that does not depend on the page."""
    await put_document(store)
    await put_markdown(store)
    await put_document(store, OTHER)
    everything = await store.list(None, None, offset=0, limit=10)
    assert [(e.key, e.artefact) for e in everything.items] == [
        (OTHER, Artefact.DOCUMENT),
        (KEY, Artefact.MARKDOWN),
        (KEY, Artefact.DOCUMENT),
    ]
    assert everything.items[0].size == len(b"%PDF-1")
    page = await store.list(ProviderName("arxiv"), SourceFormat.PDF, offset=1, limit=1)
    assert ([e.artefact for e in page.items], page.total) == ([Artefact.DOCUMENT], 2)
    assert (await store.list(ProviderName("localfile"), None, offset=0, limit=5)).total == 0


async def test_versions_are_those_of_one_work_in_order(store):
    """2 before 10, and no other work whose identifier begins alike."""
    for name in ("2106.09685v10", "2106.09685v2", "2106.096850v1", "2106.09685vX"):
        await put_document(store, DocumentKey(ProviderName("arxiv"), name, SourceFormat.PDF))
    found = await store.versions(ProviderName("arxiv"), "2106.09685", SourceFormat.PDF)
    assert [key.identifier for key in found] == ["2106.09685v2", "2106.09685v10"]
    assert await store.versions(ProviderName("arxiv"), "2106.09685", SourceFormat.HTML) == ()


def add(store, content, alias, names):
    return store.add_document(
        ProviderName("localfile"),
        SourceFormat.PDF,
        content,
        alias=alias,
        names=iter(names),
        original_identifier="paper.pdf",
    )


async def test_the_same_alias_is_the_same_document(store):
    """The bytes are kept once, under the first name; another alias takes the next free name."""
    first, again = await add(store, b"%PDF-a", "a", ["n1", "n2"]), await add(store, b"%PDF-a", "a", ["n3"])
    other = await add(store, b"%PDF-b", "b", ["n1", "n2"])
    assert [(added.key.identifier, added.new) for added in (first, again, other)] == [
        ("n1", True),
        ("n1", False),
        ("n2", True),
    ]
    assert await store.find_alias(ProviderName("localfile"), "a") == "n1"
    assert await store.read_document(other.key) == b"%PDF-b"


async def test_aliases_of_another_source_stay(store):
    """What stands for a document goes with it, and not what stands for one of another source by the same name."""
    paper, article = (
        DocumentKey(provider, "same", SourceFormat.PDF) for provider in map(ProviderName, ("arxiv", "localfile"))
    )
    for key in (paper, article):
        await store.write_document(key, b"text", original_identifier="same", aliases=("alias",))
    await store.delete(paper, tuple(Artefact))
    assert await store.find_alias(ProviderName("arxiv"), "alias") is None
    assert await store.find_alias(ProviderName("localfile"), "alias") == "same"


async def test_an_alias_lasts_as_long_as_anything_it_stands_for(store):
    """With the Markdown left, the same bytes come back under the same name; with nothing left, under a new one."""
    key = (await add(store, b"%PDF-a", "a", ["n1"])).key
    await put_markdown(store, key)
    await store.delete(key, (Artefact.DOCUMENT,))
    back = await add(store, b"%PDF-a", "a", ["n2"])
    assert (back.key, back.new) == (key, True)
    await store.delete(key, BOTH)
    assert await store.find_alias(ProviderName("localfile"), "a") is None
    assert (await add(store, b"%PDF-a", "a", ["n3"])).key.identifier == "n3"


async def test_a_document_that_is_added_twice_at_once_is_kept_once(store):
    """Ten tasks, one name."""
    names = set()

    async def one(number):
        names.add((await add(store, b"%PDF-a", "a", [f"n{number}"])).key.identifier)

    async with anyio.create_task_group() as group:
        for number in range(10):
            group.start_soon(one, number)
    assert len(names) == 1


async def test_changes_tell_what_an_index_lacks(store):
    """Each document once, with its last change; a position in another library begins anew."""
    assert (await store.changes(Position(), 10)).items == ()
    await put_document(store)
    await put_markdown(store)
    await put_markdown(store, OTHER)
    changes = await store.changes(Position(), 10)
    assert [(change.key, change.stored) for change in changes.items] == [(KEY, True), (OTHER, True)]
    here = changes.items[-1].at
    assert (await store.changes(here, 10)).items == ()
    await put_markdown(store)
    await store.delete(OTHER, BOTH)
    later = (await store.changes(here, 10)).items
    assert [(change.key, change.stored) for change in later] == [(KEY, True), (OTHER, False)]
    assert [change.key for change in (await store.changes(here, 1)).items] == [KEY]
    assert len((await store.changes(Position("elsewhere", 99), 10)).items) == 2


async def test_excerpts_are_cut_from_what_is_there(store):
    """Characters, not bytes; None for what is gone."""
    await put_markdown(store)
    places = [DocumentSpan(KEY, Span(9, 5)), DocumentSpan(OTHER, Span(0, 3)), DocumentSpan(KEY, Span(0, 7))]
    assert await store.excerpts(places) == (TEXT.text[9:14], None, "# Intro")


DOT, DASH = Image("p1_1", "image/png", b"\x89PNG dot"), Image("p2_1", "image/jpeg", b"\xff\xd8 dash")
SHOWN = Markdown(TEXT.text, TEXT.leaves, paged=True, images=(DOT, DASH))


async def test_images_come_back_one_by_one(store):
    """Each by its id, with its type; none under another id or key."""
    await put_markdown(store, markdown=SHOWN)
    assert [await store.read_image(KEY, name) for name in ("p1_1", "p2_1")] == [DOT, DASH]
    assert await store.read_image(KEY, "p1_2") is None
    assert await store.read_image(OTHER, "p1_1") is None
    assert (await store.read_markdown(KEY)).images == ()


async def test_images_go_with_their_markdown(store):
    """A later parse replaces them, deleting the document keeps them, deleting the Markdown does not."""
    await put_document(store)
    await put_markdown(store, markdown=SHOWN)
    await put_markdown(store, markdown=Markdown(TEXT.text, TEXT.leaves, paged=True, images=(DASH,)))
    assert [await store.read_image(KEY, name) for name in ("p1_1", "p2_1")] == [None, DASH]
    await store.delete(KEY, (Artefact.DOCUMENT,))
    assert await store.read_image(KEY, "p2_1") == DASH
    await store.delete(KEY, (Artefact.MARKDOWN,))
    assert await store.read_image(KEY, "p2_1") is None


async def test_images_are_no_entries_of_their_own(store):
    """The list has documents and Markdown only."""
    await put_markdown(store, markdown=SHOWN)
    assert (await store.list(None, None, offset=0, limit=10)).total == 1


async def test_parsed_tells_which_parser_made_what(store):
    """Oldest first, and no longer after the Markdown is gone."""
    await put_document(store)
    assert await store.parsed() == ()
    await put_markdown(store)
    await put_markdown(store, OTHER)
    assert await store.parsed() == (Parsed(KEY, "test-1"), Parsed(OTHER, "test-1"))
    await store.delete(KEY, BOTH)
    assert await store.parsed() == (Parsed(OTHER, "test-1"),)


async def test_markdown_is_written_only_over_what_it_was_made_of(store):
    """Where the document or its Markdown was deleted or replaced since, nothing changes, whatever came back."""
    await store.write_document(KEY, b"%PDF", original_identifier="x")
    assert await store.revision(KEY) == await store.revision(KEY)
    fresh = await store.revision(KEY)
    assert fresh.markdown is None
    assert await store.write_markdown(KEY, Markdown.whole("one"), (), "test-1", fresh)
    parsed = await store.revision(KEY)
    assert parsed.document == fresh.document
    assert not await store.write_markdown(KEY, Markdown.whole("two"), (), "test-1", fresh)
    assert await store.write_markdown(KEY, Markdown.whole("two"), (), "test-1", parsed)
    assert not await store.write_markdown(KEY, Markdown.whole("three"), (), "test-1", parsed)
    assert (await store.read_markdown(KEY)).text == "two"
    await store.delete(KEY, tuple(Artefact))
    assert not await store.write_markdown(KEY, Markdown.whole("four"), (), "test-1", fresh)
    await store.write_document(KEY, b"%PDF", original_identifier="x")
    assert not await store.write_markdown(KEY, Markdown.whole("five"), (), "test-1", fresh)
    assert await store.read_markdown(KEY) is None
