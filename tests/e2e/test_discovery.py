"""Discovery over the real process and a simulated OpenAlex."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.e2e.conftest import Launch
from tests.e2e.process import FETCH, Home, RpcError, Server
from tests.e2e.terminal import command
from tests.replay import StandIn
from tests.replay.openalex import KEY

DISCOVER = "research_discovery"
TYPES = "research://openalex/work-types"
WITH_KEY = {"PRIORIS_MCP_OPENALEX_API_KEY": KEY}


@pytest.fixture
def server(launch: Launch) -> Server:
    """A server with a key."""
    found = launch({**WITH_KEY, "PRIORIS_MCP_LOG_LEVEL": "DEBUG"})
    found.initialize()
    return found


def discover(server: Server, **arguments: Any) -> dict[str, Any]:
    return server.ok(DISCOVER, **{"query": "adapting large models", **arguments})


def test_works_come_with_their_routes(server: Server) -> None:
    """Whatever is null in a record; each rung of the ladder, with the next call."""
    found = discover(server)
    assert (found["page"], found["per_page"], found["total"], found["has_more"]) == (1, 25, 50, True)
    routes = {hit["openalex_id"]: hit["fetch_route"] for hit in found["hits"]}
    assert routes["W1"] == {"kind": "known_provider", "provider": "arxiv", "identifier": "2106.09685", "pdf_url": None}
    assert routes["W2"]["identifier"] == "PMC4767193"
    assert routes["W3"]["pdf_url"] == "https://journal.example/3.pdf"
    assert routes["W4"] == {"kind": "manual_upload", "provider": None, "identifier": None, "pdf_url": None}
    assert (routes["W5"]["provider"], routes["W5"]["identifier"]) == ("arxiv", "1706.03762v2")
    first = found["hits"][0]
    assert (first["title"], first["abstract"]) == ("LoRA: Low-Rank Adaptation & more", "Adapting a model costs a lot")
    assert [author["name"] for author in first["authors"]] == ["Edward J. Hu"]
    assert first["next_step"] == "research_arxiv_fetch_full_text(arxiv_id='2106.09685', format='pdf')"


def test_what_the_library_holds_is_left_out(server: Server) -> None:
    """In whatever version and spelling it is stored; the figures stay OpenAlex's own."""
    server.ok(FETCH, arxiv_id="2106.09685v1", format="html")
    server.ok(FETCH, arxiv_id="1706.03762", format="pdf")
    server.ok("research_europepmc_fetch_full_text", identifier="26551875")
    found = discover(server)
    assert [hit["openalex_id"] for hit in found["hits"]] == ["W3", "W4"]
    assert (found["total"], found["has_more"]) == (50, True)


def test_filters_keep_their_characters(server: Server, standin: StandIn) -> None:
    """Colons as they are, bounds in the form that OpenAlex takes, the query encoded once and without operators."""
    discover(server, query="a|b !c d/e?", from_year=2020, to_year=2024, open_access_only=True, max_results=5, page=2)
    (target,) = standin.targets("api.openalex.org")
    assert "search.semantic=a%20b%20c%20d%2Fe%3F&per-page=5&page=2" in target
    assert "filter=publication_year:%3E=2020,publication_year:%3C=2024,is_oa:true" in target


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"query": " "}, "nothing to search for"),
        ({"query": "x" * 2001}, "query has 2001 characters, and takes at most 2000"),
        ({"max_results": 0}, "max_results must be 1 to 50, got 0"),
        ({"max_results": 51}, "got 51"),
        ({"page": 0}, "page must be 1 or more"),
        ({"from_year": 2021, "to_year": 2020}, "from_year 2021 is after to_year 2020"),
    ],
)
def test_what_cannot_be_asked_is_not_sent(server: Server, standin: StandIn, arguments: Any, words: str) -> None:
    """Checked here, also by page and year."""
    code, sentence = server.fails(DISCOVER, **{"query": "x", **arguments})
    assert (code, words in sentence) == ("invalid_request", True), sentence
    assert standin.asked == []


def test_without_a_key_nothing_is_sent(launch: Launch, standin: StandIn) -> None:
    """The sentence says how to get one and where to put it; the resource says the same."""
    server = launch()
    server.initialize()
    code, sentence = server.fails(DISCOVER, query="x")
    assert code == "configuration_error"
    assert "PRIORIS_MCP_OPENALEX_API_KEY" in sentence
    with pytest.raises(RpcError, match="PRIORIS_MCP_OPENALEX_API_KEY"):
        server.read(TYPES)
    assert standin.asked == []


FAILURES = [
    (
        "status",
        {"status": 429, "body": '{"error":"Rate limit exceeded","message":"Insufficient budget","retryAfter":58798}'},
        "rate_limited",
        "58798 s",
    ),
    (
        "status",
        {"status": 401, "body": '{"error":"Invalid or missing API key"}'},
        "configuration_error",
        "Invalid or missing",
    ),
    ("status", {"status": 403, "body": "{}"}, "configuration_error", "HTTP 403"),
    ("status", {"status": 400, "body": '{"error":"Search query too long","message":"m"}'}, "invalid_request", "1500"),
    ("status", {"status": 404, "body": "<html>"}, "provider_unavailable", "HTTP 404"),
    ("status", {"status": 504, "body": '{"error":"Gateway timeout"}'}, "provider_unavailable", "Gateway timeout"),
    ("body", {"body": "not json"}, "provider_unavailable", "without results"),
    ("body", {"body": ""}, "provider_unavailable", "without results"),
    ("body", {"body": '{"error":"x"}'}, "provider_unavailable", "without results"),
    ("reset", {}, "provider_unavailable", "broke off"),
    ("redirect", {"location": "https://evil.example/"}, "provider_unavailable", "not one of its own hosts"),
]


@pytest.mark.parametrize(("kind", "fault", "code", "words"), FAILURES)
def test_failures_are_never_zero_hits(
    server: Server, standin: StandIn, kind: str, fault: dict[str, Any], code: str, words: str
) -> None:
    """Each in its category, with OpenAlex's own reason, at once."""
    standin.fault(kind, host="api.openalex.org", **fault)
    found, sentence = server.fails(DISCOVER, query="x")
    assert (found, words in sentence) == (code, True), sentence
    assert len(standin.asked) == 1


def test_the_key_is_in_requests_only(server: Server, standin: StandIn) -> None:
    """Not in a log line at any level, an error, or anything that a client is told."""
    discover(server)
    for kind, fault, _, _ in FAILURES:
        standin.fault(kind, host="api.openalex.org", **fault)
        server.fails(DISCOVER, query="x")
    assert all(KEY in target for target in standin.targets("api.openalex.org"))
    server.close()
    server.wait()
    assert KEY not in server.stderr
    assert not any(KEY.encode() in line for line in server.lines)
    stored = [path for path in server.home.root.rglob("*") if path.is_file()]
    assert not [path for path in stored if KEY.encode() in path.read_bytes()]


def test_kinds_of_work_are_a_resource(server: Server) -> None:
    """By code; a missing description is empty."""
    types = json.loads(server.read(TYPES)["text"])["types"]
    assert [(kind["code"], kind["description"]) for kind in types] == [
        ("article", "A journal article"),
        ("preprint", ""),
    ]


def test_people_discover_too(home: Home, env: dict[str, str]) -> None:
    """With the way to the full text of each work."""
    done = command(home, {**env, **WITH_KEY}, "discover", "adapting", "models", "-n", "3")
    assert done.returncode == 0
    assert b"prioris-mcp fetch 2106.09685" in done.stdout
    assert KEY.encode() not in done.stdout + done.stderr
