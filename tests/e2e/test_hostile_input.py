"""Arguments and environments that nobody would write on purpose: the session goes on, and nothing leaks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

import pytest

from tests.e2e.conftest import OLD, SAMPLE, Launch, environment, launching, pdf_of
from tests.e2e.process import FETCH, METADATA, PARSE, SEARCH, Home, RpcError, Server
from tests.e2e.terminal import command
from tests.replay import StandIn
from tests.replay.papers import papers

POISON = {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONIOENCODING": "cp1252"}
NASTY = {
    "markup": "[/red]",
    "nul": "a\x00b",
    "terminal": "\x1b[2J\r\n",
    "megabyte": "9" * 2**20,
    "path": "../../../../etc/passwd",
    "null": None,
    "nested": {"a": [[[]]]},
    "huge number": 10**30,
}
LONE = "\ud800"


def _plain(schema: dict[str, Any]) -> Any:
    """Some value that *schema* takes."""
    schema = schema.get("anyOf", [schema])[0]
    if "enum" in schema or "examples" in schema:
        return [*schema.get("examples", []), *schema.get("enum", [])][0]
    if schema.get("type") == "array":
        return [_plain(schema["items"])]
    if schema.get("type") == "object":
        return {name: _plain(schema["properties"][name]) for name in schema.get("required", [])}
    return {"string": "x", "integer": 1, "number": 1.0, "boolean": True}.get(schema.get("type", ""))


def _places(schema: dict[str, Any], value: Any) -> Iterator[dict[str, Any]]:
    """Arguments with *value* in every place that a tool's *schema* has, one place at a time."""
    properties = schema["properties"]
    usual = _plain(schema)
    yield {**usual, value if isinstance(value, str) else "odd": value}
    for name, inner in properties.items():
        yield {**usual, name: value}
        if inner.get("type") == "array":
            yield {**usual, name: [value]}
            for field in inner["items"].get("properties", {}):
                yield {**usual, name: [{**_plain(inner["items"]), field: value}]}


def _shoot(server: Server, value: Any) -> list[Future[dict[str, Any]]]:
    """Call every tool with *value* in every place."""
    tools = server.request("tools/list")["tools"]
    assert len(tools) >= 5
    return [
        server.begin(tool["name"], **arguments) for tool in tools for arguments in _places(tool["inputSchema"], value)
    ]


def _text(future: Future[dict[str, Any]]) -> str:
    """All that an answer says, be it a result or an error."""
    try:
        return json.dumps(future.result(60))
    except RpcError as exc:
        return json.dumps([str(exc), exc.data])


def _leaks(text: str, server: Server) -> Iterator[str]:
    marks = ("Traceback", 'File \\"', "site-packages", "prioris_mcp/", "pydantic", str(server.home.root))
    return (mark for mark in marks if mark in text)


