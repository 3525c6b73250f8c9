"""What a stranger, or one of several tokens, can use up over HTTP: nothing that the others need."""

from __future__ import annotations

import base64
import json
import resource
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import psutil
import pytest

from tests.attack.sockets import BODY, HALVES, HEAD, closed, crowd
from tests.e2e.conftest import SAMPLE
from tests.e2e.process import LEGACY, MODERN, Home, envelope, failure, structured
from tests.e2e.waiting import until
from tests.e2e.web import ACCEPTED, WebServer, result

ADA, BOB = "ada-0123456789abcdef", "bob-0123456789abcdef"
TOKENS = {"PRIORIS_MCP_AUTH_TOKENS": f"ada: {ADA}, bob: {BOB}"}
LIST, BEGIN = "research_list_fetched", "research_localfile_begin_upload"
CHUNK, FINALIZE = "research_localfile_upload_chunk", "research_localfile_finalize_upload"
LIMIT = 128
"""Files that a process may open, where that is little."""
Start = Callable[..., WebServer]


@pytest.fixture
def start(home: Home) -> Iterator[Start]:
    """Starts one server, with limits given without their prefix."""
    server = WebServer(home)

    def begin(**env: str) -> WebServer:
        return server.start(
            {
                f"PRIORIS_MCP_{name}" if not name.startswith("PRIORIS_MCP_") else name: value
                for name, value in env.items()
            }
        )

    yield begin
    server.stop()
    assert "Traceback" not in server.stderr


def _good(server: WebServer, token: str | None = None) -> None:
    """A call on a connection of its own, as somebody makes it who has just come."""
    with httpx2.Client(base_url=f"http://127.0.0.1:{server.port}", timeout=60, trust_env=False) as client:
        before, server.client = server.client, client
        try:
            assert "total" in structured(server.call(LIST, token=token))
        finally:
            server.client = before


def test_requests_that_stop_somewhere_are_closed(start: Start, rounds: int) -> None:
    """After the time that a head or a body may take, however far they came; good calls are answered meanwhile."""
    server = start(HTTP_HEAD_SECONDS="1", HTTP_BODY_SECONDS="2")
    for _ in range(rounds):
        with crowd(server.port, 600) as strangers:
            _good(server)
            assert closed(strangers, 30) == 600
            _good(server)
    assert len(server.stderr) < 20_000


def test_a_request_that_comes_byte_by_byte_is_closed(start: Start) -> None:
    """Each byte is no reason to wait longer; whoever is closed in the middle of a request is told why."""
    server = start(HTTP_HEAD_SECONDS="1", HTTP_BODY_SECONDS="1")
    with crowd(server.port, 2, (b"G", BODY)) as (head, body):
        for each in (head, body):
            each.settimeout(0.2)
        answers = {head: b"", body: b""}

        def ended(each: Any) -> bool:
            try:
                each.sendall(b"X")
                answers[each] += each.recv(999)
            except TimeoutError:
                return False
            except OSError:
                return True
            return b"}" in answers[each]

        for each in (head, body):
            until(lambda each=each: ended(each))
    assert answers[head].startswith(b"HTTP/1.1 408 Request Timeout\r\n")
    assert b'"status": 408' in answers[head]


def test_connections_between_requests_are_closed(start: Start) -> None:
    """After the time that is stated, also where only empty lines came since; one in use is not."""
    server = start(HTTP_IDLE_SECONDS="1")
    request = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with crowd(server.port, 20, (request, request * 3, request + b"\r\n\r\n")) as clients:
        assert closed(clients, 30) == 20
    assert _status(server) == 200


def test_answers_that_nobody_reads_are_given_up(start: Start) -> None:
    """A client that asks on and on and never reads is closed, so that what it was told need not be kept."""
    server = start(HTTP_BODY_SECONDS="1")
    listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": envelope(None)}
    body = json.dumps(listing).encode()
    fields = f"Mcp-Protocol-Version: {MODERN}\r\nMcp-Method: tools/list\r\nAccept: {ACCEPTED}\r\n"
    request = HEAD + f"{fields}Content-Length: {len(body)}\r\n\r\n".encode() + body
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with pytest.raises(ConnectionError):
            _ask_on(deaf, request * 100)
    assert _status(server) == 200


