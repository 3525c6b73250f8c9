"""The notes' search file is disposable, and the notes' own file is not."""

from __future__ import annotations

import anyio
import apsw
import pytest

from prioris_mcp.adapters.sqlite.notes import rows
from prioris_mcp.adapters.sqlite.notes.backend import SqliteNotesBackend
from prioris_mcp.adapters.sqlite.notes.schema import NOTES
from prioris_mcp.domain.changes import Position
from prioris_mcp.domain.notes.note import NoteChange, NoteFilter
from prioris_mcp.domain.page import PageRequest
from prioris_mcp.errors import StorageError
from tests.notes import later, note

pytestmark = pytest.mark.anyio


@pytest.fixture
def backend(tmp_path):
    found = SqliteNotesBackend(tmp_path)
    yield found
    found.close()


async def total(backend, keyword, wanted=NoteFilter()):  # noqa: B008 - frozen
    return (await backend.search(wanted, keyword, PageRequest(0, 10))).total


def change(path, sql):
    db = apsw.Connection(str(path))
    db.execute(sql)
    db.close()


async def test_the_search_file_is_not_needed_to_keep_notes(tmp_path, backend):
    """Notes are kept, read and listed without it; the first search by words makes it."""
    await backend.create(note(1))
    assert (await backend.search(NoteFilter(), None, PageRequest(0, 10))).total == 1
    assert not (tmp_path / "notes-search.sqlite3").exists()
    assert await total(backend, "alpha") == 1
    assert (tmp_path / "notes-search.sqlite3").exists()


@pytest.mark.parametrize("damage", [b"garbage" * 5000, b"", None])
async def test_a_lost_search_file_is_made_anew(tmp_path, backend, damage):
    """Damaged, emptied or removed while it is not open, it is built again without an error."""
    await backend.create(note(1))
    await total(backend, "alpha")
    backend.close()
    for path in tmp_path.glob("notes-search.sqlite3*"):
        path.unlink()
    if damage is not None:
        (tmp_path / "notes-search.sqlite3").write_bytes(damage)
    await backend.create(note(2))
    assert await total(backend, "alpha") == 2


async def test_damage_below_the_surface_heals(tmp_path, backend):
    """A search file whose pages are overwritten, of which nobody knows until they are read."""
    for number in range(300):
        await backend.create(note(number, f"alpha word{number} " * 20))
    await total(backend, "alpha")
    backend.close()
    path = tmp_path / "notes-search.sqlite3"
    content = bytearray(path.read_bytes())
    content[4096 * 2 :] = b"\xa5" * (len(content) - 4096 * 2)
    path.write_bytes(content)
    assert await total(backend, "alpha") == 300


async def test_a_search_file_that_is_behind_catches_up(tmp_path, backend):
    """Changes by whatever process, deletions included, are seen by the next search."""
    for number in range(3):
        await backend.create(note(number))
    assert await total(backend, "alpha") == 3
    other = SqliteNotesBackend(tmp_path)
    await other.delete(note(0).id)
    await other.update(note(1).id, NoteChange("beta"), later(9))
    await other.create(note(7))
    assert (await total(backend, "alpha"), await total(backend, "beta")) == (2, 1)
    other.close()


async def test_a_search_file_of_other_notes_is_emptied(tmp_path, backend):
    """Notes that were restored from a copy, or come from elsewhere, are not mixed with what was indexed before."""
    for number in range(3):
        await backend.create(note(number))
    await total(backend, "alpha")
    backend.close()
    change(tmp_path / "notes.sqlite", "UPDATE library SET id = 'other'; DELETE FROM note WHERE id = 1")
    assert await total(backend, "alpha") == 2
    backend.close()
    change(tmp_path / "notes.sqlite", "DELETE FROM note; DELETE FROM change")
    assert await total(backend, "alpha") == 0


async def test_damaged_notes_are_said_and_left_alone(tmp_path, backend):
    """They are no search file: nothing is deleted, and the error names the file."""
    path = tmp_path / "notes.sqlite"
    path.write_bytes(b"garbage" * 5000)
    for keyword in (None, "alpha"):
        with pytest.raises(StorageError, match=r"notes\.sqlite is damaged"):
            await backend.search(NoteFilter(), keyword, PageRequest(0, 10))
    assert path.read_bytes() == b"garbage" * 5000


async def test_searches_are_complete_while_notes_are_written(backend):
    """Each search finds all notes that were acknowledged before it began, and none twice, with the matching total."""
    kept = []

    async def write(first):
        for number in range(first, first + 40):
            await backend.create(note(number))
            kept.append(number)

    async def look():
        for _ in range(30):
            before = len(kept)
            found = await backend.search(NoteFilter(), "alpha", PageRequest(0, 500))
            assert before <= found.total == len({item.id for item in found.items})

    async with anyio.create_task_group() as group:
        for first in (0, 100):
            group.start_soon(write, first)
        for _ in range(3):
            group.start_soon(look)
    assert await total(backend, "alpha") == 80


@pytest.mark.parametrize("query", ["rowid: alpha", "heading: alpha", "'; DROP TABLE note; --", "alpha) OR (rowid:1"])
async def test_a_query_cannot_reach_other_columns(backend, query):
    """Column filters and SQL are words like any other."""
    await backend.create(note(1))
    await total(backend, query)
    assert await total(backend, "alpha") == await total(backend, "text: alpha") == 1


async def test_notes_of_a_newer_version_are_refused(tmp_path, backend):
    """Rather than read wrongly."""
    await backend.create(note(1))
    backend.close()
    change(tmp_path / "notes.sqlite", "PRAGMA user_version = 99")
    with pytest.raises(StorageError, match="newer version"):
        await backend.read(note(1).id)


async def test_notes_of_the_first_layout_are_taken_over(tmp_path):
    """With what had happened to them, so that no index misses a change."""
    db = apsw.Connection(str(tmp_path / "notes.sqlite"))
    NOTES[0](db)
    for number in (1, 2, 3):
        rows.put(db, note(number))
    db.execute("DELETE FROM note WHERE note_id = ?", (note(3).id,))
    db.execute("PRAGMA user_version = 1")
    db.close()
    backend = SqliteNotesBackend(tmp_path)
    assert await total(backend, "alpha") == 2
    changes = await backend.changes(Position(), 10)
    assert [(change.key, change.stored) for change in changes.items[:2]] == [(note(1).id, True), (note(2).id, True)]
    await backend.delete(note(1).id)
    assert (await backend.changes(Position(), 10)).items[-1].key == note(1).id
    backend.close()


async def test_a_look_at_the_file_counts_the_notes_or_finds_the_damage(tmp_path, backend):
    """Also damage that no search has met yet."""
    for number in range(300):
        await backend.create(note(number, "alpha " * 300))
    assert await backend.sound() == (300, ())
    backend.close()
    with (tmp_path / "notes.sqlite").open("r+b") as file:
        file.seek(200_000)
        file.write(b"\xff" * 100_000)
    with pytest.raises(StorageError, match="damaged"):
        await backend.sound()
