"""The acceptance table of spellings, through the tools, with the requests that were made."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.corpus import UPSTREAM, needs_corpus
from tests.e2e.conftest import Launch
from tests.e2e.process import ERROR, RpcError
from tests.replay import StandIn

pytestmark = needs_corpus

RESOLVE = "research_resolve_identifier"
FORMATS = {"arxiv": "pdf", "europepmc": "xml", "localfile": "pdf", "none": "pdf"}


def expected(row: dict[str, str]) -> str:
    """The error class that a row names first; "" for one that resolves."""
    if row["input"] in ("", "(empty)"):
        return "invalid_request"
    found = re.match(r"(invalid_request|unsupported_provider|not_found)", row["expected"])
    return found[0] if found else ""


def key_of(target: str, query: dict[str, str]) -> str:
    """What a request asked for, as the table writes it."""
    return query.get("id_list") or query.get("query", "").strip("()") or target


def test_every_row_of_the_table(launch: Launch, standin: StandIn) -> None:
    """The right source and canonical form, or the right error; and never a request that is not needed."""
    server = launch({"PRIORIS_MCP_RESPONSE_CACHE_TTL": "0"})
    server.initialize()
    rows = json.loads((UPSTREAM / "identifiers.json").read_text("utf-8"))
    wrong: list[Any] = []
    for row in rows:
        standin.reset()
        text = "" if row["input"] == "(empty)" else row["input"]
        result = server.call(RESOLVE, {"identifier": text, "format": FORMATS[row["provider"]]})
        code = result["_meta"]["prioris-mcp/error"]["code"] if result.get("isError") else ""
        asked = [key_of(request.target, request.query) for request in standin.asked]
        if not _is_right(row, code, result, asked):
            wrong.append((row["input"], row["expected"], code, asked))
    assert wrong == []


def _is_right(row: dict[str, str], code: str, result: dict[str, Any], asked: list[str]) -> bool:
    wanted = expected(row)
    if row["upstream_key"] == "-":
        return code == wanted and asked == []
    if row["upstream_key"].startswith("doi.org"):
        return code in {wanted, "not_found"} and asked[0].startswith("/10.")
    if wanted:
        return code == wanted
    if code:  # the simulated source does not know it, but was asked in the right way
        return code in {"not_found", "format_unavailable"} and asked == [row["upstream_key"]]
    found = result["structuredContent"]["result"]
    pinned = re.fullmatch(r".+v\d+", row["upstream_key"]) is not None
    return found["provider"] == row["provider"] and asked == ([] if pinned else [row["upstream_key"]])


@pytest.mark.parametrize("text", ["../outside-secret", "PPR:PPR1234", "cond-mat.mtrl-sci/9901001", "1706.03762V2"])
def test_more_spellings_from_complaints(launch: Launch, standin: StandIn, text: str) -> None:
    """Each reaches its own source only, or nobody."""
    server = launch()
    server.initialize()
    server.call("research_arxiv_fetch_metadata", {"arxiv_ids": [text]})
    server.call("research_europepmc_fetch_metadata", {"identifiers": [text]})
    hosts = {request.host for request in standin.asked}
    assert len(hosts) == (0 if text.startswith("..") else 1)


PARSES = {
    "research_arxiv_parse_full_text": {"arxiv_id": "abc", "format": "pdf"},
    "research_europepmc_parse_full_text": {"identifier": "2106.09685"},
    "research_localfile_parse_full_text": {"id": "x"},
    "research_notes_search": {"provider": "arxiv", "canonical_identifier": "abc"},
}
ASKS = {
    "research_arxiv_fetch_full_text": {"arxiv_id": "abc", "format": "pdf"},
    "research_europepmc_fetch_full_text": {"identifier": "abc"},
    "research_resolve_identifier": {"identifier": "doi:abc", "format": "pdf"},
}
ADDRESSES = [
    "research://localfile/foo/pdf/fulltext",
    "research://arxiv/abc/pdf/fulltext",
    "research://arxiv/2106.09685v2/xml/fulltext",
    "research://europepmc/abc/xml/markdown",
]


def test_what_is_no_identifier_is_not_asked_for_and_not_found(launch: Launch, standin: StandIn) -> None:
    """Whoever asks a source is told that it is none, whoever reads what is stored that nothing is; nobody is asked."""
    server = launch()
    server.initialize()
    assert {name: server.fails(name, **arguments)[0] for name, arguments in PARSES.items()} == dict.fromkeys(
        PARSES, "not_found"
    )
    assert {name: server.fails(name, **arguments)[0] for name, arguments in ASKS.items()} == dict.fromkeys(
        ASKS, "invalid_request"
    )
    for address in ADDRESSES:
        with pytest.raises(RpcError, match="Resource not found") as caught:
            server.read(address)
        assert caught.value.data[ERROR]["code"] == "not_found"
    note = server.ok("research_notes_create", provider="localfile", identifier="My scan.pdf", text="x")
    assert note["canonical_identifier"] == "My scan.pdf"
    found = server.ok("research_notes_search", provider="localfile", canonical_identifier="My scan.pdf")
    assert [item["id"] for item in found["fts"]["notes"]] == [note["id"]]
    assert standin.asked == []


@pytest.mark.parametrize(
    "text", ["10.1002/%28SICI%291097-4636", "10.1002/(SICI)1097-4636)", "<10.1002/(SICI)1097-4636>"]
)
def test_a_doi_is_encoded_once(launch: Launch, standin: StandIn, text: str) -> None:
    """However it was written, doi.org is asked for the same."""
    server = launch()
    server.fails(RESOLVE, identifier=text, format="pdf")
    assert standin.targets("doi.org") == ["/10.1002/(sici)1097-4636"]