def test_descriptors_are_never_used_up(start: Start, rounds: int) -> None:
    """Where the process may open few files, more connections than that neither flood the log nor stop good calls."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (LIMIT, hard))
    try:
        server = start()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    for says in (HALVES, (b"",), (b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",)) * rounds:
        with crowd(server.port, 3 * LIMIT, says) as strangers:
            _good(server)
            assert closed(strangers, 30, enough=2 * LIMIT) >= 2 * LIMIT
            assert psutil.Process(server.process.pid).num_fds() < LIMIT
            _good(server)
    assert len(server.stderr) < 5_000


def test_one_address_cannot_have_all_connections(start: Start) -> None:
    """Requests that are being answered are not closed for it: then the new one is told to come again."""
    server = start(HTTP_CONNECTIONS_PER_CLIENT="6")
    sessions = [_open_session(server) for _ in range(6)]
    listening = [(HEAD + b"").replace(b"POST", b"GET") + _listen(session) for session in sessions]
    server.client.close()
    with crowd(server.port, 6, tuple(listening)) as streams:
        for stream in streams:
            stream.settimeout(30)
            assert b" 200 " in stream.recv(4096)
        with crowd(server.port, 1, (b"",)) as (late,):
            late.settimeout(30)
            assert late.recv(4096).startswith(b"HTTP/1.1 503 ")
        assert closed(streams, 0.2) == 0
    until(lambda: _status(server) == 200)
    assert "connections are refused: one client has all" in server.stderr


def test_sessions_are_bounded_and_end(start: Start, rounds: int) -> None:
    """Those that nobody uses give way to new ones, of the same token only; one in use goes on."""
    server = start(**TOKENS, TOKEN_SESSIONS="20", TOKEN_CALLS_PER_MINUTE="0")
    used, other = _open_session(server, ADA), _open_session(server, BOB)
    for _ in range(2):
        assert _in_session(server, used, ADA) == 200
    before = psutil.Process(server.process.pid).memory_info().rss
    opened = [_open_session(server, ADA) for _ in range(200 * rounds)]
    assert _in_session(server, opened[0], ADA) == 404
    assert _in_session(server, opened[-1], ADA) == 200
    assert [_in_session(server, used, ADA), _in_session(server, other, BOB)] == [200, 200]
    assert psutil.Process(server.process.pid).memory_info().rss - before < 20 * 2**20


def test_sessions_that_rest_end(start: Start) -> None:
    """After the time that is stated."""
    server = start(HTTP_SESSION_IDLE_SECONDS="1")
    session = _open_session(server)
    assert _in_session(server, session) == 200
    until(lambda: time.sleep(1.5) is None and _in_session(server, session) == 404, 60)


def test_uploads_of_one_token_are_no_concern_of_another(start: Start) -> None:
    """One that has opened all that it may does not keep another from it, whose session it does not know either."""
    server = start(**TOKENS, LOCAL_FILE_UPLOAD_MAX_CONCURRENT_SESSIONS="3")
    for _ in range(3):
        mine = structured(server.call(BEGIN, token=ADA))["session_id"]
    assert failure(server.call(BEGIN, token=ADA))[0] == "invalid_request"
    theirs = structured(server.call(BEGIN, token=BOB))["session_id"]
    piece = {"index": 0, "chunk_base64": base64.b64encode(SAMPLE).decode()}
    for tool, arguments in ((CHUNK, piece), (FINALIZE, {})):
        code, sentence = failure(server.call(tool, token=ADA, session_id=theirs, **arguments))
        assert (code, "no open upload" in sentence) == ("not_found", True)
    structured(server.call(CHUNK, token=BOB, session_id=theirs, **piece))
    assert structured(server.call(FINALIZE, token=BOB, session_id=theirs))["size_bytes"] == len(SAMPLE)
    structured(server.call(CHUNK, token=ADA, session_id=mine, **piece))


METHODS: dict[str, dict[str, Any]] = {
    "tools/call": {"name": LIST, "arguments": {}},
    "tools/list": {},
    "resources/read": {"uri": "research://vector-index/rebuild-status"},
    "resources/list": {},
    "resources/templates/list": {},
    "prompts/list": {},
    "prompts/get": {"name": "find_prior_art", "arguments": {"idea": "x"}},
    "completion/complete": {"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": ""}},
    "server/discover": {},
    "no/such/method": {},
}


def test_every_method_counts_as_a_call(start: Start) -> None:
    """What one token has used up with it, it has used up for calls; another has not."""
    tokens = {method: f"token-of-{number:08}" for number, method in enumerate(METHODS)}
    given = ", ".join(f"caller-{token[-8:]}: {token}" for token in tokens.values())
    server = start(AUTH_TOKENS=given, TOKEN_CALLS_PER_MINUTE="4")
    for method, token in tokens.items():
        for _ in range(4):
            server.post(method, METHODS[method], token=token)
        code, sentence = failure(server.call(LIST, token=token))
        assert (code, f"'caller-{token[-8:]}' has used up its calls: try again in" in sentence) == (
            "rate_limited",
            True,
        ), method
        answer = server.post(method, METHODS[method], token=token).json()
        told = answer["error"]["data"] if "error" in answer else answer["result"]["_meta"]
        assert told["prioris-mcp/error"] == {"code": "rate_limited", "retryable": True}, method


def test_whether_it_is_there_can_always_be_asked(start: Start) -> None:
    """Pings are free; the handshake of a session is not."""
    server = start(**TOKENS, TOKEN_CALLS_PER_MINUTE="3")
    session = _open_session(server, ADA)
    for _ in range(9):
        assert _in_session(server, session, ADA) == 200
    assert [_limited(server) for _ in range(3)] == [False, False, True]
    assert _in_session(server, session, ADA) == 200


def _ask_on(connection: socket.socket, request: bytes) -> None:
    while True:
        connection.sendall(request)


def _limited(server: WebServer) -> bool:
    return bool(server.call(LIST, token=ADA).get("isError"))


def _status(server: WebServer) -> int:
    return httpx2.get(f"http://127.0.0.1:{server.port}/healthz", trust_env=False).status_code


def _listen(session: str) -> bytes:
    return f"Accept: text/event-stream\r\nMcp-Session-Id: {session}\r\nMcp-Protocol-Version: {LEGACY}\r\n\r\n".encode()


def _send(server: WebServer, message: dict[str, Any], token: str | None, **headers: str) -> httpx2.Response:
    sent = {"Accept": ACCEPTED, "Content-Type": "application/json", **headers}
    sent |= {"Authorization": f"Bearer {token}"} if token else {}
    return server.client.post("/mcp", content=json.dumps(message).encode(), headers=sent)


def _open_session(server: WebServer, token: str | None = None) -> str:
    client = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    answer = _send(server, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}, token)
    assert result(answer)["serverInfo"]
    return str(answer.headers["mcp-session-id"])


def _in_session(server: WebServer, session: str, token: str | None = None) -> int:
    headers = {"Mcp-Session-Id": session, "Mcp-Protocol-Version": LEGACY}
    return _send(server, {"jsonrpc": "2.0", "id": 2, "method": "ping"}, token, **headers).status_code
