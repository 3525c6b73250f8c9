"""Bringing documents into the library: what is stored is served, unless it is no paper or cannot be read."""

from __future__ import annotations

import pytest

from prioris_mcp.adapters.memory.coordination import MemoryLeases
from prioris_mcp.adapters.memory.library import MemoryStorageBackend
from prioris_mcp.app.concurrency import KeyedLock
from prioris_mcp.app.fetch import Fetch
from prioris_mcp.domain.documents import Artefact, DocumentKey, Download, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.errors import ProviderUnavailableError

pytestmark = pytest.mark.anyio
ARXIV, HTML = ProviderName("arxiv"), SourceFormat.HTML
KEY = DocumentKey(ARXIV, "2106.09685v2", HTML)


class Source:
    """Serves one paper; takes what begins with ``paper``."""

    formats = (HTML,)

    def __init__(self) -> None:
        self.answer: bytes | Exception = b"paper, new"
        self.downloads = 0

    async def pin(self, identifier, format):
        return KEY

    def is_paper(self, content, format):
        return content.startswith(b"paper")

    async def download(self, key, progress=None):
        self.downloads += 1
        if isinstance(self.answer, Exception):
            raise self.answer
        return Download(self.answer)


class World:
    def __init__(self) -> None:
        self.source, self.store = Source(), MemoryStorageBackend(lambda: "now")
        self.unreadable: set[DocumentKey] = set()
        self.changes = 0
        self.fetch = Fetch({ARXIV: self.source}, self.store, KeyedLock(MemoryLeases()), self.unreadable, self.changed)

    async def changed(self) -> None:
        self.changes += 1

    async def holds(self, content: bytes) -> None:
        await self.store.write_document(KEY, content, original_identifier="x")
        await self.store.write_markdown(KEY, Markdown.whole("text"), (), "test")

    async def fetched(self) -> tuple[bool, bytes | None]:
        found = await self.fetch(ARXIV, "2106.09685", HTML)
        return found.served_from_storage, await self.store.read_document(KEY)


@pytest.fixture
def world():
    return World()


async def test_a_stored_paper_is_served(world):
    """Nothing is asked."""
    await world.holds(b"paper, old")
    assert await world.fetched() == (True, b"paper, old")
    assert world.source.downloads == 0


async def test_what_is_no_paper_is_asked_for_anew(world):
    """And what was read in it goes with it; the next fetch is served from the library."""
    await world.holds(b"captcha")
    assert await world.fetched() == (False, b"paper, new")
    assert await world.store.exists(KEY, Artefact.MARKDOWN) is None
    assert world.changes == 1
    assert await world.fetched() == (True, b"paper, new")


async def test_it_stays_until_there_is_better(world):
    """A source that fails takes nothing away."""
    await world.holds(b"captcha")
    world.source.answer = ProviderUnavailableError("down")
    with pytest.raises(ProviderUnavailableError):
        await world.fetched()
    assert await world.store.read_document(KEY) == b"captcha"


async def test_what_cannot_be_read_is_asked_for_once_more(world):
    """The same bytes again change nothing, and are not asked for a third time."""
    await world.holds(b"paper, new")
    world.unreadable.add(KEY)
    assert await world.fetched() == (False, b"paper, new")
    assert await world.store.exists(KEY, Artefact.MARKDOWN) is not None
    assert await world.fetched() == (True, b"paper, new")
    assert world.source.downloads == 1
