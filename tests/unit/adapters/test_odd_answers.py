"""Answers of sources with fields that are odd, missing, or contradict each other."""

from __future__ import annotations

import json
from typing import Any

import anyio
import pytest

from prioris_mcp.adapters.arxiv.client import ArxivApi
from prioris_mcp.adapters.arxiv.provider import ArxivProvider
from prioris_mcp.adapters.doi.resolver import DoiResolver
from prioris_mcp.adapters.europepmc.client import EuropePmcApi
from prioris_mcp.adapters.memory.library import MemoryStorageBackend
from prioris_mcp.adapters.openalex import decode
from prioris_mcp.domain.discovery import DiscoveryQuery
from prioris_mcp.domain.plaintext import plain
from prioris_mcp.domain.sources.doi import Doi
from prioris_mcp.domain.sources.europepmc import EuropePmcId
from prioris_mcp.errors import InvalidRequestError, ProviderUnavailableError, RateLimitedError
from tests.replay import arxiv_feed
from tests.unit.adapters.answering import FEED, LIMITS, PAGE, Upstream, europepmc, openalex


@pytest.mark.parametrize("hits", [None, "many", -1, True, [4], {}, 1.5])
def test_a_count_that_is_none_is_a_failure(hits: Any) -> None:
    """Not a page without hits."""
    body = json.dumps({**PAGE, "hitCount": hits}).encode()
    with pytest.raises(ProviderUnavailableError, match="hitCount"):
        anyio.run(lambda: europepmc(Upstream(body)).search("x", page_size=4, cursor_mark="*"))


@pytest.mark.parametrize(
    ("fields", "title", "names"),
    [
        ({"title": ["a", "b"], "authorList": {"author": {"fullName": "A B"}}}, "a b", ["A B"]),
        (
            {"title": {"x": 1}, "authorString": "Smith J, Jones AB, The Group."},
            None,
            ["Smith J", "Jones AB", "The Group"],
        ),
        ({"title": 7, "authorList": {"author": [{}, "Doe J", {"collectiveName": "WHO"}]}}, "7", ["Doe J", "WHO"]),
        ({"title": "&lt;i&gt;E. coli&lt;/i&gt;, P&lt;0.001", "authorList": None}, "E. coli, P<0.001", []),
    ],
)
def test_odd_records_of_europe_pmc_say_what_they_can(fields: Any, title: str | None, names: list[str]) -> None:
    """Lists where one text should be, and authors as one line."""
    body = json.dumps({"hitCount": 1, "resultList": {"result": [{"source": "MED", "id": "1", **fields}]}}).encode()
    found = anyio.run(lambda: europepmc(Upstream(body)).search("x", page_size=4, cursor_mark="*"))
    (record,) = found.results
    assert (record.title, [author.full_name for author in record.authors]) == (title, names)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Growth of <i>E. coli</i> in H<sub>2</sub>O &amp; more", "Growth of E. coli in H2O & more"),
        ("<jats:title>Abstract</jats:title><jats:p>Hello</jats:p><jats:p>you</jats:p>", "Abstract: Hello you"),
        (
            '<mml:math xmlns:mml="x"><mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math> grows',
            "x2 grows",
        ),
        ("<inline-formula><tex-math>\\documentclass</tex-math><math><mi>y</mi></math></inline-formula>", "y"),
        ("10<jats:sup>7</jats:sup> cells, P&lt;0.05", "10^7 cells, P<0.05"),
        ("if a<b and c>d, or &lt;b", "if a<b and c>d, or <b"),
        ("x < y <z> w", "x < y <z> w"),
    ],
)
def test_titles_and_abstracts_are_plain_text(text: str, meant: str) -> None:
    """Of every source; what is no markup stays."""
    words = {word: [place] for place, word in enumerate(text.split())}
    body = json.dumps({"results": [{"title": text, "abstract_inverted_index": words}]}).encode()
    (found,) = decode.works(body).items
    assert found.title == meant == plain(text)
    if len(words) == len(text.split()):
        assert found.abstract == meant


def test_authors_of_openalex_have_the_name_on_the_paper() -> None:
    """Where it knows no author by it; and it is said when they are only the first."""
    people = [{"author": None, "raw_author_name": "J. Doe"}, {"author": {"display_name": "A"}}, {"author": {}}, None]
    body = json.dumps({"results": [{"authorships": people, "is_authors_truncated": True}]}).encode()
    (found,) = decode.works(body).items
    assert (found.authors, found.more_authors) == (("J. Doe", "A"), True)


def test_an_author_without_a_name_is_none() -> None:
    """In arXiv's feeds."""
    body = FEED.replace("<author>", "<author><name> </name></author><author>", 1).encode()
    feed = anyio.run(lambda: ArxivApi(Upstream(body), LIMITS).page("https://x", 0, 3))
    assert all(author.name for record in feed.records for author in record.authors)


