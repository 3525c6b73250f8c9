"""What every NotesBackend promises."""

from __future__ import annotations

import anyio
import pytest
from hypothesis import HealthCheck, given, settings

from prioris_mcp.domain.changes import Position
from prioris_mcp.domain.documents import ProviderName
from prioris_mcp.domain.notes.note import (
    Anchor,
    Location,
    NoteChange,
    NoteFilter,
    Selectors,
)
from prioris_mcp.domain.page import PageRequest
from prioris_mcp.errors import InvalidRequestError
from tests.notes import LORA, all_notes, later, long_note, note

pytestmark = pytest.mark.anyio
ALL = PageRequest(0, 100)
FULL = note(
    1,
    "naïve ½ 注意 😀\r\n\x00 end \n",
    anchors=(Anchor(Location(3, "Method"), Selectors("exact")), Anchor(Location(), Selectors(suffix_context=""))),
    author_name="Ada",
    tags=("b", "a"),
    metadata={"z": "1", "a": ""},
)


async def ids(notes, wanted=NoteFilter(), keyword=None, page=ALL):  # noqa: B008 - frozen
    found = await notes.search(wanted, keyword, page)
    return [int(kept.id, 16) for kept in found.items], found.total


async def test_what_was_kept_comes_back(notes):
    """Every field as it was, order of tags and metadata included."""
    await notes.create(FULL)
    assert await notes.read(FULL.id) == FULL
    assert (await notes.search(NoteFilter(), None, ALL)).items == (FULL,)
    assert list((await notes.read(FULL.id)).content.metadata) == ["z", "a"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(kept=all_notes)
def test_whatever_was_kept_comes_back(notes, kept):
    """Any note at all."""

    async def trip():
        await notes.merge([kept], later(0), await notes.position())
        assert await notes.read(kept.id) == kept
        await notes.delete(kept.id)

    anyio.run(trip)


async def test_long_notes_are_kept_whole(notes):
    """A megabyte of text, and long anchors, tags and metadata."""
    await notes.create(long_note(1, 100_000))
    assert await notes.read(note(1).id) == long_note(1, 100_000)


async def test_unknown_ids_name_nothing(notes):
    """Reading and changing find None, deleting finds False, and nothing comes to be."""
    assert await notes.read("0" * 16) is None
    assert await notes.update("0" * 16, NoteChange("x"), later(1)) is None
    assert await notes.delete("0" * 16) is False
    assert await ids(notes) == ([], 0)


async def test_an_update_changes_what_it_names(notes):
    """Unset fields stay, empty values clear, subject, author and creation never change."""
    await notes.create(FULL)
    changed = await notes.update(FULL.id, NoteChange(tags=(), metadata={}), later(50))
    assert changed == await notes.read(FULL.id)
    assert (changed.content.tags, changed.content.metadata) == ((), {})
    assert (changed.content.text, changed.content.anchors) == (FULL.content.text, FULL.content.anchors)
    assert (changed.subject, changed.content.author_name, changed.created_at) == (LORA, "Ada", FULL.created_at)
    assert changed.updated_at == later(50)
    assert (await notes.update(FULL.id, NoteChange("new", ()), later(60))).content.anchors == ()


async def test_updated_at_moves_forward(notes):
    """Also where the clock stands still or runs backwards; an update of nothing is none."""
    await notes.create(FULL)
    first = await notes.update(FULL.id, NoteChange("one"), later(0))
    second = await notes.update(FULL.id, NoteChange("two"), later(0))
    assert FULL.updated_at < first.updated_at < second.updated_at
    assert await notes.update(FULL.id, NoteChange(), later(99)) == second


async def test_two_updates_at_once_both_hold(notes):
    """Twenty updates of two fields at the same time: each field has a value that was acknowledged, the text a tag's."""
    await notes.create(FULL)
    done = []

    async def change(number):
        new = NoteChange(text=f"text {number}") if number % 2 else NoteChange(tags=(f"tag {number}",))
        done.append(await notes.update(FULL.id, new, later(10)))

    async with anyio.create_task_group() as group:
        for number in range(20):
            group.start_soon(change, number)
    last = await notes.read(FULL.id)
    assert last.content.text.startswith("text ") and last.content.tags[0].startswith("tag ")
    assert len({kept.updated_at for kept in done}) == 20
    assert last == max(done, key=lambda kept: kept.updated_at)


async def test_a_deleted_note_is_gone(notes):
    """For reading, listing and searching, and deleting it again is no error."""
    await notes.create(note(1))
    await notes.create(note(2, "alpha beta"))
    assert (await ids(notes, keyword="alpha"))[1] == 2
    assert await notes.delete(note(1).id) is True
    assert await notes.delete(note(1).id) is False
    assert await ids(notes) == ([2], 1)
    assert await ids(notes, keyword="alpha") == ([2], 1)


async def test_the_newest_comes_first(notes):
    """By creation; of those created in the same microsecond, the one kept last."""
    for kept in (note(1, at=5), note(2, at=9), note(3, at=5), note(4, at=1)):
        await notes.create(kept)
    await notes.update(note(4).id, NoteChange("later"), later(100))
    assert await ids(notes) == ([2, 3, 1, 4], 4)


async def test_pages_put_together_give_the_list(notes):
    """Each note once, with the same total on every page, and none beyond the end."""
    for number in range(1, 8):
        await notes.create(note(number))
    pages = [await ids(notes, page=PageRequest(at, 3)) for at in range(0, 9, 3)]
    assert [number for page, _ in pages for number in page] == [7, 6, 5, 4, 3, 2, 1]
    assert {total for _, total in pages} == {7}
    assert await ids(notes, page=PageRequest(50, 3)) == ([], 7)


@pytest.mark.parametrize("keyword", ["", "  ", "!?…"])
async def test_a_keyword_needs_something_to_look_for(notes, keyword):
    """A query without letter or digit is refused rather than answered with everything."""
    with pytest.raises(InvalidRequestError):
        await notes.search(NoteFilter(), keyword, ALL)


async def test_batches_go_through_all_notes(notes):
    """In the order of their ids, each once."""
    for number in (3, 1, 2):
        await notes.create(note(number))
    assert await notes.batch("", 2) == (note(1), note(2))
    assert await notes.batch(note(2).id, 2) == (note(3),)
    assert await notes.batch(note(3).id, 2) == ()


async def test_notes_from_files_come_in_as_they_are(notes):
    """Unknown, the same, newer, edited by hand, and older: each has its own fate."""
    old = [note(number, tags=("before",)) for number in range(1, 6)]
    for kept in old[1:]:
        await notes.create(kept)
    updated = await notes.update(old[4].id, NoteChange("updated here"), later(100))
    from_files = [old[0], old[1], note(3, "newer", at=50), note(4, "by hand"), note(5, "older")]
    fates = await notes.merge(from_files, later(200), await notes.position())
    assert fates == ("created", "unchanged", "replaced", "edited", "kept")
    assert [await notes.read(kept.id) for kept in from_files[:3]] == from_files[:3]
    edited = await notes.read(old[3].id)
    assert (edited.content, edited.updated_at) == (from_files[3].content, later(200))
    assert await notes.read(old[4].id) == updated
    assert await ids(notes, NoteFilter(tags_all=("before",))) == ([5, 2, 1], 3)
    again = await notes.merge(from_files, later(300), await notes.position())
    assert again == ("unchanged",) * 4 + ("kept",)


async def test_the_ids_of_all_that_a_filter_names(notes):
    """However many there are."""
    await notes.merge(
        [note(number, tags=("odd",) if number % 2 else ()) for number in range(300)], later(0), await notes.position()
    )
    assert len(await notes.ids(NoteFilter())) == 300
    odd = await notes.ids(NoteFilter(ProviderName("arxiv"), identifiers=("2106.09685",), tags_all=("odd",)))
    assert odd == {f"{number:016x}" for number in range(1, 300, 2)}


async def test_changes_of_texts_are_numbered(notes):
    """Oldest first, each note with its last one, and only those of its text; all, for a place in another store."""
    for number in (1, 2, 3):
        await notes.create(note(number))
    await notes.update(note(1).id, NoteChange(text="new"), later(9))
    await notes.delete(note(2).id)
    every = await notes.changes(Position(), 10)
    names = [(int(change.key, 16), change.stored) for change in every.items]
    assert names == [(3, True), (1, True), (2, False)]
    here = every.items[-1].at
    assert here == await notes.position()
    await notes.update(note(1).id, NoteChange(tags=("t",), text="new"), later(10))
    assert (await notes.changes(here, 10)).items == ()
    await notes.create(note(2, "again"))
    assert [(int(change.key, 16), change.stored) for change in (await notes.changes(here, 10)).items] == [(2, True)]
    assert len((await notes.changes(Position("other", 10**9), 2)).items) == 2


async def test_a_note_deleted_during_an_import_stays_deleted(notes):
    """One that was deleted before it began comes back: that is what the import is for."""
    old, late = note(1), note(2)
    for each in (old, late):
        await notes.create(each)
    await notes.delete(old.id)
    began = await notes.position()
    await notes.delete(late.id)
    assert await notes.merge([old, late, note(3)], later(0), began) == ("created", "deleted", "created")
    assert await notes.read(late.id) is None
    assert await notes.merge([late], later(0), await notes.position()) == ("created",)
