"""What every VectorIndex promises."""

from __future__ import annotations

import math
import struct

import pytest

from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Span
from prioris_mcp.domain.page import PageRequest
from prioris_mcp.domain.search import Scope
from prioris_mcp.domain.vectors import Embedded

pytestmark = pytest.mark.anyio
A = DocumentKey(ProviderName("arxiv"), "2106.09685v2", SourceFormat.PDF)
B = DocumentKey(ProviderName("localfile"), "20260101-0000-abcd", SourceFormat.PDF)
MODEL = "m"


def vector(*values: float) -> bytes:
    return struct.pack(f"<{len(values)}f", *values)


EAST, NORTH, BETWEEN = vector(1, 0), vector(0, 1), vector(0.6, 0.8)


def section(name: str, *vectors: bytes) -> Embedded:
    return Embedded(name, Span(len(name), 5), vectors)


@pytest.fixture
async def filled(vectors):
    await vectors.put(MODEL, A, "one:1", [section("a", EAST), section("bb", NORTH, EAST), section("ccc")])
    await vectors.put(MODEL, B, "one:2", [section("d", BETWEEN)])
    return vectors


async def found(index, query, scope=Scope(), page=PageRequest(0, 10), model=MODEL, exclude=None):  # noqa: B008 - frozen
    nears = await index.search(model, query, scope.selection(exclude), page)
    return [(near.chunk_id, round(near.distance, 3)) for near in nears.items], nears.total


async def test_the_nearest_comes_first_each_section_once(filled):
    """By its nearest window, with distance 0 for the same direction, ties in the order of storing."""
    assert await found(filled, EAST) == ([("a", 0.0), ("bb", 0.0), ("d", 0.4)], 3)
    assert await found(filled, NORTH) == ([("bb", 0.0), ("d", 0.2), ("a", 1.0)], 3)


async def test_pages_put_together_give_the_list(filled):
    """With the exact total on each."""
    whole, total = await found(filled, EAST)
    pages = [await found(filled, EAST, page=PageRequest(at, 1)) for at in range(4)]
    assert [hit for page, _ in pages for hit in page] == whole
    assert {count for _, count in pages} == {total}


async def test_scopes_and_exceptions(filled):
    """A filter acts inside the search; one document can be left out."""
    assert await found(filled, EAST, Scope(provider=ProviderName("localfile"))) == ([("d", 0.4)], 1)
    assert (await found(filled, EAST, exclude=A))[1] == 1
    assert await found(filled, EAST, Scope(B.provider, B.identifier, B.format)) == ([("d", 0.4)], 1)
    assert await found(filled, EAST, Scope(provider=ProviderName("europepmc"))) == ([], 0)


async def test_models_are_never_mixed(filled):
    """Another model finds nothing of this one, and calls it stale."""
    assert await found(filled, EAST, model="other") == ([], 0)
    assert await filled.status("other", [A]) == "stale"
    await filled.put("other", A, "one:1", [section("z", NORTH)])
    assert (await found(filled, EAST))[1] == 1
    assert await filled.status(MODEL, [A]) == "stale"


async def test_entries_are_replaced_and_removed_whole(filled):
    """Nothing of what was there before is near to anything."""
    await filled.put(MODEL, A, "one:3", [section("new", NORTH)])
    assert await found(filled, NORTH) == ([("new", 0.0), ("d", 0.2)], 2)
    await filled.remove([A, DocumentKey(ProviderName("arxiv"), "none", SourceFormat.PDF)])
    assert await found(filled, NORTH) == ([("d", 0.2)], 1)
    assert [await filled.status(MODEL, [key]) for key in (A, B)] == ["not_built", "ready"]


async def test_what_is_held_is_known(filled):
    """By document and change."""
    assert await filled.held(MODEL) == {A: "one:1", B: "one:2"}
    assert await filled.holds(MODEL, A, "one:1")
    assert not await filled.holds(MODEL, A, "one:2")
    assert not await filled.holds("other", A, "one:1")


async def test_many_stand_as_the_worst_of_them(filled):
    """Of none, it is not built."""
    gone = DocumentKey(ProviderName("arxiv"), "none", SourceFormat.PDF)
    assert await filled.status(MODEL, [A, B]) == "ready"
    await filled.put("other", A, "one:1", [section("z", NORTH)])
    assert await filled.status(MODEL, {A, B}) == "stale"
    assert await filled.status(MODEL, {A, B, gone}) == "not_built"
    assert await filled.status(MODEL, ()) == "not_built"


async def test_many_entries_come_and_go(vectors):
    """Whatever is taken out, what is left is found as if nothing else had ever been there."""
    keys = [DocumentKey(ProviderName("arxiv"), f"{2000 + n}.00001v1", SourceFormat.PDF) for n in range(60)]
    for number, key in enumerate(keys):
        parts = [section(f"{number}-{part}", vector(*unit(7 * number + part))) for part in range(number % 4)]
        await vectors.put(MODEL, key, "1", parts)
    for gone in (keys[:1], keys[5:50:2], keys[6:59], keys[::2]):
        await vectors.remove(gone)
        left = [key for key in keys if await vectors.holds(MODEL, key, "1")]
        names = {f"{keys.index(key)}-{part}" for key in left for part in range(keys.index(key) % 4)}
        hits, total = await found(vectors, EAST, page=PageRequest(0, 200))
        assert ({name for name, _ in hits}, total) == (names, len(names))
        assert [distance for _, distance in hits] == sorted(distance for _, distance in hits)


def unit(number: int) -> tuple[float, float]:
    """Some direction."""
    return math.cos(number), math.sin(number)
