"""The server process and its pipes: how it starts, what it writes, how it ends."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.e2e.conftest import Launch
from tests.e2e.process import FETCH, LEGACY, METADATA, MODERN, NEWEST, PARSE, SEARCH, Home, Server
from tests.e2e.terminal import command
from tests.e2e.waiting import until
from tests.replay import StandIn

TOOLS = [SEARCH, NEWEST, METADATA, FETCH, PARSE]
SIGNALS = [signal.SIGINT, signal.SIGTERM]


def _no_network(port: int) -> dict[str, str]:
    return dict.fromkeys(("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"), f"http://127.0.0.1:{port}")


def _heavy_page() -> str:
    paragraphs = "".join(f"<p>Paragraph <b>{n}</b> of <i>many</i>.</p>\n" for n in range(150_000))
    return f"<!DOCTYPE html><html><head><title>Long</title></head><body><h1>Long</h1>{paragraphs}</body></html>"


def test_older_clients_are_answered_without_network(launch: Launch, closed_port: int) -> None:
    """With an empty home and no network, a client of 2025-06-18 gets its handshake and all tools."""
    server = launch(_no_network(closed_port))
    assert server.initialize()["protocolVersion"] == LEGACY
    assert [tool["name"] for tool in server.request("tools/list")["tools"]][: len(TOOLS)] == TOOLS


def test_modern_clients_are_answered_without_network(launch: Launch, closed_port: int) -> None:
    """With an empty home and no network, a client of 2026-07-28 discovers the server and gets all tools."""
    server = launch(_no_network(closed_port))
    assert MODERN in server.request("server/discover")["supportedVersions"]
    listing = server.request("tools/list")
    assert listing["resultType"] == "complete"
    assert [tool["name"] for tool in listing["tools"]][: len(TOOLS)] == TOOLS


def test_start_opens_nothing(launch: Launch, standin: StandIn) -> None:
    """A server that was only asked for its tools has asked nobody."""
    launch().request("tools/list")
    assert standin.asked == []


def test_unreachable_network_is_a_sentence(launch: Launch, closed_port: int) -> None:
    """Without network a call fails as provider_unavailable, saying what happened, and the session goes on."""
    server = launch(_no_network(closed_port))
    code, sentence = server.fails(FETCH, arxiv_id="2106.09685", format="pdf")
    assert (code, "arXiv could not be reached" in sentence) == ("provider_unavailable", True)
    assert server.request("tools/list")["tools"]


def test_no_standard_input_at_all(home: Home) -> None:
    """Started with standard input closed, as by some service managers, it ends at once, quietly and without error."""
    done = subprocess.run(
        ["sh", "-c", 'exec "$0" -m prioris_mcp <&-', sys.executable],
        env=home.env(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_end_of_input_ends_it(launch: Launch) -> None:
    """A client that closes the pipe leaves no process behind, and the exit code is 0."""
    server = launch()
    server.initialize()
    server.close()
    assert server.wait() == 0


def test_end_of_input_ends_it_during_a_fetch(launch: Launch, standin: StandIn) -> None:
    """A client that leaves while its download hangs does not keep the process: it ends with 0."""
    standin.fault("silence", path="/pdf/*")
    server = launch()
    server.begin(FETCH, arxiv_id="2106.09685v2", format="pdf")
    until(lambda: len(standin.asked) == 2)
    server.close()
    assert server.wait() == 0


@pytest.mark.parametrize("number", SIGNALS)
def test_signal_ends_it(launch: Launch, number: signal.Signals) -> None:
    """SIGINT and SIGTERM end an idle server with 0."""
    server = launch()
    server.initialize()
    server.signal(number)
    assert server.wait() == 0


@pytest.mark.parametrize("number", SIGNALS)
def test_signal_ends_it_during_a_fetch(launch: Launch, standin: StandIn, number: signal.Signals) -> None:
    """SIGINT and SIGTERM end a server with 0 while a download hangs."""
    standin.fault("silence", path="/pdf/*")
    server = launch()
    server.begin(FETCH, arxiv_id="2106.09685v2", format="pdf")
    until(lambda: len(standin.asked) == 2)
    server.signal(number)
    assert server.wait() == 0


@pytest.mark.parametrize("number", SIGNALS)
def test_signal_ends_it_during_a_parse(launch: Launch, standin: StandIn, number: signal.Signals) -> None:
    """SIGINT and SIGTERM end a server with 0 during a parse, and the parser process with it."""
    standin.fault("body", path="/html/*", body=_heavy_page())
    server = launch()
    server.ok(FETCH, arxiv_id="2106.09685v2", format="html")
    answer = server.begin(PARSE, arxiv_id="2106.09685v2", format="html")
    until(lambda: bool(server.workers()) or answer.done())
    assert not answer.done(), "the page is too light for this test"
    (worker,) = server.workers()
    server.signal(number)
    assert server.wait() == 0
    until(lambda: not worker.is_running() or worker.status() == psutil.STATUS_ZOMBIE)


def test_nothing_but_messages_on_standard_output(launch: Launch) -> None:
    """At level DEBUG, fetching and parsing write JSON-RPC to standard output and all else to standard error."""
    server = launch({"PRIORIS_MCP_LOG_LEVEL": "DEBUG"})
    server.initialize()
    server.ok(FETCH, arxiv_id="2106.09685v2", format="pdf")
    params = {"name": PARSE, "arguments": {"arxiv_id": "2106.09685v2", "format": "pdf"}, "_meta": {"progressToken": 7}}
    assert not server.request("tools/call", params)["isError"]
    assert "DEBUG" in server.stderr
    assert [notice["method"] for notice in server.notices] == ["notifications/progress"] * len(server.notices)
    assert server.strays() == []


def test_foreign_dotenv_changes_nothing(launch: Launch, tmp_path: Path) -> None:
    """A `.env` in the working directory, meant for another program, neither stops nor changes the server."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / ".env").write_text("FASTMCP_LOG_LEVEL=garbage\nPRIORIS_MCP_LOG_LEVEL=garbage\nPRIORIS_MCP_PORT=1\n")
    server = launch(cwd=folder)
    assert server.initialize()["serverInfo"]["name"] == "prioris-mcp"
    assert "garbage" not in server.stderr


