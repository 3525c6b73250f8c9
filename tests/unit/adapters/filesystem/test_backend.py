"""The library on disk: what lies there, and what heals."""

from __future__ import annotations

import json

import apsw
import pytest

from prioris_mcp.adapters.filesystem import catalogue
from prioris_mcp.adapters.filesystem.backend import FilesystemStorageBackend, catalogue_of
from prioris_mcp.adapters.filesystem.blobs import Blobs
from prioris_mcp.adapters.filesystem.housekeeping import StoreMaintenance, Survey
from prioris_mcp.adapters.sqlite.engine import Database
from prioris_mcp.domain import chunks
from prioris_mcp.domain.documents import Artefact, DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.errors import StorageError

pytestmark = pytest.mark.anyio
KEY = DocumentKey(ProviderName("arxiv"), "hep-th/9901001v1", SourceFormat.PDF)
TEXT = Markdown.of_pages(["# A\n\none\n\n", "# B\n\ntwo\n\n"])
BOTH = (Artefact.DOCUMENT, Artefact.MARKDOWN)


def opened(root):
    """A store in *root* and what looks after it."""
    blobs, catalogue = Blobs(root), catalogue_of(root)
    store = FilesystemStorageBackend(blobs, catalogue, lambda: "2026-01-01T00:00:00+00:00")
    return store, StoreMaintenance(blobs, catalogue), catalogue


@pytest.fixture
def both(tmp_path):
    store, house, catalogue = opened(tmp_path)
    yield store, house
    catalogue.close()


@pytest.fixture
def store(both):
    return both[0]


@pytest.fixture
def house(both):
    return both[1]


async def fill(store):
    await store.write_document(KEY, b"%PDF-1", original_identifier="hep-th/9901001")
    await store.write_markdown(KEY, TEXT, chunks.split(KEY, TEXT.text), "test-1")


def files(root):
    return sorted(path.relative_to(root) for path in (root / "documents").rglob("*") if path.is_file())


async def test_paths_are_hashes_and_fixed_words(store, tmp_path):
    """No identifier becomes part of a path, and every name is valid on every operating system."""
    await fill(store)
    names = files(tmp_path)
    assert len(names) == 3
    for name in names:
        folder, work, format_, file = name.parts
        assert (folder, work, format_) == ("documents", KEY.work_digest, "pdf")
        assert file == "metadata.jsonl" or file.split("-")[0] in BOTH
        assert set(file) <= set("abcdefghijklmnopqrstuvwxyz0123456789-.")


async def test_the_sidecar_repeats_the_catalogue(store, tmp_path):
    """Everything the catalogue could be rebuilt from stands beside the files."""
    await fill(store)
    sidecar = next((tmp_path / "documents").rglob("metadata.jsonl"))
    lines = {line["artefact"]: line for line in map(json.loads, sidecar.read_text("utf-8").splitlines())}
    assert set(lines) == set(BOTH)
    assert lines["document"]["original_identifier"] == "hep-th/9901001"
    assert lines["markdown"]["leaves"] == [[leaf.start, leaf.length] for leaf in TEXT.leaves]
    for line in lines.values():
        content = (sidecar.parent / line["name"]).read_bytes()
        assert (line["identifier"], line["size"]) == ("hep-th/9901001v1", len(content))


async def test_deleting_everything_leaves_nothing(store, tmp_path):
    """The last artefact takes the folders with it."""
    await fill(store)
    await store.delete(KEY, (Artefact.MARKDOWN,))
    assert len(files(tmp_path)) == 2
    await store.delete(KEY, BOTH)
    assert list((tmp_path / "documents").iterdir()) == []


async def test_a_second_parse_leaves_one_file(store, tmp_path):
    """The replaced text is gone from the disk."""
    await fill(store)
    before = files(tmp_path)
    await fill(store)
    assert len(files(tmp_path)) == len(before)
    assert files(tmp_path) != before


async def test_a_failed_write_changes_nothing(store, tmp_path, monkeypatch):
    """Neither the rows nor the files, and the next write works."""
    await fill(store)
    before = files(tmp_path)

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(catalogue, "put_manifest", fail)
        with pytest.raises(StorageError, match="No space left on device"):
            await store.write_markdown(KEY, Markdown.whole("other"), (), "test-2")
    assert files(tmp_path) == before
    assert await store.read_markdown(KEY) == TEXT
    assert list((tmp_path / "incoming").iterdir()) == []
    await fill(store)


async def test_errors_name_no_path(tmp_path):
    """A folder that cannot be used is a sentence without its place."""
    (tmp_path / "file").write_text("in the way")
    store, _, _ = opened(tmp_path / "file")
    with pytest.raises(StorageError) as caught:
        await store.exists(KEY, Artefact.DOCUMENT)
    assert str(tmp_path) not in str(caught.value)


async def test_a_file_that_was_removed_by_hand_counts_as_not_stored(store, tmp_path):
    """It can be fetched again, and the row then names the new file."""
    await fill(store)
    next((tmp_path / "documents").rglob("document-*")).unlink()
    assert await store.exists(KEY, Artefact.DOCUMENT) is None
    assert await store.read_document(KEY) is None
    await store.write_document(KEY, b"%PDF-2", original_identifier="x")
    assert await store.read_document(KEY) == b"%PDF-2"


