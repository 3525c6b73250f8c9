"""Answers of sources that are not what they were: a result or one of our errors, and never anything else."""

from __future__ import annotations

import contextlib
import copy
import json
from collections.abc import Iterator
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prioris_mcp.adapters.arxiv.client import ArxivApi
from prioris_mcp.adapters.http import jsonbody
from prioris_mcp.adapters.openalex import decode
from prioris_mcp.domain.discovery import DiscoveryQuery, route
from prioris_mcp.errors import PriorisError, ProviderUnavailableError
from tests.unit.adapters.answering import FEED, LIMITS, PAGE, WORKS, Upstream, europepmc, openalex

ODD = st.sampled_from([
    None, True, False, 0, -1, 10**25, 1.5, "", " ", "x", "<i>x</i>", "\ud800", "9" * 5000, [], {}, [None], [[]],
    ["a", "b"], {"a": None}, [{"x": [1]}], {"result": "x"}, {"author": "Jones A"}, {"fullTextId": 7},
])  # fmt: skip
NO_JSON = [
    b'{"hitCount": NaN, "results": [NaN]}',
    b'{"hitCount": 1e999, "results": []}',
    b'{"hitCount": -Infinity, "results": Infinity}',
    b"[" * 1_000_000,
    b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    b'{"hitCount": ' + b"9" * 5000 + b', "results": []}',
    b'{"hitCount": "\xff", "results": []}',
    b"\x00",
    b'"',
    b"{",
]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in *value*: what holds it, and under which key."""
    keys = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(keys):
        yield value, key
        yield from places(inner)


@st.composite
def mutations(draw: st.DrawFn, original: Any) -> bytes:
    """*original* with one to three of its places changed or gone."""
    value = json.loads(json.dumps(original))
    for _ in range(draw(st.integers(1, 3))):
        holder, key = draw(st.sampled_from(list(places(value)) or [({}, "x")]))
        if isinstance(holder, dict) and draw(st.booleans()):
            holder.pop(key, None)
        elif holder:
            holder[key] = copy.deepcopy(draw(ODD))
    return json.dumps(value).encode()


@st.composite
def torn(draw: st.DrawFn, original: str) -> bytes:
    """*original* with a piece of it gone, doubled or replaced."""
    start, length = draw(st.integers(0, len(original))), draw(st.integers(0, 60))
    piece = draw(
        st.sampled_from(["", "<", ">", "&", "abs/x y", "9" * 5000, "<entry/>", original[start : start + length] * 2])
    )
    return (original[:start] + piece + original[start + length :]).encode("utf-8", "replace")


@given(mutations(PAGE))
def test_any_answer_of_europe_pmc_is_records_or_an_error(body: bytes) -> None:
    """And what comes can be sent on."""

    async def ask() -> None:
        found = await europepmc(Upstream(body)).search("x", page_size=4, cursor_mark="*")
        assert json.dumps(found.model_dump(), allow_nan=False)

    _ours(ask)


@given(mutations(WORKS))
def test_any_answer_of_openalex_is_works_or_an_error(body: bytes) -> None:
    """Each with a route."""

    async def ask() -> None:
        for work in (await openalex(Upstream(body)).find(DiscoveryQuery("x", 3))).items:
            assert route(work).kind
        await openalex(Upstream(body)).work_types()
        decode.reason(body), decode.retry_after(body)

    _ours(ask)


@given(torn(FEED))
def test_any_feed_of_arxiv_is_records_or_an_error(body: bytes) -> None:
    """Whatever piece of it is missing."""

    async def ask() -> None:
        await ArxivApi(Upstream(body), LIMITS).page("https://x", 0, 3)

    _ours(ask)


@pytest.mark.parametrize("body", NO_JSON, ids=lambda body: repr(body[:24]))
def test_what_is_no_json_is_a_failure_of_the_source(body: bytes) -> None:
    """A retry may help; depth is bounded before anything is built."""
    for ask in (
        lambda: europepmc(Upstream(body)).search("x", page_size=4, cursor_mark="*"),
        lambda: openalex(Upstream(body)).find(DiscoveryQuery("x", 3)),
    ):
        with pytest.raises(ProviderUnavailableError, match="try again later"):
            anyio.run(ask)


def test_depth_is_counted_outside_of_strings() -> None:
    """As many levels as are allowed, and one more."""
    assert jsonbody.decoded(b"[" * 64 + b'"[[[[\\"[[["' + b"]" * 64)
    with pytest.raises(jsonbody.NotJsonError, match="64 levels"):
        jsonbody.decoded(b"[" * 65 + b"]" * 65)


def _ours(ask: Any) -> None:
    with contextlib.suppress(PriorisError):
        anyio.run(ask)
