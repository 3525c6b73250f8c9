"""The server over HTTP: who may call, how much, and what everybody else is told."""

from __future__ import annotations

import base64
import json
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import psutil
import pytest
from fastmcp.server.auth.providers.jwt import RSAKeyPair
from joserfc.jwk import RSAKey

from tests.e2e.conftest import SAMPLE, environment
from tests.e2e.process import Home, failure, structured
from tests.e2e.terminal import command
from tests.e2e.waiting import until
from tests.e2e.web import WebServer, result
from tests.replay import StandIn

ADA, BOB, EVE = "ada-0123456789abcdef", "bob-0123456789abcdef", "eve-0123456789abcdef"
TOKENS = {"PRIORIS_MCP_AUTH_TOKENS": f"ada: {ADA}, bob: {BOB}"}
LIST, ADD = "research_list_fetched", "research_localfile_fetch_full_text"


class Start:
    """Starts one server, which ends with the test."""

    def __init__(self, home: Home) -> None:
        self.server = WebServer(home)

    def __call__(self, **env: str) -> WebServer:
        return self.server.start(env)


@pytest.fixture
def start(home: Home) -> Iterator[Start]:
    found = Start(home)
    yield found
    found.server.stop()


def test_health_needs_no_token(start: Start) -> None:
    """Whether the process answers, and whether it can serve."""
    server = start(**TOKENS)
    assert server.client.get("/healthz").json() == {"status": "ok"}
    assert server.client.get("/readyz").json() == {"status": "ready"}


def test_a_server_that_cannot_serve_says_so(start: Start, home: Home) -> None:
    """It answers, but is not ready."""
    home.store.mkdir(parents=True)
    (home.store / "catalogue.sqlite").mkdir()
    server = start()
    assert server.client.get("/healthz").status_code == 200
    answer = server.client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (503, "unavailable")


@pytest.mark.parametrize("shown", [None, EVE, ADA[:-1], ADA.upper(), "x" * 20_000])
def test_strangers_are_refused(start: Start, shown: str | None) -> None:
    """As JSON, and are told how to come in."""
    answer = start(**TOKENS).post("tools/list", token=shown)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert answer.json()["error"]


def test_wrong_tokens_change_nothing(start: Start) -> None:
    """A thousand of them, and the right ones work as before; nobody's token is in the log."""
    server = start(**TOKENS)
    for number in range(1000):
        assert server.post("tools/list", token=f"guess-{number:016}").status_code == 401
    for token in (ADA, BOB):
        assert structured(server.call(LIST, token=token))["total"] == 0
    assert ADA not in server.stderr
    assert "guess-" not in server.stderr


def test_tokens_of_a_file_change_without_a_restart(start: Start, tmp_path: Path) -> None:
    """New ones are taken, removed ones refused; a file that makes no sense leaves what there was."""
    file = tmp_path / "tokens"
    file.write_text(f"# who may\nada: {ADA}\n")
    server = start(PRIORIS_MCP_AUTH_TOKENS_FILE=str(file))
    assert server.post("tools/list", token=ADA).status_code == 200
    file.write_text(f"bob: {BOB}\neve: {EVE}\n")
    assert [server.post("tools/list", token=token).status_code for token in (ADA, BOB, EVE)] == [401, 200, 200]
    file.write_text("nonsense\n")
    assert server.post("tools/list", token=BOB).status_code == 200


def test_each_token_has_its_own_limits(start: Start) -> None:
    """Of calls and of bytes; what one has used up, another still has."""
    server = start(
        **TOKENS, PRIORIS_MCP_TOKEN_CALLS_PER_MINUTE="5", PRIORIS_MCP_TOKEN_UPLOAD_BYTES_PER_HOUR=str(len(SAMPLE) + 99)
    )
    file = base64.b64encode(SAMPLE).decode()
    assert structured(server.call(ADD, token=ADA, content_base64=file))["size_bytes"] == len(SAMPLE)
    code, sentence = failure(server.call(ADD, token=ADA, content_base64=file))
    assert (code, "'ada' has used up its uploaded bytes: try again in" in sentence) == ("rate_limited", True)
    code, _ = failure([server.call(LIST, token=ADA) for _ in range(5)][-1])
    assert code == "rate_limited"
    assert structured(server.call(LIST, token=BOB))["total"] == 1
    assert structured(server.call(ADD, token=BOB, content_base64=file))["served_from_storage"] is True


def test_every_token_sees_one_library(start: Start) -> None:
    """Tokens tell callers apart for limits and in the log, not what is theirs."""
    server = start(**TOKENS)
    note = structured(
        server.call("research_notes_create", token=ADA, provider="arxiv", identifier="2106.09685", text="mine")
    )
    assert structured(server.call("research_notes_read", token=BOB, note_id=note["id"])) == note


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "example.org"])
def test_other_machines_are_kept_out_without_tokens(home: Home, host: str) -> None:
    """It does not start, and says what to set."""
    done = command(home, {"PRIORIS_MCP_TRANSPORT": "http", "PRIORIS_MCP_HOST": host})
    assert done.returncode == 2
    assert b"PRIORIS_MCP_ALLOW_UNAUTHENTICATED=true" in done.stderr