@pytest.mark.parametrize(
    ("variable", "value", "allowed"),
    [
        ("LOG_LEVEL", "LOUD", "'WARNING'"),
        ("PORT", "80", "1024"),
        ("HTTP_TIMEOUT_SECONDS", "soon", "number"),
        ("PARSE_MEMORY_MIB", "1", "256"),
        ("ASGI_CORS_ALLOWED_ORIGINS", "localhost", "JSON"),
        ("PDF_OCR_LANGUAGE", "../x", "pattern"),
        ("TRANSPORT", "carrier\npigeon", "'streamable-http'"),
    ],
)
def test_wrong_setting_is_one_line(home: Home, variable: str, value: str, allowed: str) -> None:
    """A wrong setting ends the start with 2 and one line: which variable, what it holds, what is allowed."""
    done = command(home, {f"PRIORIS_MCP_{variable}": value})
    (line,) = done.stderr.decode().splitlines()
    assert (done.returncode, done.stdout) == (2, b"")
    assert f"PRIORIS_MCP_{variable}" in line and repr(value) in line and allowed in line


def test_impolite_pace_is_refused(home: Home) -> None:
    """Less than three seconds between requests is refused where the real sources could be asked."""
    done = command(home, {"PRIORIS_MCP_REQUEST_SPACING_SECONDS": "0.05", "HTTPS_PROXY": "http://proxy.example:3128"})
    (line,) = done.stderr.decode().splitlines()
    assert done.returncode == 2
    assert "PRIORIS_MCP_REQUEST_SPACING_SECONDS=0.05" in line and "3 s" in line


def test_two_wrong_settings_are_one_line(home: Home) -> None:
    """Two wrong settings are both named, in one line."""
    done = command(home, {"PRIORIS_MCP_PORT": "80", "PRIORIS_MCP_LOG_LEVEL": "LOUD"})
    (line,) = done.stderr.decode().splitlines()
    assert "PRIORIS_MCP_PORT" in line and "PRIORIS_MCP_LOG_LEVEL" in line


def test_secret_is_not_shown(home: Home) -> None:
    """A wrong setting that holds secrets is named without its value."""
    done = command(home, {"PRIORIS_MCP_PDF_OCR_SERVER_HEADERS": "Bearer hunter2"})
    assert done.returncode == 2
    assert b"PDF_OCR_SERVER_HEADERS" in done.stderr and b"hunter2" not in done.stderr


def test_only_the_known_hosts_are_asked(launch: Launch, standin: StandIn) -> None:
    """A session that uses every tool and resource asks arXiv's own hosts and nobody else."""
    server = launch()
    server.ok(SEARCH, query="ti:attention")
    server.ok(NEWEST, include_categories=["cs.CL"], n=2)
    server.ok(METADATA, arxiv_ids=["1706.03762"])
    _store(server, "pdf")
    _store(server, "html")
    server.read("research://arxiv/categories")
    assert {asked.host for asked in standin.asked} == {"export.arxiv.org", "arxiv.org", "oaipmh.arxiv.org"}
    assert [asked for asked in standin.asked if asked.refused] == []


def _store(server: Server, kind: str) -> None:
    server.ok(FETCH, arxiv_id="1706.03762", format=kind)
    server.ok(PARSE, arxiv_id="1706.03762", format=kind)


def test_the_listing_says_what_is_configured(launch: Launch) -> None:
    """Defaults that settings change stand in the schemas as they are."""
    server = launch({"PRIORIS_MCP_MAX_INLINE_CHARS": "51", "PRIORIS_MCP_VECTOR_SEARCH_DEFAULT_LIMIT": "3"})
    listed = json.dumps(server.request("tools/list")["tools"])
    assert "default 51, at most 100000" in listed
    assert "Most matches to return; default 3." in listed
