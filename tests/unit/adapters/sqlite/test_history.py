"""A backup that is put back counts its changes on: an index sees that it is not where it was."""

from __future__ import annotations

import sys

import pytest

from prioris_mcp.adapters.filesystem.backend import FilesystemStorageBackend, catalogue_of
from prioris_mcp.adapters.filesystem.blobs import Blobs
from prioris_mcp.adapters.sqlite import history
from prioris_mcp.adapters.sqlite.notes.backend import SqliteNotesBackend
from prioris_mcp.domain.changes import Position
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.instants import Instant
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.domain.notes.note import Content, Note, NoteFilter, Subject
from prioris_mcp.domain.page import PageRequest
from prioris_mcp.errors import StorageError

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform == "win32", reason="Windows lets nobody remove or replace an open file"),
]


def _note(number, text):
    return Note(
        f"{number:016x}", Subject(ProviderName("localfile"), "x"), Content(text), Instant(number), Instant(number)
    )


@pytest.mark.parametrize("running", [True, False], ids=["under a running program", "between two programs"])
async def test_words_of_restored_notes_are_those_that_they_have(tmp_path, running):
    """A backup counts its changes on from where it was made, up to the number at which the index was before."""
    notes = SqliteNotesBackend(tmp_path)
    await notes.create(_note(1, "alpha"))
    notes.close()
    (tmp_path / "backup").write_bytes((tmp_path / "notes.sqlite").read_bytes())
    notes = SqliteNotesBackend(tmp_path)
    for number, text in ((2, "beta"), (3, "gamma")):
        await notes.create(_note(number, text))
    assert await _totals(notes, "alpha", "beta", "gamma", "delta") == [1, 1, 1, 0]
    if not running:
        notes.close()
    (tmp_path / "backup").replace(tmp_path / "notes.sqlite")
    if not running:
        notes = SqliteNotesBackend(tmp_path)
    for number in (4, 5):
        await notes.create(_note(number, "delta"))
    assert await _totals(notes, "alpha", "beta", "gamma", "delta") == [1, 0, 0, 2]
    notes.close()


async def _totals(notes, *words):
    return [(await notes.search(NoteFilter(), word, PageRequest(0, 10))).total for word in words]


async def test_a_place_in_another_history_is_not_known(tmp_path):
    """Though the library is the same and the number is there: an index that was there begins anew, and only then."""
    store = FilesystemStorageBackend(Blobs(tmp_path), catalogue_of(tmp_path), lambda: "now")
    await _parsed(store, "a")
    store._database.close()
    (tmp_path / "backup").write_bytes((tmp_path / "catalogue.sqlite").read_bytes())
    await _parsed(store, "b")
    [first, last] = (await store.changes(Position(), 10)).items
    store._database.close()
    for name in ("c", "d"):
        await _parsed(store, name)
    assert (await store.changes(last.at, 10)).known
    store._database.close()
    (tmp_path / "backup").replace(tmp_path / "catalogue.sqlite")
    assert not (await store.changes(last.at, 10)).known
    for name in ("e", "f"):
        await _parsed(store, name)
    assert not (await store.changes(last.at, 10)).known
    again = await store.changes(first.at, 10)
    assert (again.known, [change.key.identifier for change in again.items]) == (True, ["e", "f"])
    store._database.close()


async def _parsed(store, name):
    key = DocumentKey(ProviderName("localfile"), name, SourceFormat.PDF)
    await store.write_document(key, b"%PDF", original_identifier="x")
    await store.write_markdown(key, Markdown.whole(name), (), "test")


async def test_a_backup_copied_over_the_file_is_what_is_read_and_written(tmp_path):
    """Though it is the same file to the system: its numbers tell, and the log that belonged to the old text is left."""
    notes = SqliteNotesBackend(tmp_path)
    await notes.create(_note(1, "alpha"))
    await _settled(notes)
    backup = (tmp_path / "notes.sqlite").read_bytes()
    for number in range(2, 30):
        await notes.create(_note(number, f"beta {'x' * 5000}"))
    await _settled(notes)
    await notes.create(_note(30, "in the log alone"))
    (tmp_path / "notes.sqlite").write_bytes(backup)
    await notes.create(_note(31, "delta"))
    assert await _totals(notes, "alpha", "beta", "log", "delta") == [1, 0, 0, 1]
    notes.close()
    notes = SqliteNotesBackend(tmp_path)
    assert [each.content.text for each in await notes.batch("", 99)] == ["alpha", "delta"]
    notes.close()


async def test_a_file_that_sqlite_wrote_into_is_the_same(tmp_path):
    """Whoever played the log into it, this program or another one: nothing is reopened, and nothing left out."""
    notes, other = SqliteNotesBackend(tmp_path), SqliteNotesBackend(tmp_path)
    await notes.create(_note(1, "alpha"))
    writer = notes.database._writer
    for number in range(2, 6):
        await other.create(_note(number, "beta"))
        await _settled(other)
        assert await _totals(notes, "alpha", "beta") == [1, number - 1]
    assert notes.database._writer is writer
    other.close()
    notes.close()


@pytest.mark.parametrize(
    ("harm", "sentence"),
    [
        (lambda path: path.write_bytes(b""), "is empty"),
        (lambda path: path.write_bytes(b"text" * 2000), "is damaged"),
        (lambda path: path.write_bytes(path.read_bytes()[:4096]), "is damaged|being written by another"),
    ],
)
async def test_a_file_cut_off_where_it_lies_takes_no_write(tmp_path, harm, sentence, monkeypatch):
    """One sentence instead of an acknowledgement; a backup put there goes on."""
    monkeypatch.setattr(history, "_TRIES", 2)
    notes = SqliteNotesBackend(tmp_path)
    for number in range(1, 20):
        await notes.create(_note(number, "x" * 3000))
    await _settled(notes)
    backup = (tmp_path / "notes.sqlite").read_bytes()
    harm(tmp_path / "notes.sqlite")
    for _ in range(2):
        with pytest.raises(StorageError, match=sentence):
            await notes.create(_note(40, "lost"))
    (tmp_path / "notes.sqlite").write_bytes(backup)
    await notes.create(_note(41, "kept"))
    assert len(await notes.batch("", 99)) == 20
    notes.close()


async def test_a_log_that_is_removed_takes_nothing_with_it(tmp_path):
    """What it held is played into the file before anything else is written."""
    notes = SqliteNotesBackend(tmp_path)
    await notes.create(_note(1, "alpha"))
    for suffix in ("-wal", "-shm"):
        (tmp_path / f"notes.sqlite{suffix}").unlink()
    await notes.create(_note(2, "beta"))
    assert (tmp_path / "notes.sqlite-wal").exists()
    other = SqliteNotesBackend(tmp_path)
    assert [each.content.text for each in await other.batch("", 9)] == ["alpha", "beta"]
    other.close()
    notes.close()


async def _settled(notes):
    for _ in range(2):
        await notes.database.settle()
