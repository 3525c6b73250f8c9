"""Arguments as models send them, through the tools: understood, refused in a sentence, or named in the answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.conftest import environment, launching
from tests.e2e.process import FETCH, PARSE, SEARCH, Home, Server
from tests.replay import StandIn

DELETE = "research_delete_fetched"
LIST = "research_list_fetched"
NOTE = "research_notes_create"
NOTES = "research_notes_search"
RESOLVE = "research_resolve_identifier"


@pytest.fixture(scope="module")
def server(upstream: StandIn, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests here."""
    with launching(Home(tmp_path_factory.mktemp("arguments")), environment(upstream)) as start:
        yield start()


@pytest.mark.parametrize(
    ("tool", "arguments", "warning"),
    [
        (SEARCH, {"query": "attention", "year_from": 2020}, "year_from: no such argument, ignored"),
        (LIST, {"provider": "null", "limit": "", "colour": "red"}, "colour: no such argument, ignored"),
        (NOTES, {"mode": "", "limit": 5000}, "limit: 5000 is more than one answer holds; at most 200"),
        (LIST, {"limit": 5000}, "limit: 5000 is more than one answer holds; at most 1000"),
        (RESOLVE, {"identifier": "2106.09685v1", "colour": "red"}, "colour: no such argument, ignored"),
        ("research_notes_delete", {"note_id": "x", "colour": "red"}, "colour: no such argument, ignored"),
    ],
)
def test_what_was_not_done_as_asked_is_in_the_answer(
    server: Server, standin: StandIn, tool: str, arguments: dict[str, Any], warning: str
) -> None:
    """In its fields and in its text, for every kind of answer."""
    result = server.call(tool, arguments)
    assert not result.get("isError"), result
    shown = "".join(block["text"] for block in result["content"])
    assert warning in shown
    assert warning in json.dumps(result["structuredContent"])


def test_an_answer_without_warnings_has_no_such_field(server: Server, standin: StandIn) -> None:
    """Text and fields stay as they were."""
    result = server.call(LIST, {})
    assert "warnings" not in result["structuredContent"]
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


def test_words_and_values_are_understood(server: Server, standin: StandIn) -> None:
    """Tags in a line, numbers as metadata, query for keyword."""
    made = server.ok(
        NOTE, provider="arxiv", identifier="2106.09685", text="x", tags="a, b", metadata={"n": 3, "b": True}
    )
    assert (made["tags"], made["metadata"]) == (["a", "b"], {"n": "3", "b": "true"})
    assert server.ok(NOTES, query="nosuchwordatall")["fts"]["total"] == 0
    assert server.ok(NOTES, tag="b")["fts"]["total"] == 1


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        (LIST, {"limit": True}, "limit must be a whole number, got true"),
        (NOTE, {"provider": "arxiv", "identifier": "2106.09685", "text": "x",
                "anchors": [{"location": {"page_number": -5}}]}, "page_number must be 1 to 1000000"),
        (NOTE, {"provider": "arxiv", "identifier": "2106.09685", "text": "x",
                "anchors": [{"location": {"page_number": True}}]}, "must be a whole number, got true"),
        ("research_europepmc_parse_full_text", {"identifier": "PMC4767193", "page": 3}, "have no pages; use offset"),
        ("research_europepmc_parse_full_text", {"identifier": "PMC4767193", "page": "3"}, "have no pages; use offset"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(
    server: Server, standin: StandIn, tool: str, arguments: dict[str, Any], words: str
) -> None:
    """In one sentence."""
    code, sentence = server.fails(tool, **arguments)
    assert (code, words in sentence) == ("invalid_request", True), sentence


def test_a_paper_goes_with_all_its_versions(server: Server, standin: StandIn) -> None:
    """Without a version and a format; what was removed is named, and nothing is left to remove. Notes stay."""
    for identifier, more in (("1706.03762v6", {}), ("1706.03762v7", {}), ("1706.03762v7", {"format": "html"})):
        server.ok(FETCH, arxiv_id=identifier, **more)
    server.ok(PARSE, arxiv_id="1706.03762v7")
    note = server.ok(NOTE, provider="arxiv", identifier="1706.03762v7", text="x")["id"]
    entry = {"provider": "arxiv", "identifier": "1706.03762", "artefact": "all"}
    gone = server.ok(DELETE, entries=[entry])
    assert [(item["identifier"], item["format"]) for item in gone["deleted"]] == [
        ("1706.03762v6", "pdf"), ("1706.03762v7", "pdf"), ("1706.03762v7", "html"),
    ]  # fmt: skip
    assert gone["not_found"] == []
    again = server.ok(DELETE, entries=[entry])
    assert (again["deleted"], again["not_found"]) == ([], [{**entry, "format": None}])
    assert server.ok("research_notes_read", note_id=note)["text"] == "x"


@pytest.mark.parametrize(
    ("identifier", "formats", "step"),
    [
        ("2106.09685v1", ["pdf", "html"], "research_arxiv_fetch_full_text(arxiv_id='2106.09685v1', format='pdf')"),
        ("PMC4767193", ["xml"], "research_europepmc_fetch_full_text(identifier='PMC:PMC4767193')"),
        ("AGR:IND608974682", [], "ask the user for the PDF, then add it with research_localfile_fetch_full_text"),
    ],
)
def test_an_identifier_resolves_without_a_format(
    server: Server, standin: StandIn, identifier: str, formats: list[str], step: str
) -> None:
    """The answer says which formats there are, and the next call, which works as it stands."""
    found = server.ok(RESOLVE, identifier=identifier)["result"]
    assert (found["formats"], found["next_step"]) == (formats, step)


def test_an_empty_window_has_its_page(server: Server, standin: StandIn) -> None:
    """Two whole numbers, as for any other."""
    server.ok(FETCH, arxiv_id="2106.09685v2")
    whole = server.ok(PARSE, arxiv_id="2106.09685v2", limit=10)
    past = server.ok(PARSE, arxiv_id="2106.09685v2", offset=whole["total_length"] + 5)
    assert (past["markdown"], past["page_range"]) == ("", [past["total_pages"]] * 2)
