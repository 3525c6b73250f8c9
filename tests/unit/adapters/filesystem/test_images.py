"""Images on disk: files beside their Markdown, and nothing of them without it."""

from __future__ import annotations

import json

import pytest

from prioris_mcp.adapters.filesystem import images as stored_images
from prioris_mcp.adapters.filesystem.housekeeping import Survey
from prioris_mcp.domain.documents import Artefact
from prioris_mcp.domain.markdown import Image, Markdown
from prioris_mcp.errors import StorageError
from tests.unit.adapters.filesystem.test_backend import BOTH, KEY, files, opened

pytestmark = pytest.mark.anyio
DOT = Image("p2_1", "image/png", b"\x89PNG dot")
TEXT = Markdown.of_pages(["one\n\n", f"![Image on page 2]({KEY.uri('images/p2_1')})\n\n"])
SHOWN = Markdown(TEXT.text, TEXT.leaves, paged=True, images=(DOT,))


@pytest.fixture
async def store(tmp_path):
    """A store that holds one Markdown with one image."""
    backend, _, catalogue = opened(tmp_path)
    await backend.write_markdown(KEY, SHOWN, (), "test-1")
    yield backend
    catalogue.close()


def images(root):
    return [path for path in files(root) if path.name.startswith("image-")]


async def test_an_image_is_one_file(store, tmp_path):
    """Under a hash and a fixed word; the file goes when the Markdown goes, and the folders with the last one."""
    assert len(images(tmp_path)) == 1
    await store.delete(KEY, BOTH)
    assert list((tmp_path / "documents").iterdir()) == []


async def test_a_later_parse_leaves_no_image_behind(store, tmp_path):
    """The files of the replaced Markdown are gone."""
    await store.write_markdown(KEY, TEXT, (), "test-2")
    assert images(tmp_path) == []


async def test_a_failed_write_leaves_the_images_that_were(store, tmp_path, monkeypatch):
    """Neither a file of the new ones, nor less of the old ones."""
    before = files(tmp_path)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(stored_images, "put", fail)
        with pytest.raises(StorageError, match="No space left on device"):
            await store.write_markdown(KEY, SHOWN, (), "test-2")
    assert files(tmp_path) == before
    assert list((tmp_path / "incoming").iterdir()) == []
    assert await store.read_image(KEY, "p2_1") == DOT


async def test_the_manifest_says_where_an_image_is_shown(store, tmp_path):
    """A row of kind image with its page, and the span of its place in the text."""
    _, _, catalogue = opened(tmp_path)
    query = "SELECT id, key, provenance, spans FROM manifest WHERE kind = 'image'"
    ((name, page, provenance, spans),) = await catalogue.read(lambda db: list(db.execute(query)))
    catalogue.close()
    assert (name, page, provenance) == ("p2_1", "2", "parser")
    (span,) = json.loads(spans)
    assert TEXT.text[span["start"] : span["start"] + span["length"]] == TEXT.text[5:].strip()


async def test_sweeping_knows_images(store, tmp_path):
    """Those that are listed stay, one that nothing lists goes."""
    _, house, catalogue = opened(tmp_path)
    (tmp_path / images(tmp_path)[0]).with_name("image-000000000000").write_bytes(b"x")
    assert await house.survey() == Survey(listed=1, strays=1, unlisted=0)
    assert await house.sweep() == 1
    assert await store.read_image(KEY, "p2_1") == DOT
    catalogue.close()


async def test_a_lost_catalogue_costs_no_image(tmp_path):
    """They are listed again from the sidecar, unless their bytes are others now."""
    gone = Image("p1_1", "image/png", b"another")
    store, _, catalogue = opened(tmp_path)
    await store.write_markdown(KEY, Markdown(TEXT.text, TEXT.leaves, paged=True, images=(gone, DOT)), (), "test-1")
    catalogue.close()
    for path in tmp_path.glob("catalogue.sqlite*"):
        path.unlink()
    for path in images(tmp_path):
        if (tmp_path / path).read_bytes() == gone.content:
            (tmp_path / path).write_bytes(b"changed")
    store, house, catalogue = opened(tmp_path)
    assert await house.sweep() == 0
    assert await house.recover() == 1
    assert [await store.read_image(KEY, name) for name in ("p1_1", "p2_1")] == [None, DOT]
    catalogue.close()


async def test_a_damaged_image_is_not_served(store, tmp_path):
    """Another size than was stored is an error."""
    (tmp_path / images(tmp_path)[0]).write_bytes(b"x")
    with pytest.raises(StorageError, match=r"p2_1 of .* is damaged"):
        await store.read_image(KEY, "p2_1")
    await store.delete(KEY, (Artefact.MARKDOWN,))
    assert await store.read_image(KEY, "p2_1") is None
