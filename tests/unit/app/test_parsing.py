"""Markdown renewed from stored originals."""

from __future__ import annotations

from contextlib import asynccontextmanager
from itertools import count
from types import SimpleNamespace

import pytest

from prioris_mcp.adapters.localfile.provider import LocalFileProvider
from prioris_mcp.adapters.memory.library import MemoryStorageBackend
from prioris_mcp.app import diagnosis
from prioris_mcp.app.parsing import Outcome, Parse, Reparse
from prioris_mcp.app.reading import Library
from prioris_mcp.domain.documents import Artefact, DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.library import Parsed
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.errors import NotFoundError, ParseError

pytestmark = pytest.mark.anyio
FIRST, SECOND = (DocumentKey(ProviderName.LOCALFILE, f"20260101-0000-000{n}", SourceFormat.PDF) for n in (1, 2))


class Upper:
    """Shouts; fails on what it is told."""

    def __init__(self):
        self.version, self.fails = "upper-1", b""

    async def parse(self, content, progress=None, files_at=""):
        if content == self.fails:
            raise ParseError("too loud")
        return Markdown.of_pages([f"{content.decode().upper()} {self.version}"])


class Alone:
    @asynccontextmanager
    async def only(self, verb, key):
        yield


@pytest.fixture
async def world():
    """A library of two parsed documents, a parser that may change, and a count of how often an index was told."""
    seconds, told = count(), []
    store, parser = MemoryStorageBackend(lambda: str(next(seconds))), Upper()
    library = Library({ProviderName.LOCALFILE: LocalFileProvider()}, store)

    async def stored():
        told.append(1)

    parse = Parse(library, store, dict.fromkeys(SourceFormat, parser), Alone(), stored)
    for key, content in ((FIRST, b"one"), (SECOND, b"two")):
        await store.write_document(key, content, original_identifier="x")
        await parse.once(key, None)
    told.clear()
    return SimpleNamespace(store=store, parser=parser, parse=parse, reparse=Reparse(library, store, parse), told=told)


async def test_only_what_another_version_made_is_outdated(world):
    """After a renewal by the new one it no longer is."""
    assert await world.reparse.outdated() == ()
    world.parser.version = "upper-2"
    assert await world.reparse.outdated() == (Parsed(FIRST, "upper-1"), Parsed(SECOND, "upper-1"))
    done = await world.reparse(Parsed(FIRST, "upper-1"))
    assert (done.outcome, done.before) == (Outcome.RENEWED, "upper-1")
    assert await world.reparse.outdated() == (Parsed(SECOND, "upper-1"),)
    assert (await world.store.read_markdown(FIRST)).text == "ONE upper-2"
    assert world.told == [1]


async def test_the_same_text_is_told_from_a_new_one(world):
    """It counts as parsed by the new version all the same."""
    assert (await world.reparse(Parsed(FIRST, "upper-1"))).outcome is Outcome.UNCHANGED


async def test_what_fails_keeps_its_markdown(world):
    """With the reason, and without a word to the index."""
    world.parser.version, world.parser.fails = "upper-2", b"one"
    done = await world.reparse(Parsed(FIRST, "upper-1"))
    assert (done.outcome, done.reason) == (Outcome.FAILED, "too loud")
    assert (await world.store.read_markdown(FIRST)).text == "ONE upper-1"
    assert world.told == []


async def test_without_its_original_it_stays_as_it_is(world):
    """Nothing is fetched to renew it."""
    await world.store.delete(FIRST, (Artefact.DOCUMENT,))
    done = await world.reparse(Parsed(FIRST, "upper-1"))
    assert (done.outcome, "not in the library" in done.reason) == (Outcome.FAILED, True)
    assert (await world.store.read_markdown(FIRST)).text == "ONE upper-1"


async def test_documents_are_chosen_by_name(world):
    """Whatever version made them; one that was never parsed is an error."""
    assert await world.reparse.named(ProviderName.LOCALFILE, SECOND.identifier) == (Parsed(SECOND, "upper-1"),)
    await world.store.delete(SECOND, (Artefact.MARKDOWN,))
    with pytest.raises(NotFoundError, match="was parsed yet"):
        await world.reparse.named(ProviderName.LOCALFILE, SECOND.identifier)


def test_the_diagnosis_names_what_is_outdated():
    """Ten at most by name, the others as a number; the way on is in the sentence."""
    versions = dict.fromkeys(SourceFormat, "b")
    assert diagnosis.parsers([Parsed(FIRST, "b")], versions).ok is True
    check = diagnosis.parsers([Parsed(FIRST, "b"), *[Parsed(SECOND, "a")] * 12], versions)
    assert check.ok is None
    assert check.text.startswith(f"12 of 13 documents were parsed by other versions: {SECOND} by a, ")
    assert "and 2 more; prioris-mcp reparse renews them" in check.text
