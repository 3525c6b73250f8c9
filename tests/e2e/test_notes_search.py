"""Finding notes, over the real process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.conftest import LORA, environment, launching
from tests.e2e.notes import CREATE, SEARCH, found, put
from tests.e2e.process import Home, Server
from tests.replay import StandIn


@pytest.fixture(scope="module")
def filled(upstream: StandIn, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with five notes."""
    with launching(Home(tmp_path_factory.mktemp("filled")), environment(upstream)) as start:
        server = start()
        put(server, "one alpha beta", tags=["x", "y"], format="pdf")
        put(server, "two alpha", "2106.09685", author_name="Ada", tags=["x"])
        put(server, "three beta beta", "2106.09685v1", author_name="Grace", tags=["z"])
        server.ok(CREATE, provider="europepmc", identifier="PMC4767193", text="four", author_name="Ada")
        server.ok(CREATE, provider="localfile", identifier="20260729-1430-a3f2", text="five alpha", tags=["x", "z"])
        yield server


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, "five four three two one"),
        ({"provider": "arxiv"}, "three two one"),
        ({"provider": "arxiv", "canonical_identifier": "arxiv.org/abs/2106.09685"}, "three two one"),
        ({"provider": "arxiv", "canonical_identifier": "arXiv:2106.09685v2"}, "two one"),
        ({"provider": "europepmc", "canonical_identifier": "pmcid:4767193"}, "four"),
        ({"format": "pdf"}, "one"),
        ({"author_filter": "mine"}, "five one"),
        ({"author_filter": "named", "author_name": "Ada"}, "four two"),
        ({"author_filter": "any", "author_name": ""}, "five four three two one"),
        ({"tags_all": ["x", "y"]}, "one"),
        ({"tags_any": ["y", "z"]}, "five three one"),
        ({"tags_exclude": ["x"]}, "four three"),
        ({"date_from": "2020-01-01", "date_to": "2100-01-01"}, "five four three two one"),
        ({"date_to": "2020-01-01"}, ""),
        ({"date_from": "2100-01-01T00:00:00+14:00"}, ""),
        ({"keyword": "beta"}, "three one"),
        ({"keyword": "alph* NOT beta", "tags_any": ["x"], "provider": "arxiv"}, "two"),
        ({"keyword": "what about beta?", "author_filter": "named", "author_name": "Grace"}, "three"),
        ({"keyword": "Ada"}, ""),
    ],
)
def test_filters_hold_together(filled: Server, wanted: dict[str, Any], expected: str) -> None:
    """Newest first, by relevance with a keyword, in the specified shape."""
    assert [text.split()[0] for text in found(filled, **wanted)] == expected.split()
    answer = filled.ok(SEARCH, **wanted)
    assert list(answer) == ["fts", "vector", "index_status"]
    assert (answer["vector"], answer["index_status"]) == (None, None)
    assert list(answer["fts"]) == ["notes", "offset", "limit", "total", "has_more"]


def test_times_of_creation_are_instants(filled: Server) -> None:
    """The very instant is included at both ends, in whatever offset; a date without a time covers the day."""
    made = filled.ok(SEARCH, keyword="four")["fts"]["notes"][0]["created_at"]
    assert found(filled, date_from=made, date_to=made) == ["four"]
    assert found(filled, date_from=made.replace("+00:00", "Z"), date_to=made.replace("+00:00", "")) == ["four"]
    assert "four" in found(filled, date_from=made[:10], date_to=made[:10])


def test_pages_put_together_give_the_list(filled: Server) -> None:
    """With one exact total; a limit beyond the most is lowered, and said to be."""
    pages = [filled.ok(SEARCH, offset=at, limit=2)["fts"] for at in (0, 2, 4)]
    assert [note["text"].split()[0] for page in pages for note in page["notes"]] == [
        "five",
        "four",
        "three",
        "two",
        "one",
    ]
    assert [(page["total"], page["has_more"]) for page in pages] == [(5, True), (5, True), (5, False)]
    assert filled.ok(SEARCH, limit=10_000)["fts"]["limit"] == 200
    assert filled.ok(SEARCH)["fts"]["limit"] == 50


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"canonical_identifier": LORA}, "needs provider"),
        ({"author_filter": "named"}, "author_name"),
        ({"author_name": "Ada"}, "author_name"),
        ({"author_filter": "mine", "author_name": "Ada"}, "author_name"),
        ({"author_filter": "theirs"}, "author_filter"),
        ({"date_from": "last week"}, "date_from"),
        ({"date_to": "2026-02-30"}, "date_to"),
        ({"keyword": " "}, "no letter or digit"),
        ({"mode": "magic"}, "there is fts"),
        ({"provider": "x"}, "provider"),
        ({"limit": 0}, "limit"),
        ({"offset": -1}, "offset"),
    ],
)
def test_a_search_that_cannot_be_meant_is_refused(filled: Server, wanted: dict[str, Any], said: str) -> None:
    """As invalid_request that says what is wrong, never as an empty result."""
    code, sentence = filled.fails(SEARCH, **wanted)
    assert (code, said in sentence) == ("invalid_request", True), sentence


def test_there_is_no_note_about_what_is_no_identifier(filled: Server) -> None:
    """As about a document that nobody wrote one about, for whoever reads what is stored."""
    code, sentence = filled.fails(SEARCH, provider="arxiv", canonical_identifier="x")
    assert (code, "there is no note about this: not an arXiv identifier" in sentence) == ("not_found", True)
