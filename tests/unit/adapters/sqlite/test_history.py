"""A backup that is put back counts its changes on: an index sees that it is not where it was."""

from __future__ import annotations

import sys

import pytest

from prioris_mcp.adapters.filesystem.backend import FilesystemStorageBackend, catalogue_of
from prioris_mcp.adapters.filesystem.blobs import Blobs
from prioris_mcp.adapters.sqlite.notes import SqliteNotesBackend
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.instants import Instant
from prioris_mcp.domain.library import Position
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.domain.notes import Content, Note, NoteFilter, Subject
from prioris_mcp.domain.search import Page

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform == "win32", reason="Windows lets nobody remove or replace an open file"),
]


def _note(number, text):
    return Note(f"{number:016x}", Subject(ProviderName.LOCALFILE, "x"), Content(text), Instant(number), Instant(number))


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
    return [(await notes.search(NoteFilter(), word, Page(0, 10))).total for word in words]


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
    key = DocumentKey(ProviderName.LOCALFILE, name, SourceFormat.PDF)
    await store.write_document(key, b"%PDF", original_identifier="x")
    await store.write_markdown(key, Markdown.whole(name), (), "test")
