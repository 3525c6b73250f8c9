"""Markdown renewed from stored originals."""

from __future__ import annotations

from contextlib import asynccontextmanager
from itertools import count
from types import SimpleNamespace

import pytest

from prioris_mcp.adapters.localfile.provider import LocalFileProvider
from prioris_mcp.adapters.memory.library import MemoryStorageBackend
from prioris_mcp.app.library import Library
from prioris_mcp.app.parse import Parse, Reparse, ReparseOutcome
from prioris_mcp.domain.changes import Parsed
from prioris_mcp.domain.documents import Artefact, DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.errors import NotFoundError, ParseError
from prioris_mcp.wiring import diagnosis

pytestmark = pytest.mark.anyio
FIRST, SECOND = (DocumentKey(ProviderName("localfile"), f"20260101-0000-000{n}", SourceFormat.PDF) for n in (1, 2))


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
    async def hold(self, verb, key):
        yield


@pytest.fixture
async def world():
    """A library of two parsed documents, a parser that may change, and a count of how often an index was told."""
    seconds, told = count(), []
    store, parser = MemoryStorageBackend(lambda: str(next(seconds))), Upper()
    library = Library({ProviderName("localfile"): LocalFileProvider()}, store)

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
    assert (done.outcome, done.before) == (ReparseOutcome.RENEWED, "upper-1")
    assert await world.reparse.outdated() == (Parsed(SECOND, "upper-1"),)
    assert (await world.store.read_markdown(FIRST)).text == "ONE upper-2"
    assert world.told == [1]


async def test_the_same_text_is_told_from_a_new_one(world):
    """It counts as parsed by the new version all the same."""
    assert (await world.reparse(Parsed(FIRST, "upper-1"))).outcome is ReparseOutcome.UNCHANGED


async def test_what_fails_keeps_its_markdown(world):
    """With the reason, and without a word to the index."""
    world.parser.version, world.parser.fails = "upper-2", b"one"
    done = await world.reparse(Parsed(FIRST, "upper-1"))
    assert (done.outcome, str(done.failure)) == (ReparseOutcome.FAILED, "too loud")
    assert (await world.store.read_markdown(FIRST)).text == "ONE upper-1"
    assert world.told == []


async def test_without_its_original_it_stays_as_it_is(world):
    """Nothing is fetched to renew it."""
    await world.store.delete(FIRST, (Artefact.DOCUMENT,))
    done = await world.reparse(Parsed(FIRST, "upper-1"))
    assert (done.outcome, "not in the library" in str(done.failure)) == (ReparseOutcome.FAILED, True)
    assert (await world.store.read_markdown(FIRST)).text == "ONE upper-1"


async def test_documents_are_chosen_by_name(world):
    """Whatever version made them; one that was never parsed is an error."""
    assert await world.reparse.named(ProviderName("localfile"), SECOND.identifier) == (Parsed(SECOND, "upper-1"),)
    await world.store.delete(SECOND, (Artefact.MARKDOWN,))
    with pytest.raises(NotFoundError, match="was parsed yet"):
        await world.reparse.named(ProviderName("localfile"), SECOND.identifier)


class Meddling(Upper):
    """While it parses, something else happens to the library."""

    def __init__(self, meanwhile):
        super().__init__()
        self.meanwhile = [meanwhile]

    async def parse(self, content, progress=None, files_at=""):
        if self.meanwhile:
            await self.meanwhile.pop()()
        return await super().parse(content, progress, files_at)


async def _meddled(world, key, meanwhile):
    """A parse of the deleted Markdown of *key* during which *meanwhile* happens."""
    await world.store.delete(key, (Artefact.MARKDOWN,))
    parser = Meddling(meanwhile)
    library = Library({ProviderName("localfile"): LocalFileProvider()}, world.store)

    async def stored():
        world.told.append(1)

    return Parse(library, world.store, dict.fromkeys(SourceFormat, parser), Alone(), stored), parser


@pytest.mark.parametrize("artefacts", [(Artefact.DOCUMENT,), tuple(Artefact)])
async def test_a_document_deleted_while_it_is_parsed_stays_deleted(world, artefacts):
    """The caller is told what to do, and neither the library nor an index hears of its text."""
    parse, _ = await _meddled(world, FIRST, lambda: world.store.delete(FIRST, artefacts))
    with pytest.raises(NotFoundError, match="not in the library"):
        await parse.once(FIRST, None)
    assert await world.store.read_markdown(FIRST) is None
    assert world.told == []


async def test_a_document_fetched_again_while_it_is_parsed_is_parsed_again(world):
    """What is stored is the text of the document that is stored."""

    async def other():
        await world.store.delete(FIRST, tuple(Artefact))
        await world.store.write_document(FIRST, b"new", original_identifier="x")

    parse, _ = await _meddled(world, FIRST, other)
    assert (await parse.once(FIRST, None)).text == "NEW upper-1"
    assert (await world.store.read_markdown(FIRST)).text == "NEW upper-1"


@pytest.mark.parametrize("artefacts", [(Artefact.MARKDOWN,), (Artefact.DOCUMENT,), tuple(Artefact)])
async def test_what_is_deleted_while_it_is_renewed_stays_deleted(world, artefacts):
    """Markdown alone, its document alone, or both: nothing comes back, and what was not deleted is as it was."""
    parse, parser = await _meddled(world, SECOND, lambda: world.store.delete(FIRST, artefacts))
    parser.version = "upper-2"
    done = await Reparse(parse._library, world.store, parse)(Parsed(FIRST, "upper-1"))
    assert (done.outcome, "deleted meanwhile" in str(done.failure)) == (ReparseOutcome.FAILED, True)
    there = await world.store.revision(FIRST)
    assert (there.document is None) == (Artefact.DOCUMENT in artefacts)
    assert (there.markdown is None) == (Artefact.MARKDOWN in artefacts)
    if there.markdown:
        assert (await world.store.read_markdown(FIRST)).text == "ONE upper-1"


async def test_what_was_deleted_before_its_turn_is_not_renewed(world):
    """A long renewal of many documents chooses them at its beginning."""
    await world.store.delete(FIRST, (Artefact.MARKDOWN,))
    done = await world.reparse(Parsed(FIRST, "upper-1"))
    assert (done.outcome, "deleted meanwhile" in str(done.failure)) == (ReparseOutcome.FAILED, True)
    assert await world.store.read_markdown(FIRST) is None


def test_the_diagnosis_names_what_is_outdated():
    """Ten at most by name, the others as a number; the way on is in the sentence."""
    versions = dict.fromkeys(SourceFormat, "b")
    assert diagnosis.parsers([Parsed(FIRST, "b")], versions).ok is True
    check = diagnosis.parsers([Parsed(FIRST, "b"), *[Parsed(SECOND, "a")] * 12], versions)
    assert check.ok is None
    assert check.text.startswith(f"12 of 13 documents were parsed by other versions: {SECOND} by a, ")
    assert "and 2 more; prioris-mcp reparse renews them" in check.text
