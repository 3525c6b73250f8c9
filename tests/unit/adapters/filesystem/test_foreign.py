"""The store's folders hold things of the user's: they are never read as ours, and never deleted."""

from __future__ import annotations

import sys

import apsw
import pytest

from prioris_mcp.adapters.filesystem.backend import FilesystemStorageBackend, catalogue_of
from prioris_mcp.adapters.filesystem.blobs import Blobs
from prioris_mcp.adapters.filesystem.housekeeping import StoreMaintenance
from prioris_mcp.adapters.owners import is_dead
from prioris_mcp.domain.documents import Artefact, DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Markdown

pytestmark = pytest.mark.anyio
KEY = DocumentKey(ProviderName("arxiv"), "2106.09685v2", SourceFormat.PDF)
WORK = "0" * 64
OURS = "document-0123456789ab"

FOREIGN = [
    "documents/2024/reports/thesis.pdf",
    "documents/2024/reports/document-0123456789ab",
    "documents/letters/bank/iban.txt",
    "documents/readme.txt",
    f"documents/{WORK}/notes.md",
    f"documents/{WORK}/pdf/thesis.pdf",
    f"documents/{WORK}/pdf/document-0123456789abc",
    f"documents/{WORK}/pdf/document-0123456789AB",
    f"documents/{WORK}/pdf/metadata.jsonl.bak",
    f"documents/{WORK}/pdf/more/document-0123456789ab",
    f"documents/{WORK}/docx/document-0123456789ab",
    f"documents/{'F' * 64}/pdf/document-0123456789ab",
    f"documents/{'0' * 63}/pdf/document-0123456789ab",
    "incoming/.DS_Store",
    "incoming/a (conflicted copy)",
    "incoming/one-two-three-four",
    "incoming/a-1-2-b",
    "incoming/folder/x",
]


@pytest.fixture
def both(tmp_path):
    root = tmp_path / "store"
    blobs, catalogue = Blobs(root), catalogue_of(root)
    yield (
        FilesystemStorageBackend(blobs, catalogue, lambda: "2026-01-01T00:00:00+00:00"),
        StoreMaintenance(blobs, catalogue),
    )
    catalogue.close()


async def fill(store):
    await store.write_document(KEY, b"%PDF-1", original_identifier="x")
    await store.write_markdown(KEY, Markdown.whole("# A\n\none"), (), "test-1")


def put(path, content=b"mine"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


async def test_what_is_not_ours_stays_where_it_is(both, tmp_path, caplog):
    """Through a sweep, a repair and deletes, wherever a name or a folder differs from ours; and it is said once."""
    store, house = both
    root = tmp_path / "store"
    paths = [put(root / name) for name in FOREIGN]
    ours = put(root / "documents" / WORK / "html" / OURS)
    await fill(store)
    assert await house.sweep() == 1
    assert "which is left alone" in caplog.text
    assert await house.recover() == 0
    await store.delete(KEY, tuple(Artefact))
    assert [path for path in paths if path.read_bytes() != b"mine"] == []
    assert not ours.exists()
    survey = await house.survey()
    # A folder that is not ours is named as a whole, and not searched.
    assert {name.split("/")[-1] for name in survey.foreign} >= {"2024", "letters", "readme.txt", "docx", ".DS_Store"}
    assert (survey.strays, survey.unlisted) == (0, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="making a link needs a right there that users lack")
@pytest.mark.parametrize("where", ["documents", "work", "format", "file", "incoming"])
async def test_nothing_is_deleted_through_a_link(both, tmp_path, where):
    """A link in place of any of our folders or files leads nowhere: what is behind it stays, and so does the link."""
    store, house = both
    root, victim = tmp_path / "store", tmp_path / "victim"
    link = {
        "documents": root / "documents",
        "work": root / "documents" / WORK,
        "format": root / "documents" / WORK / "pdf",
        "file": root / "documents" / WORK / "pdf" / OURS,
        "incoming": root / "incoming",
    }[where]
    inside = {
        "documents": victim / WORK / "pdf" / OURS,
        "work": victim / "pdf" / OURS,
        "format": victim / OURS,
        "file": victim / "thesis.docx",
        "incoming": victim / f"{'0' * 8}-99999999-1-{'0' * 12}",
    }[where]
    put(inside)
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(inside if where == "file" else victim)
    await house.sweep()
    await house.recover()
    assert inside.read_bytes() == b"mine"
    assert link.is_symlink()
    if where not in ("documents", "incoming"):
        assert (await house.survey()).foreign
    del store


@pytest.mark.parametrize("name", ["../../../victim", "/victim", "..", "", "document-0123456789ab/../../../victim"])
async def test_a_damaged_catalogue_leads_nowhere_else(both, tmp_path, name):
    """What its rows name is neither served nor deleted where it is not a file of ours."""
    store, house = both
    await fill(store)
    victim = put(tmp_path / "victim")
    with apsw.Connection(str(tmp_path / "store" / "catalogue.sqlite")) as db:
        db.execute("UPDATE artefact SET name = ?, size = 4", (name if name != "/victim" else str(victim),))
    assert await store.read_document(KEY) is None
    assert await store.exists(KEY, Artefact.DOCUMENT) is None
    await store.delete(KEY, tuple(Artefact))
    await house.sweep()
    assert victim.read_bytes() == b"mine"


async def test_an_empty_folder_of_a_work_goes(both, tmp_path):
    """As a process leaves it that is killed between two steps of a delete; the survey sees it before."""
    _, house = both
    empty = tmp_path / "store" / "documents" / WORK
    empty.mkdir(parents=True)
    (tmp_path / "store" / "documents" / "2024").mkdir()
    assert (await house.survey()).strays == 1
    assert await house.sweep() == 1
    assert not empty.exists()
    assert (tmp_path / "store" / "documents" / "2024").exists()


@pytest.mark.parametrize(
    "name", ["", "x", "a-b-c-d", "-".join(["00000000"] * 4), "00000000-1-2-3", ".DS_Store", "1-2-3"]
)
def test_a_name_of_somebody_else_is_no_dead_owner(name):
    """Neither an error nor a reason to delete anything."""
    assert not is_dead(name)