@pytest.fixture(scope="module")
def server(upstream: StandIn, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for everything that it should survive."""
    with launching(Home(tmp_path_factory.mktemp("hostile")), environment(upstream)) as start:
        yield start()


@pytest.mark.usefixtures("standin")
@pytest.mark.parametrize("value", NASTY.values(), ids=NASTY.keys())
def test_nasty_arguments(server: Server, value: Any) -> None:
    """Every tool answers a nasty argument without traceback, path or long echo, and the session goes on."""
    for answer in map(_text, _shoot(server, value)):
        assert list(_leaks(answer, server)) == []
        assert len(answer) < 20_000 or '"isError": false' in answer
    assert server.request("tools/list")["tools"]


@pytest.mark.parametrize("initialized", [True, False], ids=["legacy", "modern"])
def test_lone_surrogates_are_answered(launch: Launch, initialized: bool) -> None:
    """A lone surrogate in any argument of any tool is answered without a leak, and the session goes on."""
    server = launch()
    if initialized:
        server.initialize()
    for answer in map(_text, _shoot(server, LONE)):
        assert list(_leaks(answer, server)) == []
    assert server.request("tools/list")["tools"]


@pytest.mark.parametrize("depth", [300, 20_000])
def test_arguments_nested_too_deep_are_refused(server: Server, depth: int) -> None:
    """Arguments nested deeper than the protocol's reader goes get an error for that call, not silence."""
    answer = server.raw(f'{{"name":"{SEARCH}","arguments":{{"query":{"[" * depth}{"]" * depth}}}}}')
    with pytest.raises(RpcError):
        answer.result(60)
    assert server.request("tools/list")["tools"]


@pytest.mark.parametrize("line", [b"\xff\xfe", b"{", b"[]", b"null", b'{"jsonrpc":"2.0"}', b"x" * 2**20])
def test_lines_that_are_no_message_are_passed_over(server: Server, line: bytes) -> None:
    """A line that is no message at all ends nothing: the next request is answered."""
    server.write_line(line)
    assert server.request("tools/list")["tools"]


@pytest.mark.parametrize("address", ["a\x00b", "research://arxiv/../../etc/passwd/pdf/fulltext", "x" * 2**20, "[/red]"])
def test_nasty_addresses(server: Server, address: str) -> None:
    """A nasty resource address is not found, briefly and without traceback or path, and the session goes on."""
    answer = _text(server.submit("resources/read", {"uri": address}))
    assert list(_leaks(answer, server)) == []
    assert len(answer) < 20_000
    assert server.request("tools/list")["tools"]


def test_nasty_arguments_ask_nobody(server: Server, standin: StandIn) -> None:
    """What is no identifier is refused before anything is sent."""
    for value in ("[/red]", "a\x00b", "9" * 2**20, "../../etc/passwd"):
        assert server.fails(FETCH, arxiv_id=value, format="pdf")[0] == "invalid_request"
    assert standin.asked == []


def test_query_too_long_for_an_address(server: Server, standin: StandIn) -> None:
    """A query that no address can hold is the caller's mistake: asking again cannot help, and nothing is sent."""
    code, _ = server.fails(SEARCH, query="x" * 2**20)
    assert (code, standin.asked) == ("invalid_request", [])


def test_poisoned_environment_serves(launch: Launch) -> None:
    """With an ASCII locale and a code page for pipes, a paper is fetched whole and parsed, accents and all."""
    server = launch(POISON)
    server.initialize()
    (record,) = server.ok(METADATA, arxiv_ids=[OLD])["results"]
    assert record["title"] == papers()[OLD.removesuffix("v3")].title
    server.ok(FETCH, arxiv_id=OLD, format="pdf")
    assert pdf_of(server, OLD) == SAMPLE
    assert server.ok(PARSE, arxiv_id=OLD, format="pdf")["total_length"] > 10_000


def test_poisoned_environment_searches(home: Home, env: dict[str, str]) -> None:
    """`prioris-mcp search` prints a title that the terminal's encoding lacks, as well as it can, and exits with 0."""
    done = command(home, {**env, **POISON}, "search", "ti:Beispiel")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Ein Beispiel" in done.stdout


def test_poisoned_environment_lists(home: Home, env: dict[str, str]) -> None:
    """`prioris-mcp fetch` and `prioris-mcp list` work with an ASCII locale and a code page for pipes."""
    assert command(home, {**env, **POISON}, "fetch", OLD).returncode == 0
    done = command(home, {**env, **POISON}, "list")
    assert (done.returncode, done.stderr) == (0, b"")
    assert OLD.encode() in done.stdout


def test_poisoned_environment_reads(home: Home, env: dict[str, str]) -> None:
    """`prioris-mcp read` prints a paper's whole text whatever the terminal's encoding lacks."""
    assert command(home, {**env, **POISON}, "fetch", "2104.12255").returncode == 0
    done = command(home, {**env, **POISON}, "read", "2104.12255", "--limit", "100000")
    assert done.returncode == 0, done.stderr.decode()
    assert b"Citation Graphs" in done.stdout
