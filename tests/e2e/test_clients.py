"""What models and clients may rely on, whatever they send: slips understood, answers remembered, links, prompts."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.e2e.conftest import Launch
from tests.e2e.process import FETCH, METADATA, NEWEST, PARSE, SEARCH, Home, Server
from tests.e2e.terminal import command
from tests.replay import StandIn

LORA = "2106.09685v2"
CREATE, FOUND, LIST = "research_notes_create", "research_notes_search", "research_list_fetched"


@pytest.fixture(params=["legacy", "modern"])
def server(launch: Launch, request: pytest.FixtureRequest) -> Server:
    """A server in one of the two eras of the protocol."""
    found = launch()
    if request.param == "legacy":
        found.initialize()
    return found


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (METADATA, {"arxiv_ids": "2106.09685"}),
        (METADATA, {"arxiv_ids": '["2106.09685"]'}),
        (METADATA, {"identifier": "2106.09685"}),
        (FETCH, {"id": LORA, "format": "HTML"}),
        (FETCH, {"identifier": LORA, "format": "pdf", "reason": "curiosity"}),
        (LIST, {"provider": "", "format": "", "limit": "5"}),
        (FOUND, {"tags_any": [], "offset": None, "mode": "fts"}),
        (CREATE, {"provider": "ARXIV", "arxiv_id": LORA, "text": "x", "tags": "one", "metadata": '{"a": "b"}'}),
        (NEWEST, {"include_categories": "cs.CL", "n": "3"}),
    ],
)
def test_sloppy_arguments_are_understood(server: Server, tool: str, arguments: dict[str, Any]) -> None:
    """Lists as text, other names for the identifier, capitals, nulls, blanks and extras, as models send them."""
    assert server.ok(tool, **arguments)


def test_what_no_tool_knows_is_logged(server: Server) -> None:
    """By name, and never with its value."""
    server.ok(LIST, reason="a secret")
    assert "does not know ['reason']" in server.stderr
    assert "a secret" not in server.stderr


@pytest.mark.parametrize(("query", "more"), [("", {}), ("  ", {}), ("x", {"max_results": 0})])
def test_nothing_is_sent_for_nothing(server: Server, standin: StandIn, query: str, more: dict[str, int]) -> None:
    """An empty query or page is refused before anybody is asked."""
    assert server.fails(SEARCH, query=query, **more)[0] == "invalid_request"
    assert standin.asked == []


def test_equal_questions_are_asked_once(server: Server, standin: StandIn) -> None:
    """Five at once and one later, spelled differently, are one request; another question is another."""
    calls = [server.begin(SEARCH, query="electron", max_results=5) for _ in range(5)]
    answers = [call.result(60)["structuredContent"] for call in calls]
    answers.append(server.ok(SEARCH, max_results="5", query="electron", reason="again"))
    assert all(answer == answers[0] for answer in answers)
    assert len(standin.asked) == 1
    server.ok(SEARCH, query="electron", max_results=6)
    assert len(standin.asked) == 2


def test_failures_are_not_remembered(server: Server, standin: StandIn) -> None:
    """The next call asks again."""
    standin.fault("status", times=-1, status=500)
    assert server.fails(SEARCH, query="electron")[0] == "provider_unavailable"
    standin.reset()
    assert server.ok(SEARCH, query="electron")


def test_what_was_deleted_is_not_answered_from_memory(server: Server) -> None:
    """Fetching and reading go to the library, at any time."""
    server.ok(FETCH, arxiv_id=LORA, format="html")
    read = server.ok(PARSE, arxiv_id=LORA, format="html", limit=10)
    entry = {"provider": "arxiv", "identifier": LORA, "format": "html", "artefact": "all"}
    assert server.ok("research_delete_fetched", entries=entry)["deleted"]
    assert server.fails(PARSE, arxiv_id=LORA, format="html", limit=10)[0] == "not_found"
    assert server.ok(FETCH, arxiv_id=LORA, format="html")["served_from_storage"] is False
    assert server.ok(PARSE, arxiv_id=LORA, format="html", limit=10) == read


def test_every_answer_says_whose_it_is(server: Server) -> None:
    """Name, version and time, of failures as well."""
    for result in (server.call(LIST, {}), server.call(SEARCH, {"query": ""})):
        about = result["_meta"]["prioris-mcp/server"]
        assert about["name"] == "prioris-mcp"
        assert abs(time.time() - time.mktime(time.strptime(about["time"][:19], "%Y-%m-%dT%H:%M:%S"))) < 86_400


def test_a_fetched_document_is_linked(server: Server) -> None:
    """With the kind of its content; the link can be read."""
    result = server.call(FETCH, {"arxiv_id": LORA, "format": "pdf"})
    text, link = result["content"]
    assert (text["type"], link["type"], link["mimeType"]) == ("text", "resource_link", "application/pdf")
    assert server.read(link["uri"])["mimeType"] == "application/pdf"


def test_prompts_say_what_to_call(server: Server) -> None:
    """Each with a title, described arguments, and only tools that there are."""
    tools = {tool["name"] for tool in server.request("tools/list")["tools"]}
    prompts = {prompt["name"]: prompt for prompt in server.request("prompts/list")["prompts"]}
    assert set(prompts) == {"literature_review", "read_paper", "compare_papers", "find_prior_art"}
    for name, prompt in prompts.items():
        assert prompt["title"]
        assert all(argument["description"] for argument in prompt["arguments"])
        given = {argument["name"]: "beta" for argument in prompt["arguments"] if argument.get("required")}
        (message,) = server.request("prompts/get", {"name": name, "arguments": given})["messages"]
        words = set(message["content"]["text"].replace(",", " ").replace(";", " ").replace(".", " ").split())
        named = {word.strip("():") for word in words if word.strip("(").startswith("research_")}
        assert named
        assert named <= tools


@pytest.mark.parametrize(
    ("argument", "typed", "offered"),
    [
        ("identifier", "2106", [LORA]),
        ("identifier", "zz", []),
        ("category", "CS.C", ["cs.CC", "cs.CE", "cs.CG", "cs.CL", "cs.CR", "cs.CV", "cs.CY"]),
        ("question", "a", []),
    ],
)
def test_arguments_are_completed(
    server: Server, standin: StandIn, argument: str, typed: str, offered: list[str]
) -> None:
    """From the library and from arXiv's classes, without asking anybody."""
    server.ok(FETCH, arxiv_id=LORA, format="pdf")
    before = len(standin.asked)
    reference = {"type": "ref/prompt", "name": "read_paper"}
    asked = {"ref": reference, "argument": {"name": argument, "value": typed}}
    assert server.request("completion/complete", asked)["completion"]["values"] == offered
    assert len(standin.asked) == before


def test_only_the_groups_that_are_wanted_are_shown(launch: Launch) -> None:
    """The rest of the tools is not there."""
    server = launch({"PRIORIS_MCP_TOOLSETS": "library, Notes"})
    names = {tool["name"] for tool in server.request("tools/list")["tools"]}
    assert {"research_find", CREATE} <= names
    assert not any("arxiv" in name or "localfile" in name or name == "research_discovery" for name in names)
    assert server.fails(SEARCH, query="x")[0] == "invalid_request"


def test_an_unknown_group_is_refused(home: Home) -> None:
    """At start, in one line that names the groups."""
    done = command(home, {"PRIORIS_MCP_TOOLSETS": "arxiv,patents"})
    assert done.returncode
    assert "'arxiv', 'europepmc', 'localfile', 'discovery', 'library' or 'notes'" in done.stderr.decode()
