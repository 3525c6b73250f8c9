"""Notes between store and folder."""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from prioris_mcp.adapters.memory.notes import MemoryNotesBackend
from prioris_mcp.adapters.notefiles import frontmatter
from prioris_mcp.adapters.notefiles.folder import DiskNoteFolder
from prioris_mcp.adapters.sqlite.notes.backend import SqliteNotesBackend
from prioris_mcp.app.notes.files import NoteFiles
from prioris_mcp.domain.notes.note import MergeOutcome, NoteChange
from tests.notes import later, note, random_note

pytestmark = pytest.mark.anyio
MANY = int(os.environ.get("PRIORIS_NOTES_ROUND_TRIP", "60"))
"""Notes of the generated round trip; `PRIORIS_NOTES_ROUND_TRIP` says otherwise."""
SEED = int(os.environ.get("PRIORIS_NOTES_SEED", "1"))


@pytest.fixture
def backend():
    return MemoryNotesBackend()


@pytest.fixture
def folder(tmp_path):
    return DiskNoteFolder(tmp_path / "vault")


@pytest.fixture
def files(backend):
    return NoteFiles(backend, lambda: later(1000))


def fates(moved):
    return dict(Counter(item.fate for item in moved))


def contents(tmp_path):
    vault = tmp_path / "vault"
    return {str(path.relative_to(vault)): path.read_bytes() for path in vault.rglob("*") if path.is_file()}


async def test_a_round_trip_loses_nothing(tmp_path):
    """Generated notes, some very long: exported and imported elsewhere, all are equal, and exported again too."""
    root, dice = tmp_path, random.Random(SEED)
    generated = {kept.id: kept for kept in (random_note(dice, number) for number in range(MANY))}
    assert len(generated) == MANY
    here, there = SqliteNotesBackend(root / "here"), SqliteNotesBackend(root / "there")
    await here.merge(list(generated.values()), later(0), await here.position())
    first, second = DiskNoteFolder(root / "a"), DiskNoteFolder(root / "b")
    assert fates(await NoteFiles(here, lambda: later(0)).export(first)) == {MergeOutcome.CREATED: len(generated)}
    assert fates(await NoteFiles(there, lambda: later(0)).import_(first)) == {MergeOutcome.CREATED: len(generated)}
    found = [await there.read(kept) for kept in generated]
    assert found == list(generated.values())
    assert [list(kept.content.metadata or ()) for kept in found if kept] == [
        list(kept.content.metadata or ()) for kept in generated.values()
    ]
    await NoteFiles(there, lambda: later(0)).export(second)
    copies = [{path.name: path.read_bytes() for path in (root / name).iterdir()} for name in "ab"]
    assert copies[0] == copies[1]
    assert len(copies[0]) == len(generated)
    here.close()
    there.close()


async def test_both_ways_are_idempotent(files, backend, folder, tmp_path):
    """A second export and a second import change nothing."""
    for number in range(3):
        await backend.create(note(number))
    await files.export(folder)
    before = contents(tmp_path)
    assert fates(await files.export(folder)) == {MergeOutcome.UNCHANGED: 3}
    assert fates(await files.import_(folder)) == {MergeOutcome.UNCHANGED: 3}
    assert contents(tmp_path) == before
    assert [kept.updated_at for kept in await backend.batch("", 9)] == [later(number) for number in range(3)]


async def test_a_dry_run_does_nothing(files, backend, folder, tmp_path):
    """It says what would be done, in both directions."""
    await backend.create(note(1))
    assert fates(await files.export(folder, dry_run=True)) == {MergeOutcome.CREATED: 1}
    assert not (tmp_path / "vault").exists()
    await folder.write("x.md", note(2), new=True)
    assert fates(await files.import_(folder, dry_run=True)) == {MergeOutcome.CREATED: 1}
    assert await backend.read(note(2).id) is None


async def test_an_edit_comes_in_and_settles(files, backend, folder, tmp_path):
    """A file changed by hand is kept by an export and taken by an import; after the next export all is quiet."""
    await backend.create(note(1, "before"))
    [made] = await files.export(folder)
    path = tmp_path / "vault" / made.name
    path.write_text(path.read_text() + " and after")
    assert fates(await files.export(folder)) == {MergeOutcome.KEPT: 1}
    assert fates(await files.import_(folder)) == {MergeOutcome.EDITED: 1}
    kept = await backend.read(note(1).id)
    assert (kept.content.text, kept.updated_at, kept.created_at) == ("before and after", later(1000), later(1))
    assert fates(await files.import_(folder)) == {MergeOutcome.UNCHANGED: 1}
    assert fates(await files.export(folder)) == {MergeOutcome.REPLACED: 1}
    assert fates(await files.import_(folder)) == {MergeOutcome.UNCHANGED: 1}


