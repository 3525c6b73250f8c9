"""A long parse says how far it is, to a client that asked for it and to a person at a terminal."""

from __future__ import annotations

import base64
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.e2e.conftest import Launch
from tests.e2e.process import COMMAND, FETCH, PATIENCE, Home, Server
from tests.e2e.waiting import until
from tests.replay import StandIn
from tests.replay.papers import DATA
from tests.unit.adapters.parsers.pdf.tiny_pdf import pdf, text

ADD = "research_localfile_fetch_full_text"
READ = "research_localfile_parse_full_text"
LONG = pdf(*(text(f"Page {number} of a book of many pages") for number in range(1, 251)))


def reports(server: Server) -> list[tuple[int, int]]:
    """The pages done and in all, as the client was told them."""
    told = [notice["params"] for notice in server.notices if notice["method"] == "notifications/progress"]
    assert all(params["progressToken"] == "read" for params in told)
    return [(params["progress"], params["total"]) for params in told]


@pytest.mark.parametrize("modern", [False, True])
def test_a_client_that_asks_is_told_the_pages_done(launch: Launch, modern: bool) -> None:
    """On the way and at the end, always more than before; nothing to one that does not ask."""
    server = launch()
    if not modern:
        server.initialize()
    name = server.ok(ADD, content_base64=base64.b64encode(LONG).decode())["id"]
    call = {"name": READ, "arguments": {"id": name}}
    assert not server.request("tools/call", {**call, "_meta": {"progressToken": "read"}})["isError"]
    told = reports(server)
    assert told == sorted(set(told))
    assert {total for _, total in told} == {250}
    assert told[0][0] < told[-1][0] == 250
    entry = {"provider": "localfile", "identifier": name, "format": "pdf", "artefact": "markdown"}
    server.ok("research_delete_fetched", entries=[entry])
    server.ok(READ, id=name)
    assert reports(server) == told


def test_a_long_download_says_how_far_it_is(launch: Launch, standin: StandIn) -> None:
    """In bytes, to a client that asked for it."""
    paper = DATA.joinpath("pdf", "sample-paper.pdf").read_bytes() + b"\0" * 2_000_000
    standin.fault("body", path="/pdf/*", body=paper, content_type="application/pdf")
    server = launch()
    arguments = {"arxiv_id": "2106.09685", "format": "pdf"}
    call = {"name": FETCH, "arguments": arguments, "_meta": {"progressToken": "read"}}
    assert server.request("tools/call", call)["structuredContent"]["size_bytes"] == len(paper)
    told = reports(server)
    assert len(told) >= 2
    assert told == sorted(set(told))
    assert {total for _, total in told} == {len(paper)}


def test_a_download_that_nobody_waits_for_is_stopped(launch: Launch, standin: StandIn) -> None:
    """A cancelled call leaves no document, and the next one fetches it."""
    standin.fault("drip", path="/pdf/*")
    server = launch()
    arguments = {"arxiv_id": "2106.09685", "format": "pdf"}
    server.begin(FETCH, **arguments)
    until(lambda: any(asked.target.startswith("/pdf/") for asked in standin.asked))
    server.notify("notifications/cancelled", {"requestId": server.last_id})
    standin.reset()
    assert server.ok(FETCH, **arguments)["served_from_storage"] is False


def test_a_person_sees_the_pages_done(home: Home, env: Mapping[str, str], tmp_path: Path) -> None:
    """On one line of the terminal, which is gone when the text comes; nothing where no terminal is."""
    pty = pytest.importorskip("pty")
    (tmp_path / "long.pdf").write_bytes(LONG)
    home.root.mkdir(parents=True, exist_ok=True)

    def run(*arguments: str, stderr: int) -> str:
        setting = {**home.env(), **env}
        done = subprocess.run(
            [*COMMAND, *arguments], env=setting, stdout=-1, stderr=stderr, timeout=PATIENCE, check=True
        )
        return done.stdout.decode()

    name = run("add", str(tmp_path / "long.pdf"), stderr=subprocess.DEVNULL).split(": ")[1].split(",")[0]
    ours, theirs = pty.openpty()
    run("read", name, stderr=theirs)
    os.close(theirs)
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "\r\x1b[Kparsing: 100 of 250 pages\r\x1b[Kparsing: 200 of 250 pages" in shown
    assert shown.index("250 of 250") < shown.rindex("\r\x1b[K") < shown.index("[characters 0 to")