EMPTY = FEED[: FEED.index("<entry>")] + "</feed>"
ASKS = {
    "arxiv look-up": (EMPTY, lambda up: ArxivApi(up, LIMITS).look_up(["1605.00003"])),
    "arxiv look-up of two": (FEED.replace(">3<", ">4<"), lambda up: ArxivApi(up, LIMITS).look_up(["1", "2"])),
    "arxiv search": (EMPTY, lambda up: ArxivApi(up, LIMITS).page("https://x", 0, 10)),
    "europepmc search": (
        '{"hitCount": 9, "resultList": {"result": []}}',
        lambda up: EuropePmcApi(up, LIMITS).search("x", 5, "*"),
    ),
    "europepmc look-up of two": (
        '{"hitCount": 2, "resultList": {"result": [{"source": "MED", "id": "1"}]}}',
        lambda up: EuropePmcApi(up, LIMITS).look_up([EuropePmcId("MED", "1"), EuropePmcId("MED", "2")]),
    ),
    "openalex": ('{"meta": {"count": 9}, "results": []}', lambda up: openalex(up).find(DiscoveryQuery("x", 3))),
    "europepmc look-up": (
        '{"hitCount": 1, "resultList": {}}',
        lambda up: EuropePmcApi(up, LIMITS).look_up([EuropePmcId("MED", "1")]),
    ),
}


@pytest.mark.parametrize("name", ASKS)
def test_fewer_results_than_are_counted_are_asked_for_once_more(name: str) -> None:
    """Then it is a failure of the source: never "unknown", and never a page without hits."""
    body, ask = ASKS[name]
    upstream = Upstream(body.encode())
    with pytest.raises(ProviderUnavailableError, match=r"counted \d+ results"):
        anyio.run(ask, upstream)
    assert upstream.asked == 2


def test_the_second_answer_counts() -> None:
    """Where it is whole."""
    upstream = Upstream(EMPTY.encode(), FEED.encode())
    assert len(anyio.run(ArxivApi(upstream, LIMITS).look_up, ["a", "b", "c"])) == 3


def test_beyond_what_arxiv_serves_no_retry_helps() -> None:
    """It is the request that has to change."""
    error = arxiv_feed.error("unhandled", 500).body
    with pytest.raises(InvalidRequestError, match=r"first 10000 .* narrow"):
        anyio.run(ArxivApi(Upstream(error, status=500), LIMITS).page, "https://x", 12000, 12010)
    with pytest.raises(ProviderUnavailableError, match="try again later"):
        anyio.run(ArxivApi(Upstream(error, status=500), LIMITS).page, "https://x", 0, 10)


@pytest.mark.parametrize(
    ("headers", "body", "words"),
    [
        ({}, b"{}", "try again later"),
        ({"retry_after": "0"}, b"", "try again in 1 s"),
        ({"retry_after": "soon"}, b"[]", "try again later"),
        ({"retry_after": "90"}, b'{"retryAfter": true}', "try again in 90 s"),
        ({}, b'{"retryAfter": 12.2, "error": ["x"]}', "try again in 13 s"),
    ],
)
def test_a_refusal_of_openalex_says_when(headers: dict[str, str], body: bytes, words: str) -> None:
    """In seconds, or not at all."""
    with pytest.raises(RateLimitedError, match=f"{words}$"):
        anyio.run(openalex(Upstream(body, status=429, **headers)).find, DiscoveryQuery("x", 3))


def test_the_last_cursor_is_known_by_the_results_before_it() -> None:
    """Two full pages that hold every hit: the second has no cursor, although Europe PMC gives one."""

    def page(cursor: str) -> bytes:
        return json.dumps({**PAGE, "hitCount": 8, "nextCursorMark": cursor}).encode()

    async def ask() -> list[str | None]:
        provider = europepmc(Upstream(page("A"), page("B")))
        first = await provider.search("x", page_size=4, cursor_mark="*")
        second = await provider.search("x", page_size=4, cursor_mark="A")
        elsewhere = await provider.search("y", page_size=4, cursor_mark="A")
        return [first.next_cursor_mark, second.next_cursor_mark, elsewhere.next_cursor_mark]

    assert anyio.run(ask) == ["A", None, "B"]


@pytest.mark.parametrize("location", ["https://[::1/", "//[x", "http://a]b/"])
def test_a_doi_that_leads_to_no_address_is_a_failure_of_its_own(location: str) -> None:
    """Which no retry mends."""
    upstream = Upstream(b"", status=302, location=location)
    with pytest.raises(ProviderUnavailableError, match="an address that is none") as caught:
        anyio.run(DoiResolver(upstream, LIMITS).landing, Doi("10.1/x"))
    assert not caught.value.retryable


@pytest.mark.parametrize(
    ("include", "entries", "warned"),
    [(["cs.CLX"], "", ["cs.CLX"]), (["cs.CL"], "", []), (["CS.lg", "cs.*"], "", []), (["cs.NEW"], FEED, [])],
)
def test_a_subject_class_that_is_none_is_said(include: list[str], entries: str, warned: list[str]) -> None:
    """Where nothing was found with it; arXiv may have made it since."""
    body = (entries or EMPTY.replace(">3<", ">0<")).encode()
    upstream = Upstream(body)
    store = MemoryStorageBackend(lambda: "now")
    provider = ArxivProvider(ArxivApi(upstream, LIMITS), upstream, store, download=LIMITS, pin_seconds=0)
    found = anyio.run(provider.list_top_n, include, [], 3)
    assert [warning.partition(":")[0] for warning in found.warnings] == warned
