"""Rows of notes that nobody of ours wrote as they are: they break no list, no search and no export."""

from __future__ import annotations

from dataclasses import replace

import apsw
import pytest

from prioris_mcp.adapters.notefiles.folder import DiskNoteFolder
from prioris_mcp.adapters.sqlite.notes.backend import SqliteNotesBackend
from prioris_mcp.app.notes.files import NoteFiles
from prioris_mcp.domain.documents import ProviderName
from prioris_mcp.domain.instants import Instant
from prioris_mcp.domain.notes.note import MergeOutcome, NoteChange, NoteFilter
from prioris_mcp.domain.page import PageRequest
from tests.notes import later, note

pytestmark = pytest.mark.anyio
LAST = Instant.parse("9999-12-31T23:59:59.999999", "x").micros

DAMAGES = {
    "created": (LAST + 1, "created_at"),
    "updated": (-(2**62), "updated_at"),
    "provider": ("nobody", "provider"),
    "format": ("docx", "format"),
    "anchors": ("[[[1,2,3,4,5],null]]", "anchors"),
    "anchors of nothing": ("[[null,null]]", "anchors"),
    "anchors of another shape": ('{"a": 1}', "anchors"),
    "tags": ("no JSON", "tags"),
    "tags of numbers": ("[1]", "tags"),
    "metadata": ('{"a": 3}', "metadata"),
    "metadata cut": ('{"a": "b', "metadata"),
    "metadata deep": ("[" * 100_000, "metadata"),
    "text": (" ", "text"),
}


@pytest.fixture
def backend(tmp_path):
    found = SqliteNotesBackend(tmp_path)
    yield found
    found.close()


@pytest.mark.parametrize("kind", DAMAGES)
async def test_a_damaged_note_is_shown_as_far_as_it_can_be_read(backend, tmp_path, kind):
    """In lists, searches, alone and in an export, beside the others; and it says what is missing."""
    for number in range(3):
        await backend.create(note(number, f"alpha {number}", tags=("t",), metadata={"a": "b"}))
    value, lost = DAMAGES[kind]
    with apsw.Connection(str(tmp_path / "notes.sqlite")) as db:
        db.execute(f"UPDATE note SET {kind.split()[0]} = ? WHERE note_id = ?", (value, note(1).id))
    every = await backend.search(NoteFilter(), None, PageRequest(0, 10))
    assert (every.total, sorted(each.id for each in every.items)) == (3, [note(n).id for n in range(3)])
    assert {each.damaged for each in every.items if each.id != note(1).id} == {""}
    damaged = await backend.read(note(1).id)
    assert damaged.damaged == lost
    found = await backend.search(NoteFilter(), "alpha", PageRequest(0, 10))
    assert found.total == (2 if lost == "text" else 3)
    files, folder = NoteFiles(backend, lambda: later(1000)), DiskNoteFolder(tmp_path / "vault")
    assert {moved.fate for moved in await files.export(folder)} == {MergeOutcome.CREATED}
    changed = await backend.update(note(1).id, NoteChange("gamma"), later(2000))
    assert (changed.content.text, str(changed.updated_at)[:2]) == ("gamma", "20")
    assert damaged.subject.work


async def test_the_last_time_there_is_breaks_nothing(backend):
    """A note that was changed at the end of time is changed at the end of time once more."""
    last = Instant(LAST)
    kept = note(1)
    await backend.create(replace(kept, created_at=last, updated_at=last))
    changed = await backend.update(kept.id, NoteChange("beta"), later(0))
    assert (changed.updated_at, changed.content.text) == (last, "beta")
    assert (await backend.search(NoteFilter(ProviderName("arxiv")), None, PageRequest(0, 10))).items == (changed,)


async def test_a_page_holds_what_an_answer_can_carry(backend):
    """Long notes make it shorter, and it says so; the next page begins after the last one, and none is left out."""
    for number in range(9):
        await backend.create(note(number, f"alpha {number} " + "x" * 300_000))
    for keyword in (None, "alpha"):
        seen, offset = [], 0
        while True:
            found = await backend.search(NoteFilter(), keyword, PageRequest(offset, 100))
            seen += [each.id for each in found.items]
            offset += len(found.items)
            assert found.total == 9
            if not found.has_more:
                break
            assert len(found.items) == found.limit == 3
        assert len(seen) == len(set(seen)) == 9
