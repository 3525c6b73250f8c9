"""One request in flight and a pause between starts: within one server, among several, and past a killed one."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.conftest import SPACING, Launch
from tests.e2e.process import METADATA, Home, Server, structured
from tests.e2e.waiting import until
from tests.replay import StandIn

PACE = 0.15
SLOW = {SPACING: str(PACE)}


def _paced(standin: StandIn, begun: float, pace: float = PACE) -> bool:
    """Whether no request came sooner than it may, after calls that *begun* then.

    A request can be late on its way on a busy machine, and the next one then seems close. But none can be sent before
    the first was asked for and all those before it have had their pause.
    """
    came = sorted(asked.at for asked in standin.asked)
    return all(at - begun >= number * pace for number, at in enumerate(came))


def _ask(server: Server, count: int) -> None:
    """*count* concurrent calls that cost a request each, to their end."""
    for answer in [server.begin(METADATA, arxiv_ids=[f"2106.{n:05}"]) for n in range(count)]:
        structured(answer.result(60))


def test_twenty_calls_keep_the_pace(launch: Launch, standin: StandIn) -> None:
    """Twenty concurrent calls of one server reach arXiv one by one, well apart."""
    server = launch(SLOW)
    begun = time.monotonic()
    _ask(server, 20)
    assert (len(standin.asked), standin.overlaps()) == (20, 0)
    assert _paced(standin, begun)


def test_slow_answers_do_not_overlap(launch: Launch, standin: StandIn) -> None:
    """Where answers take longer than the pause, the next request still waits for the last answer."""
    for _ in range(4):
        standin.fault("delay", seconds=2 * PACE)
    server = launch(SLOW)
    _ask(server, 4)
    assert standin.overlaps() == 0
    assert min(standin.gaps()) >= 2 * PACE


def test_two_servers_keep_the_pace_together(launch: Launch, standin: StandIn, tmp_path: Path) -> None:
    """Two servers of one user, with libraries of their own, keep the pace of one."""
    shared = {**SLOW, "PRIORIS_MCP_STATE_DIR": str(tmp_path / "state")}
    servers = [launch(shared, home=Home(tmp_path / name)) for name in ("one", "two")]
    for server in servers:
        server.request("tools/list")
    begun = time.monotonic()
    asked = [server.begin(METADATA, arxiv_ids=[f"2106.{n:05}"]) for n in range(10) for server in servers]
    for answer in asked:
        structured(answer.result(60))
    assert (len(standin.asked), standin.overlaps()) == (20, 0)
    assert _paced(standin, begun)


@pytest.mark.parametrize("reap", [True, False], ids=["reaped", "zombie"])
def test_killed_server_neither_opens_nor_blocks_the_gate(launch: Launch, standin: StandIn, reap: bool) -> None:
    """After a server was killed during its request, the next asks no sooner than it may, and does so soon.

    The killed one could not tell when its request went out: the pause counts from when it took the gate, just before.
    """
    pace = {SPACING: "1"}
    standin.fault("silence")
    killed, other = launch(pace), launch(pace)
    other.request("tools/list")
    begun = time.monotonic()
    killed.begin(METADATA, arxiv_ids=["2106.09685"])
    until(lambda: len(standin.asked) == 1)
    answer = other.begin(METADATA, arxiv_ids=["1706.03762"])
    killed.kill(reap=reap)
    structured(answer.result(60))
    assert len(standin.asked) == 2
    assert _paced(standin, begun, 1)


def test_restarted_server_keeps_the_pace(launch: Launch, standin: StandIn) -> None:
    """A server started anew right after the last one's request still waits for its turn."""
    pace = {SPACING: "2"}
    first = launch(pace)
    begun = time.monotonic()
    first.ok(METADATA, arxiv_ids=["2106.09685"])
    first.kill()
    launch(pace).ok(METADATA, arxiv_ids=["2106.09685"])
    assert _paced(standin, begun, 2)


def _file_for_folder(state: Path) -> None:
    state.parent.mkdir(parents=True)
    state.write_text("in the way")


def _folder_for_file(state: Path) -> None:
    (state / "gates.sqlite").mkdir(parents=True)


def _no_database(state: Path) -> None:
    state.mkdir(parents=True)
    (state / "gates.sqlite").write_bytes(b"this is no database" * 100)


def _newer_database(state: Path) -> None:
    state.mkdir(parents=True)
    with sqlite3.connect(state / "gates.sqlite") as database:
        database.execute("PRAGMA user_version = 99")
    database.close()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (_file_for_folder, "paced for this process alone"),
        (_folder_for_file, "gates.sqlite was moved aside"),
        (_no_database, "gates.sqlite was moved aside"),
        (_newer_database, "gates.sqlite was moved aside"),
    ],
)
def test_unusable_gates_file(
    launch: Launch, standin: StandIn, home: Home, damage: Callable[[Path], None], said: str
) -> None:
    """Another is made where that can be; else a server paces itself, and says that it does not see others."""
    damage(home.state)
    server = launch(SLOW)
    begun = time.monotonic()
    _ask(server, 4)
    assert "WARNING" in server.stderr and said in server.stderr
    assert _paced(standin, begun)


def test_idle_gate_lets_pass_at_once(launch: Launch) -> None:
    """The first request after a long silence does not wait for the pause."""
    server = launch({SPACING: "30"})
    started = time.monotonic()
    server.ok(METADATA, arxiv_ids=["2106.09685"])
    assert time.monotonic() - started < 15
