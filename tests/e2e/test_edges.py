"""Where the protocol begins and ends: odd first bytes, batches, arguments as text, and clients that leave."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

import pytest

from tests.e2e.conftest import Launch
from tests.e2e.process import FETCH, PARSE, Home, Server, failure, structured
from tests.e2e.waiting import until
from tests.e2e.web import WebServer
from tests.replay import StandIn

LIST = "research_list_fetched"
BOM = b"\xef\xbb\xbf"
LEAVING = 10.0
"""Seconds within which a server ends, on however slow a machine; what it waits for lasts far longer."""


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory):
    """A server over HTTP."""
    server = WebServer(Home(tmp_path_factory.mktemp("web"))).start()
    yield server
    server.stop()


def _initialize(version: str) -> dict[str, Any]:
    client = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    return {"jsonrpc": "2.0", "id": "first", "method": "initialize", "params": client}


def _answers(server: Server, wanted: int) -> list[dict[str, Any]]:
    until(lambda: len(server.notices) >= wanted)
    return sorted(server.notices, key=lambda answer: str(answer["id"]))


def test_a_byte_order_mark_before_the_handshake_does_no_harm(launch: Launch) -> None:
    """As programs on Windows write it."""
    server = launch()
    server.write_line(BOM + json.dumps(_initialize("2025-06-18")).encode())
    (answer,) = _answers(server, 1)
    assert answer["result"]["serverInfo"]["name"] == "prioris-mcp"


def test_every_message_of_a_batch_is_answered(launch: Launch) -> None:
    """As the protocol of 2025-03-26 demands; what is no message, and an empty batch, get an error without id."""
    server = launch()
    server.initialize("2025-03-26")
    call = {"name": LIST, "arguments": {}}
    batch = [{"jsonrpc": "2.0", "id": "ping", "method": "ping"}, 7, _call("call", call)]
    server.write_line(json.dumps(batch).encode())
    server.write_line(b"[]")
    lost, empty, called, pinged = sorted(_answers(server, 4), key=lambda answer: str(answer["id"] or ""))
    assert (pinged["id"], pinged["result"]) == ("ping", {})
    assert structured(called["result"])["total"] == 0
    assert {lost["error"]["code"], empty["error"]["code"]} == {-32600}
    assert server.strays() == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [('{"limit": 5}', None), ("limit=5", "invalid_request"), ("[" * 999, "invalid_request"), ([5], "invalid_request")],
)
def test_arguments_as_text_are_understood_or_refused(
    library: Server, web: WebServer, arguments: Any, code: str
) -> None:
    """A JSON object is taken for what it says; anything else is a sentence, over both transports."""
    for result in (
        library.request("tools/call", {"name": LIST, "arguments": arguments}),
        web.post("tools/call", {"name": LIST, "arguments": arguments}).json()["result"],
    ):
        if code is None:
            assert structured(result)["limit"] == 5
        else:
            said, sentence = failure(result)
            assert (said, "must be a JSON object" in sentence) == (code, True)


@pytest.mark.parametrize("modern", [False, True])
def test_over_http_odd_bodies_are_answered(web: WebServer, modern: bool) -> None:
    """A mark is passed over; batches and deep nesting are refused in a sentence before anything decodes them."""
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    headers |= {"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "initialize"} if modern else {}
    message = _initialize("2025-06-18")
    assert '"id":"first"' in web.client.post("/mcp", content=BOM + json.dumps(message).encode(), headers=headers).text
    for body in (
        json.dumps([message]).encode(),
        b" [] ",
        json.dumps({**message, "x": 0}).encode().replace(b"0}", b"[" * 50_000 + b"]" * 50_000 + b"}"),
        b"[" * 100_000,
        b'{"a":' * 65,
    ):
        answer = web.client.post("/mcp", content=body, headers=headers)
        error = answer.json()["error"]
        assert (answer.status_code, answer.json()["id"]) == (400, None)
        assert error["code"] in (-32600, -32700)
        assert ";" in error["message"]
    assert "Traceback" not in web.stderr


def _page(content: str) -> str:
    """A paper as arXiv's HTML has it."""
    body = f'<article class="ltx_document"><h1 class="ltx_title ltx_title_document">Long</h1>{content}</article>'
    page = f'<body><div class="ltx_page_main">{body}</div></body>'
    return f"<!DOCTYPE html><html><head><title>Long</title></head>{page}</html>"


def _call(number: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def test_a_client_that_leaves_during_a_parse_does_not_keep_the_server(launch: Launch, standin: StandIn) -> None:
    """Whatever the parser would still do; no process is left."""
    standin.fault("body", path="/html/*", body=_page("<p>Of <b>many</b>.</p>" * 400_000))
    server = launch()
    paper = {"arxiv_id": "2106.09685v2", "format": "html"}
    server.ok(FETCH, **paper)
    answer = server.begin(PARSE, **paper)
    until(lambda: bool(server.workers()) or answer.done())
    (worker,) = server.workers()
    server.close()
    assert server.wait(LEAVING) == 0
    until(lambda: not worker.is_running() or worker.status() == "zombie")


def test_a_client_that_leaves_does_not_wait_for_threads(launch: Launch, home: Home) -> None:
    """One that waits half a minute for a locked file is not waited for; others that embed or search are the same."""
    server = launch()
    note = {"provider": "localfile", "identifier": "20260101-0000-aaaa", "text": "kept"}
    server.ok("research_notes_create", **note)
    held = sqlite3.connect(home.root / "data" / "prioris-mcp" / "notes" / "notes.sqlite", isolation_level=None)
    held.execute("BEGIN EXCLUSIVE")
    waiting = server.begin("research_notes_create", **note)
    assert server.request("tools/list")["tools"]
    server.close()
    assert server.wait(LEAVING) == 0
    assert waiting.done()
    held.close()


def test_a_client_that_leaves_while_texts_are_embedded_ends_it(launch: Launch, standin: StandIn) -> None:
    """Hundreds of sections wait for their vectors; the next start goes on with them."""
    pytest.importorskip("onnxruntime")
    sections = "".join(f"<h2>S{n}</h2><p>{' '.join(f'w{n}x{word}' for word in range(200))}</p>" for n in range(200))
    standin.fault("body", path="/html/*", body=_page(sections))
    server = launch()
    paper = {"arxiv_id": "2106.09685v2", "format": "html"}
    server.ok(FETCH, **paper)
    server.ok(PARSE, **paper)
    server.ok("research_find", query="w1x1")
    server.close()
    assert server.wait(LEAVING) == 0
