"""A SQLite file with its connections: files beside it, and ends that come too early."""

from __future__ import annotations

import asyncio
import threading

import pytest

from prioris_mcp.adapters.sqlite.engine import Database
from prioris_mcp.errors import StorageError

pytestmark = pytest.mark.anyio


def create(db):
    db.execute("CREATE TABLE word(text TEXT) STRICT")


def words(db):
    return [text for (text,) in db.execute("SELECT text FROM word")]


@pytest.fixture
def database(tmp_path):
    found = Database(tmp_path / "one.sqlite", (create,), disposable=True)
    yield found
    found.close()


async def test_a_file_beside_can_be_read_and_not_written(tmp_path, database):
    """Under its name, by readers and by the writer, once it is made; what is odd in its path means nothing."""
    other = Database(tmp_path / "t'wo?mode=rw#%20.sqlite", (create,))
    both = Database(tmp_path / "three.sqlite", (create,), beside={"two": other})
    assert await both.read(lambda db: db.execute("SELECT count(*) FROM two.word").get) == 0
    await other.write(lambda db: db.execute("INSERT INTO word VALUES ('a')"))
    await both.write(lambda db: db.execute("INSERT INTO main.word SELECT text FROM two.word"))
    assert await both.read(lambda db: db.execute("SELECT text FROM main.word").get) == "a"
    with pytest.raises(StorageError, match="readonly"):
        await both.write(lambda db: db.execute("INSERT INTO two.word VALUES ('b')"))
    both.close()
    other.close()


async def test_a_reader_that_was_out_does_not_come_back(database):
    """A read that began before the file was thrown away ends on the old one; all later ones see the new one."""
    await database.write(lambda db: db.execute("INSERT INTO word VALUES ('old')"))
    reading, thrown = threading.Event(), threading.Event()

    def slow(db):
        before = words(db)
        reading.set()
        thrown.wait(30)
        return before

    task = asyncio.create_task(database.read(slow))
    await asyncio.to_thread(reading.wait, 30)
    database.discard()
    thrown.set()
    assert await task == ["old"]
    assert [await database.read(words) for _ in range(8)] == [[]] * 8


async def test_closing_does_not_wait_for_a_cancelled_write(database):
    """The thread of a cancelled call may still be at work: closing is no error, and what it does is whole."""
    writing, closed = threading.Event(), threading.Event()

    def slow(db):
        db.execute("INSERT INTO word VALUES ('a')")
        for _ in db.execute("SELECT 1"):
            writing.set()
            closed.wait(30)
        db.execute("INSERT INTO word VALUES ('b')")

    task = asyncio.create_task(database.write(slow))
    await asyncio.to_thread(writing.wait, 30)
    task.cancel()
    database.close()
    closed.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await database.read(words) in ([], ["a", "b"])


async def test_a_name_that_is_no_file_is_said(tmp_path):
    """Without the path."""
    (tmp_path / "folder").mkdir()
    broken = Database(tmp_path / "folder", (create,))
    with pytest.raises(StorageError, match="folder is no regular file; move it away") as caught:
        await broken.read(words)
    assert str(tmp_path) not in str(caught.value)
    assert list((tmp_path / "folder").iterdir()) == []


async def test_a_file_that_has_settled_is_whole_by_itself(tmp_path):
    """A copy of it alone, made beside a running program, holds what was written; not so while more is written."""
    database = Database(tmp_path / "one.sqlite", (create,))
    await database.write(lambda db: db.execute("INSERT INTO word VALUES ('a')"))
    await database.settle()
    await database.write(lambda db: db.execute("INSERT INTO word VALUES ('b')"))
    await database.settle()
    assert (tmp_path / "one.sqlite-wal").stat().st_size > 0
    await database.settle()
    assert (tmp_path / "one.sqlite-wal").stat().st_size == 0
    (tmp_path / "copy.sqlite").write_bytes((tmp_path / "one.sqlite").read_bytes())
    copy = Database(tmp_path / "copy.sqlite", (create,))
    assert await copy.read(words) == await database.read(words) == ["a", "b"]
    copy.close()
    database.close()


async def test_settling_waits_for_nobody(tmp_path, database):
    """Neither for a reader that is out nor for a file that is not open; the next time will do."""
    await database.settle()
    await database.write(lambda db: db.execute("INSERT INTO word VALUES ('a')"))
    await database.settle()
    reading, enough = threading.Event(), threading.Event()

    def slow(db):
        found = words(db)
        reading.set()
        enough.wait(30)
        return found

    task = asyncio.create_task(database.read(slow))
    await asyncio.to_thread(reading.wait, 30)
    await database.write(lambda db: db.execute("INSERT INTO word VALUES ('b')"))
    await database.settle()
    await asyncio.wait_for(database.settle(), 10)
    enough.set()
    assert await task == ["a"]
    assert await database.read(words) == ["a", "b"]