@pytest.mark.parametrize(
    ("tokens", "said"),
    [("ada", "entry 1"), ("ada: short", "ada is shorter"), (f"a b: {ADA}", "entry 1"), (f"a: {ADA}, a: {BOB}", "2")],
)
def test_tokens_that_make_no_sense_are_refused(home: Home, tokens: str, said: str) -> None:
    """At start, with their place and never with the token."""
    done = command(home, {"PRIORIS_MCP_TRANSPORT": "http", "PRIORIS_MCP_AUTH_TOKENS": tokens})
    assert done.returncode == 2
    assert said in done.stderr.decode()
    assert ADA not in done.stderr.decode()
    assert "short" not in done.stderr.decode().replace("shorter", "")


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"Host": "evil.example"}, 421), ({"Origin": "http://evil.example"}, 403), ({"Origin": "null"}, 403)],
)
def test_foreign_pages_and_names_are_refused(start: Start, headers: dict[str, str], status: int) -> None:
    """As JSON, before anything is done."""
    answer = start().post("tools/list", headers=headers)
    assert (answer.status_code, answer.json()["status"]) == (status, status)


def test_names_and_pages_that_are_allowed_are_served(start: Start) -> None:
    """With the headers that a browser asks for first."""
    server = start(
        PRIORIS_MCP_ALLOWED_HOSTS="papers.example", PRIORIS_MCP_ASGI_CORS_ALLOWED_ORIGINS='["https://app.example"]'
    )
    headers = {"Host": "papers.example", "Origin": "https://app.example"}
    answer = server.post("tools/list", headers=headers)
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, "https://app.example")
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "mcp-method,authorization"}
    assert server.client.options("/mcp", headers={**headers, **asked}).status_code == 200


def test_the_largest_file_fits_through(start: Start) -> None:
    """In one call, although it is more than the protocol's usual limit; what is larger is told so."""
    server = start(PRIORIS_MCP_LOCAL_FILE_MAX_SIZE_BYTES="8000000")
    file = SAMPLE + b"\0" * (8_000_000 - len(SAMPLE))
    assert structured(server.call(ADD, content_base64=base64.b64encode(file).decode()))["size_bytes"] == 8_000_000
    answer = server.post("tools/call", {"name": ADD, "arguments": {"content_base64": "A" * 12_000_000}})
    assert answer.status_code == 413


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it(start: Start, number: signal.Signals) -> None:
    """With exit code 0 and without a traceback, also while a client listens."""
    server = start()
    headers = {"Accept": "text/event-stream", "Mcp-Protocol-Version": "2025-06-18"}
    with server.client.stream("GET", "/mcp", headers=headers):
        server.process.send_signal(number)
        assert server.process.wait(20) == 0
    assert "Traceback" not in server.stderr


def test_a_signal_ends_a_parse(start: Start, upstream: StandIn) -> None:
    """Whoever waited for it is told, no process is left, and the library is whole."""
    paragraphs = "<p>Paragraph <b>of</b> many.</p>" * 300_000
    page = f"<!DOCTYPE html><html><body><h1>Long</h1>{paragraphs}</body></html>"
    upstream.reset()
    upstream.fault("body", path="/html/*", body=page)
    server = start(**environment(upstream))
    paper = {"arxiv_id": "2106.09685v2", "format": "html"}
    server.call("research_arxiv_fetch_full_text", **paper)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(server.post, "tools/call", {"name": "research_arxiv_parse_full_text", "arguments": paper})
        until(lambda: bool(psutil.Process(server.process.pid).children()))
        parsers = psutil.Process(server.process.pid).children()
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(20) == 0
        assert waiting.result(20).status_code == 503
    assert not any(parser.is_running() and parser.status() != psutil.STATUS_ZOMBIE for parser in parsers)
    assert "Traceback" not in server.stderr
    upstream.reset()


class Keys(BaseHTTPRequestHandler):
    """Publishes the keys of an issuer."""

    published: dict[str, Any]

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(self.published).encode())

    def log_message(self, *_: object) -> None:
        pass


def test_web_tokens_of_a_trusted_issuer_are_taken(start: Start) -> None:
    """For our audience and not too old, with keys that the issuer publishes; others are refused."""
    pair = RSAKeyPair.generate()
    key = RSAKey.import_key(pair.public_key)
    Keys.published = {"keys": [{**key.as_dict(private=False), "kid": "1", "alg": "RS256", "use": "sig"}]}
    publisher = HTTPServer(("127.0.0.1", 0), Keys)
    threading.Thread(target=publisher.serve_forever, daemon=True).start()
    try:
        server = start(
            PRIORIS_MCP_AUTH_JWT_ISSUER="https://issuer.example",
            PRIORIS_MCP_AUTH_JWT_AUDIENCE="papers",
            PRIORIS_MCP_AUTH_JWT_JWKS_URI=f"http://127.0.0.1:{publisher.server_port}/keys",
        )
        claims: dict[str, Any] = {
            "issuer": "https://issuer.example",
            "audience": "papers",
            "kid": "1",
            "subject": "ada",
        }
        good = pair.create_token(**claims)
        assert result(server.post("tools/list", token=good))["tools"]
        deep = base64.urlsafe_b64encode(b'{"alg":"RS256","x":' + b"[" * 9_000 + b"]" * 9_000 + b"}").decode()
        endless = pair.create_token(**claims, additional_claims={"exp": None})
        for each in (f"{deep}.{good.partition('.')[2]}", endless):
            assert server.post("tools/list", token=each).status_code == 401
        assert "Traceback" not in server.stderr
        wrong = [claims | {"audience": "other"}, claims | {"issuer": "x"}, claims | {"expires_in_seconds": -9}]
        for changed in wrong:
            assert server.post("tools/list", token=pair.create_token(**changed)).status_code == 401
        assert server.post("tools/list", token=RSAKeyPair.generate().create_token(**claims)).status_code == 401
    finally:
        publisher.shutdown()
        publisher.server_close()
