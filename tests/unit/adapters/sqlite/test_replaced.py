"""A SQLite file that somebody removes, replaces or damages while it is open: nothing acknowledged goes astray."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from prioris_mcp.adapters.sqlite import database_file as file_identity
from prioris_mcp.adapters.sqlite.engine import Database
from prioris_mcp.errors import StorageBusyError, StorageError

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform == "win32", reason="Windows lets nobody remove or replace an open file"),
]
NAME = "one.sqlite"


def create(db):
    db.execute("CREATE TABLE word(text TEXT) STRICT; CREATE INDEX by_text ON word(text)")


def words(db):
    return [text for (text,) in db.execute("SELECT text FROM word ORDER BY rowid")]


async def add(database, word):
    await database.write(lambda db: db.execute("INSERT INTO word VALUES (?)", (word,)))


def opened(folder, *, disposable=False):
    return Database(folder / NAME, (create,), disposable=disposable)


async def filled(folder, *texts, disposable=False):
    """A closed file with these words."""
    database = opened(folder, disposable=disposable)
    for text in texts:
        await add(database, text)
    database.close()
    return folder / NAME


@pytest.fixture
def database(tmp_path):
    found = opened(tmp_path)
    yield found
    found.close()


def beside(folder):
    return sorted(path.name for path in folder.iterdir())


async def test_a_backup_put_in_its_place_is_what_is_read_and_written(tmp_path, database):
    """The old log is not played over it, and what is acknowledged afterwards is in the new file."""
    (tmp_path / "backup").mkdir()
    backup = await filled(tmp_path / "backup", "backup")
    for word in ("a", "b", "c"):
        await add(database, word)
    backup.replace(tmp_path / NAME)
    assert await database.read(words) == ["backup"]
    await add(database, "after")
    database.close()
    again = opened(tmp_path)
    assert await again.read(words) == ["backup", "after"]
    again.close()


async def test_a_renamed_file_keeps_what_was_acknowledged_to_it(tmp_path, database):
    """Its log is played into it, wherever it is by then, before the new file is opened."""
    (tmp_path / "other").mkdir()
    other = await filled(tmp_path / "other", "new")
    await add(database, "kept")
    (tmp_path / NAME).rename(tmp_path / "old.sqlite")
    other.rename(tmp_path / NAME)
    assert await database.read(words) == ["new"]
    with closing(sqlite3.connect(tmp_path / "old.sqlite")) as old:
        assert old.execute("SELECT text FROM word").fetchall() == [("kept",)]


@pytest.mark.parametrize("gone", ["file", "folder"])
async def test_a_removed_file_takes_no_write(tmp_path, gone):
    """One sentence instead of an acknowledgement; nothing is made in its place before the program starts again."""
    folder = tmp_path / "notes"
    folder.mkdir()
    database = opened(folder)
    await add(database, "a")
    if gone == "file":
        (folder / NAME).unlink()
    else:
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
    for _ in range(2):
        with pytest.raises(StorageError, match=f"{NAME} is no longer in its folder; put it back, or start") as caught:
            await add(database, "b")
        assert str(tmp_path) not in str(caught.value)
        with pytest.raises(StorageError, match="no longer"):
            await database.read(words)
    assert not (folder / NAME).exists()
    database.close()
    again = opened(folder)
    assert await again.read(words) == []
    again.close()


async def test_a_file_that_comes_back_goes_on(tmp_path, database):
    """Moved away and back, as some backup programs do."""
    await add(database, "a")
    (tmp_path / NAME).rename(tmp_path / "away")
    with pytest.raises(StorageError):
        await add(database, "b")
    (tmp_path / "away").rename(tmp_path / NAME)
    await add(database, "c")
    assert await database.read(words) == ["a", "c"]


async def test_a_file_replaced_while_it_is_written_acknowledges_nothing(tmp_path, database):
    """Between the beginning of a transaction and its end, too; a retry can help and says so."""
    (tmp_path / "backup").mkdir()
    backup = await filled(tmp_path / "backup", "backup")
    await add(database, "a")

    def work(db):
        db.execute("INSERT INTO word VALUES ('lost')")
        backup.replace(tmp_path / NAME)

    with pytest.raises(StorageBusyError, match="replaced while it was written; ask again") as caught:
        await database.write(work)
    assert caught.value.retryable
    assert await database.read(words) == ["backup"]


async def test_two_programs_agree_on_a_new_disposable_file(tmp_path):
    """One removed it under a running program, another made it anew: both go on, on the same file."""
    running = opened(tmp_path, disposable=True)
    await add(running, "old")
    (tmp_path / NAME).unlink()
    code = (
        "import asyncio; from pathlib import Path; from tests.unit.adapters.sqlite import test_replaced as t\n"
        f"db = t.opened(Path({str(tmp_path)!r}), disposable=True)\n"
        "asyncio.run(t.add(db, 'other')); print(asyncio.run(db.read(t.words)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=_root())
    assert (done.stdout, done.stderr) == ("['other']\n", "")
    await add(running, "mine")
    assert await running.read(words) == ["other", "mine"]
    running.close()
    again = opened(tmp_path, disposable=True)
    assert await again.read(words) == ["other", "mine"]
    again.close()


def _root():
    return Path(__file__).parents[4]


def _foreign(path):
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE contact(name TEXT)")
        db.execute("INSERT INTO contact VALUES ('Ada')")


def _lose_table(path):
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TABLE word")


def _newer(path):
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA user_version = 99")


def _unnumbered(path):
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA user_version = 0; ")


def _marked(path):
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA application_id = 7")


def _folder(path):
    path.unlink()
    path.mkdir()
    (path / "mine.txt").write_text("mine")


def _dangling(path):
    path.unlink()
    path.symlink_to("nowhere")


WRONG = {
    "another program's": (_foreign, "database of another program"),
    "of its own program, without number": (_unnumbered, "database of another program"),
    "like ours, with another's mark": (_marked, "database of another program"),
    "of a newer version": (_newer, "newer version of this program; upgrade"),
    "without its table": (_lose_table, "database of another program|is damaged .it lacks"),
    "empty": (lambda path: path.write_bytes(b""), r"empty \(0 bytes\), as a failed copy leaves it; put a backup"),
    "text": (lambda path: path.write_bytes(b"Dear diary " * 500), "is damaged .its beginning"),
    "cut": (lambda path: path.write_bytes(path.read_bytes()[:4096]), "is damaged"),
    "a folder": (_folder, "no regular file; move it away"),
    "a link to nothing": (_dangling, "leads nowhere"),
}


def _content(path):
    """Everything below *path*, to see that nothing was touched."""
    if path.is_dir():
        return {each.name: each.read_bytes() for each in path.iterdir()}
    return path.readlink() if path.is_symlink() else path.read_bytes()


@pytest.mark.parametrize("kind", WRONG)
async def test_a_wrong_file_where_a_durable_one_should_be_is_not_written_to(tmp_path, kind):
    """It is said in one sentence what it is, and every byte of it stays."""
    path = await filled(tmp_path, *map(str, range(500)))
    make, sentence = WRONG[kind]
    if make is _foreign:
        path.unlink()
    make(path)
    before = _content(path)
    database = opened(tmp_path)
    for _ in range(2):
        with pytest.raises(StorageError, match=sentence):
            await add(database, "a")
    database.close()
    assert _content(path) == before
    assert beside(tmp_path) == [NAME]


@pytest.mark.parametrize("kind", WRONG)
async def test_a_wrong_file_where_a_disposable_one_should_be_makes_room(tmp_path, kind):
    """The program goes on with a new file; what is not surely its own is still there, under another name."""
    path = await filled(tmp_path, *map(str, range(500)), disposable=True)
    make, _ = WRONG[kind]
    if make is _foreign:
        path.unlink()
    make(path)
    before = _content(path)
    database = opened(tmp_path, disposable=True)
    await add(database, "a")
    assert await database.read(words) == ["a"]
    database.close()
    moved = [each for each in tmp_path.iterdir() if each.name.startswith(f"{NAME}.unused-")]
    if moved:
        assert _content(moved[0]) == before
    else:
        assert kind in ("cut", "without its table", "of its own program, without number")


async def test_a_locked_file_is_worth_a_retry(tmp_path, database, monkeypatch):
    """Another program that holds it is no fault of the disk."""
    monkeypatch.setattr("prioris_mcp.adapters.sqlite.connections.BUSY_SECONDS", 0)
    await add(database, "a")
    with apsw.Connection(str(tmp_path / NAME)) as other:
        assert other.in_transaction
        other.execute("INSERT INTO word VALUES ('other')")
        with pytest.raises(StorageBusyError, match="in use by another program for now; try again") as caught:
            await add(database, "b")
    assert caught.value.retryable
    await add(database, "c")
    assert await database.read(words) == ["a", "other", "c"]


async def test_a_file_is_made_whole_or_not_at_all(tmp_path):
    """Whoever is killed while making it leaves a file of another name, which the next one removes."""

    def stop(_db):
        raise RuntimeError("killed")

    with pytest.raises(RuntimeError):
        await Database(tmp_path / NAME, (create, stop)).read(words)
    assert beside(tmp_path) == []
    (tmp_path / f"{NAME}.new-0123456789ab").write_bytes(b"half")
    (tmp_path / f"{NAME}.new-idea").write_bytes(b"somebody's")
    database = opened(tmp_path)
    assert await database.read(words) == []
    database.close()
    assert beside(tmp_path) == [NAME, f"{NAME}.new-idea"]


async def test_a_program_that_was_stopped_while_it_opened_a_file_keeps_nobody_out(tmp_path, monkeypatch):
    """Its lock on the folder is waited for, and then passed over."""
    monkeypatch.setattr(file_identity, "_PATIENCE_SECONDS", 0.05)
    with file_identity.DatabaseFile(tmp_path / "other.sqlite").alone():
        database = opened(tmp_path)
        await add(database, "a")
        assert await database.read(words) == ["a"]
        database.close()
