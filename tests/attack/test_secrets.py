"""A source that repeats the key in its answers: nobody is shown it, wherever the answer goes."""

from __future__ import annotations

import json
from collections.abc import Mapping

import psutil
import pytest

from tests.attack.leaks import KEY, WAYS, refusals, shows
from tests.e2e.conftest import Launch
from tests.e2e.process import FETCH, PARSE, Home, RpcError, Server
from tests.e2e.terminal import command
from tests.e2e.waiting import until
from tests.replay import StandIn

DISCOVER, TYPES = "research_discovery", "research://openalex/work-types"
SECRETS = {
    "PRIORIS_MCP_OPENALEX_API_KEY": KEY,
    "PRIORIS_MCP_LOG_LEVEL": "DEBUG",
    "PRIORIS_MCP_REQUEST_SPACING_SECONDS": "0.01",
}
USUAL = 120
"""Answers in one round, spread over all that there are."""


@pytest.mark.parametrize("way", WAYS)
def test_the_reader_of_these_tests_recognises_the_key(way: str) -> None:
    """In each way in which it is written below, cut off at its middle or not."""
    assert shows(f"OpenAlex said: {WAYS[way]} is wrong", KEY if way != "cut" else KEY[:20])


def test_answers_that_repeat_the_key_show_it_to_nobody(launch: Launch, standin: StandIn, rounds: int) -> None:
    """Not to a caller of a tool or a reader of a resource, nor to the log at DEBUG; each is still a failure."""
    server = launch(SECRETS)
    server.initialize()
    every = list(refusals())
    step = max(1, len(every) // (USUAL * rounds))
    leaked = []
    for number, refusal in enumerate(every[::step]):
        standin.reset()
        standin.fault(refusal.kind, host="api.openalex.org", **refusal.arguments)
        said = _tool(server) if number % 3 else _resource(server)
        leaked += [refusal.name] if shows(said) else []
    assert len(every[::step]) >= 100
    assert leaked == []
    server.close()
    server.wait()
    assert not shows(server.stderr)
    assert not any(shows(line.decode()) for line in server.lines)


@pytest.mark.parametrize("name", ["401 message percent", "500 both header", "redirect percent", "200 raw"])
def test_people_are_not_shown_the_key(home: Home, env: Mapping[str, str], standin: StandIn, name: str) -> None:
    """By the command line, at DEBUG; by a wrong setting either."""
    refusal = next(found for found in refusals() if found.name == name)
    standin.fault(refusal.kind, host="api.openalex.org", **refusal.arguments)
    done = command(home, {**env, **SECRETS}, "discover", "x")
    assert (done.returncode in (1, 2), b"OpenAlex" in done.stderr) == (True, True), done.stderr
    assert not shows((done.stdout + done.stderr).decode())


@pytest.mark.parametrize("way", ["percent", "page, by number"])
def test_spans_do_not_show_the_key(home: Home, env: Mapping[str, str], standin: StandIn, way: str) -> None:
    """A failure's span holds its sentence and traceback, which repeat what the source said."""
    pytest.importorskip("opentelemetry.sdk")
    server = Server(home).start({**env, **SECRETS, "OTEL_TRACES_EXPORTER": "console"})
    standin.fault("status", host="api.openalex.org", status=401, body=json.dumps({"error": f"key {WAYS[way]}"}))
    server.fails(DISCOVER, query="x")
    server.close()
    server.wait()
    server.stop()
    assert "exception.message" in server.stderr
    assert not shows(server.stderr)


def test_parsers_inherit_no_secret(launch: Launch, standin: StandIn) -> None:
    """Neither key nor tokens, headers or passwords of proxies are in the environment or command of a worker."""
    planted = {
        "PRIORIS_MCP_OPENALEX_API_KEY": KEY,
        "PRIORIS_MCP_PDF_OCR_SERVER_HEADERS": json.dumps({"X-Key": KEY}),
        "ALL_PROXY": "http://ada:planted-password@127.0.0.1:9",
        "SOME_SERVICE_TOKEN": "planted-token",
        "OTEL_EXPORTER_OTLP_HEADERS": "a=planted-header",
    }
    server = launch(planted)
    paper = {"arxiv_id": "2106.09685v2", "format": "pdf"}
    server.ok(FETCH, **paper)
    server.ok(PARSE, **paper)
    until(lambda: bool(server.workers()))
    (worker,) = server.workers()
    held = json.dumps([worker.environ(), worker.cmdline(), psutil.Process(server.pid).cmdline()], ensure_ascii=False)
    assert not shows(held)
    assert "planted" not in held


def _tool(server: Server) -> str:
    result = server.call(DISCOVER, {"query": "x"})
    assert result["isError"]
    return json.dumps(result, ensure_ascii=False)


def _resource(server: Server) -> str:
    with pytest.raises(RpcError) as caught:
        server.read(TYPES)
    return json.dumps([str(caught.value), caught.value.data], ensure_ascii=False)