async def test_the_later_of_two_wins(files, backend, folder):
    """An older file is overwritten by an export and ignored by an import; a newer one the other way round."""
    await backend.create(note(1, at=5))
    await folder.write("one.md", note(1, "older", at=4), new=True)
    await folder.write("two.md", note(2, "newer", at=9), new=True)
    await backend.create(note(2, at=8))
    assert {item.name: item.fate for item in await files.import_(folder, dry_run=True)} == {
        "one.md": MergeOutcome.KEPT,
        "two.md": MergeOutcome.REPLACED,
    }
    assert {item.name: item.fate for item in await files.export(folder)} == {
        "one.md": MergeOutcome.REPLACED,
        "two.md": MergeOutcome.KEPT,
    }


async def test_files_may_be_renamed_and_moved(files, backend, folder, tmp_path):
    """A note is known by the id in its file: exports write it where it is, under the name it has."""
    await backend.create(note(1))
    [made] = await files.export(folder)
    (tmp_path / "vault" / "papers").mkdir()
    (tmp_path / "vault" / made.name).rename(tmp_path / "vault" / "papers" / "My note.md")
    await backend.update(note(1).id, NoteChange("another first line"), later(9))
    assert [(item.name, item.fate) for item in await files.export(folder)] == [
        ("papers/My note.md", MergeOutcome.REPLACED)
    ]
    assert list(contents(tmp_path)) == ["papers/My note.md"]


async def test_a_bad_file_does_not_stop_the_others(files, backend, folder, tmp_path):
    """Each is named with its reason; hidden folders and other files are nobody's notes."""
    await folder.write("b.md", note(1), new=True)
    await folder.write("copy of b.md", note(1, "other"), new=True)
    vault = tmp_path / "vault"
    (vault / "a.md").write_bytes(b"no front matter")
    (vault / "c.md").write_bytes(b"\xff\xfe")
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian" / "x.md").write_text("x")
    (vault / "picture.png").write_bytes(b"x")
    (vault / "folder.md").mkdir()
    moved = {item.name: item for item in await files.import_(folder)}
    assert {name: item.fate for name, item in moved.items()} == {
        "a.md": MergeOutcome.FAILED,
        "b.md": MergeOutcome.CREATED,
        "c.md": MergeOutcome.FAILED,
        "copy of b.md": MergeOutcome.FAILED,
    }
    assert "the same id as b.md" in str(moved["copy of b.md"].failure)
    assert await backend.read(note(1).id) == note(1)


async def test_an_unreadable_file_is_not_overwritten(files, backend, folder, tmp_path):
    """An export names it, and writes the others."""
    await backend.create(note(1))
    await backend.create(note(2))
    await folder.write("x.md", note(1), new=True)
    path = tmp_path / "vault" / "x.md"
    broken = frontmatter.written(note(1)).replace("tags: []", "tags: [")
    path.write_text(broken)
    assert fates(await files.export(folder)) == {MergeOutcome.FAILED: 1, MergeOutcome.CREATED: 1}
    assert path.read_text() == broken


async def test_a_folder_that_cannot_be_written_is_said(files, backend, tmp_path):
    """For each note, with the reason, and nothing is left lying about."""
    await backend.create(note(1))
    (tmp_path / "file").write_text("x")
    [moved] = await files.export(DiskNoteFolder(tmp_path / "file"))
    assert (moved.fate, "could not be written" in str(moved.failure)) == (MergeOutcome.FAILED, True)
    assert (tmp_path / "file").read_text() == "x"


async def test_line_ends_alone_are_no_edit(files, backend, folder, tmp_path):
    """A repository that converts them brings back the same notes, and their texts stay as they are."""
    await backend.create(note(1, "one\ntwo\n"))
    await backend.create(note(2, "one\r\ntwo\r\n"))
    await files.export(folder)
    for path in (tmp_path / "vault").iterdir():
        path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    assert fates(await files.import_(folder)) == {MergeOutcome.UNCHANGED: 2}
    assert [kept.content.text for kept in await backend.batch("", 9)] == ["one\ntwo\n", "one\r\ntwo\r\n"]


async def test_an_export_writes_over_nothing_of_another(files, backend, folder, tmp_path):
    """A file of the very name that a note would get holds something else: it stays, and the note is named."""
    await backend.create(note(1))
    [made] = await files.export(folder)
    path = tmp_path / "vault" / made.name
    path.write_text("---\nid: mine\n---\nmy own text")
    [moved] = await files.export(folder)
    assert (moved.fate, "holds something else" in str(moved.failure)) == (MergeOutcome.FAILED, True)
    assert path.read_text().endswith("my own text")


async def test_what_no_note_holds_is_not_imported(files, backend, folder):
    """It is named with the reason, and the others come in."""
    await folder.write("big.md", note(1, "x" * 200_001), new=True)
    await folder.write("small.md", note(2), new=True)
    moved = {item.name: item for item in await files.import_(folder)}
    assert (moved["big.md"].fate, moved["small.md"].fate) == (MergeOutcome.FAILED, MergeOutcome.CREATED)
    assert "text has 200001 characters, and holds at most 200000" in str(moved["big.md"].failure)