async def test_a_damaged_file_is_not_served(store, tmp_path):
    """A file of another size than was stored is an error, not a document."""
    await fill(store)
    next((tmp_path / "documents").rglob("document-*")).write_bytes(b"%P")
    with pytest.raises(StorageError, match="damaged; delete it and fetch it again"):
        await store.read_document(KEY)


async def test_sweeping_removes_what_nothing_lists(store, house, tmp_path):
    """Strays, their empty folders and abandoned staging files go; what is listed stays."""
    await fill(store)
    kept = files(tmp_path)
    stray = tmp_path / "documents" / KEY.work_digest / "pdf" / "document-000000000000"
    lost = tmp_path / "documents" / ("0" * 64) / "html"
    lost.mkdir(parents=True)
    for path in (stray, lost / "document-0123456789ab", lost / "metadata.jsonl"):
        path.write_bytes(b"x")
    assert await house.sweep() == 3
    assert files(tmp_path) == kept
    assert not lost.exists()
    assert await house.sweep() == 0


async def test_sweeping_leaves_the_work_of_living_processes(house, tmp_path):
    """What another process is about to place is not touched; what a dead one left is."""
    blobs = Blobs(tmp_path)
    mine = blobs.stage(b"x")
    node, _, life, token = mine.name.split("-")
    dead = mine.with_name(f"{node}-{2**22 + 1}-{life}-{token}")
    dead.write_bytes(b"y")
    assert await house.sweep() == 1
    assert mine.exists()
    mine.unlink()


async def test_a_newer_catalogue_is_not_touched(tmp_path):
    """A store of a later version says so, and stays as it is."""
    store, _, catalogue = opened(tmp_path)
    await fill(store)
    catalogue.close()
    connection = apsw.Connection(str(tmp_path / "catalogue.sqlite"))
    connection.pragma("user_version", 99)
    connection.close()
    newer, _, catalogue = opened(tmp_path)
    with pytest.raises(StorageError, match="newer version"):
        await newer.exists(KEY, Artefact.DOCUMENT)
    catalogue.close()


async def test_a_lost_catalogue_costs_nothing(tmp_path):
    """Sweeping keeps what the lost one listed, and everything comes back from the sidecars."""
    store, _, catalogue = opened(tmp_path)
    await fill(store)
    key = (
        await store.add_document(
            ProviderName("localfile"),
            SourceFormat.PDF,
            b"%PDF-l",
            alias="a",
            names=iter(["n"]),
            original_identifier="f.pdf",
        )
    ).key
    before = await store.list(None, None, offset=0, limit=10)
    catalogue.close()
    for path in tmp_path.glob("catalogue.sqlite*"):
        path.unlink()
    store, house, catalogue = opened(tmp_path)
    assert await house.sweep() == 0
    assert (await house.survey()) == Survey(listed=0, strays=0, unlisted=3)
    assert await house.recover() == 3
    assert set((await store.list(None, None, offset=0, limit=10)).items) == set(before.items)
    assert await store.read_markdown(KEY) == TEXT
    assert await store.read_chunks(KEY) == chunks.split(KEY, TEXT.text)
    assert await store.find_alias(ProviderName("localfile"), "a") == key.identifier
    assert (await house.survey()) == Survey(listed=3, strays=0, unlisted=0)
    catalogue.close()


async def test_a_damaged_catalogue_is_set_aside(tmp_path):
    """Surveying says so; recovering makes a new one, and keeps the old."""
    store, _, catalogue = opened(tmp_path)
    await fill(store)
    catalogue.close()
    for path in tmp_path.glob("catalogue.sqlite*"):
        path.unlink()
    (tmp_path / "catalogue.sqlite").write_bytes(b"no database at all " * 100)
    store, house, catalogue = opened(tmp_path)
    with pytest.raises(StorageError, match="is damaged"):
        await house.survey()
    assert await house.recover() == 2
    assert await store.read_markdown(KEY) == TEXT
    assert len(list(tmp_path.glob("catalogue.sqlite.damaged-*"))) == 1
    catalogue.close()


async def test_changed_bytes_are_not_listed_again(tmp_path):
    """A file that is not what its sidecar says stays unlisted."""
    store, _, catalogue = opened(tmp_path)
    await fill(store)
    catalogue.close()
    for path in tmp_path.glob("catalogue.sqlite*"):
        path.unlink()
    next((tmp_path / "documents").rglob("document-*")).write_bytes(b"%PDF-X")
    _, house, catalogue = opened(tmp_path)
    assert await house.recover() == 1
    catalogue.close()


async def test_a_failed_migration_is_undone(tmp_path):
    """The schema and its number change together or not at all."""

    def one(db):
        db.execute("CREATE TABLE a(x)")

    def broken(db):
        db.execute("CREATE TABLE b(x)")
        db.execute("CREATE TABLE b(x)")

    path = tmp_path / "x.sqlite"
    first = Database(path, (one,))
    await first.write(lambda db: None)
    first.close()
    with pytest.raises(StorageError, match="could not be written: table b already exists"):
        await Database(path, (one, broken)).write(lambda db: None)
    again = Database(path, (one, lambda db: db.execute("CREATE TABLE b(x)")))
    await again.write(lambda db: db.execute("INSERT INTO b VALUES (1)"))
    again.close()
