"""Calls every tool, resource and prompt with hostile arguments, over standard input and output and over HTTP.

    python -m scripts.fuzz [--calls 2000] [--transport stdio http] [--seed 1] [--together 4] [--report FILE]

The server is the real program; a stand-in on this machine answers for the network. Wrong are: a request without an
answer, a traceback in the log, a path or a name of our modules in an answer, a server that has ended, and resident
memory that grows by 50 MB between a tenth of the calls (the thousandth call, in short runs) and the end. The exit code
says whether all held.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import psutil

from prioris_mcp.errors import PriorisError
from scripts.hostile import Hostile, Shot, encoded
from scripts.serving import ENVELOPE, HttpConnection, environment, listening
from tests.e2e.process import ERROR, Home, RpcError, Server
from tests.replay import StandIn, running

MOST_GROWTH = 50.0
_MEGABYTE = 2**20
_WARM = 1000
"""Calls until everything that is loaded at first use, as the model, has been."""
_PATIENCE = 180.0
_DEPTHS = (50, 120, 180, 700, 950, 20_000)
_LEARNT = {"session_id": "$session", "note_id": "$note"}
_MARKS = ("Traceback", 'File \\"', "site-packages", "prioris_mcp/", "prioris_mcp.", "pydantic", "stand-in-")


_UNEXPECTED = (PriorisError.code, "-32603", "500", "without a code")


class Connection(Protocol):
    """How a request gets to the server."""

    modern: bool

    async def raw(self, method: str, params: str, name: str = "") -> dict[str, Any]:
        """The message that answers."""
        ...


@dataclass
class Findings:
    """What was seen on one transport."""

    codes: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")
    longest: tuple[int, str] = (0, "")
    leaks: list[str] = field(default_factory=list)
    unanswered: list[str] = field(default_factory=list)
    unexpected: list[str] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    tracebacks: list[str] = field(default_factory=list)
    alive: bool = False
    seconds: float = 0.0

    def faults(self) -> list[str]:
        """All that is wrong, in words."""
        found = [f"leaks: {leak}" for leak in self.leaks[:20]]
        found += [f"no answer: {call}" for call in self.unanswered[:20]]
        found += [f"an unexpected error: {call}" for call in self.unexpected[:20]]
        found += [f"{times} × in the log: {last}" for last, times in Counter(self.tracebacks).most_common()]
        found += ["the server has ended, or answers no more"] * (not self.alive)
        found += [f"memory grew by {self.growth:.1f} MB"] * (self.growth >= MOST_GROWTH)
        return found

    @property
    def growth(self) -> float:
        """MB between a tenth of the calls and the end."""
        return self.memory[-1] - self.memory[0] if self.memory else 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--transport", nargs="+", choices=("stdio", "http"), default=["stdio", "http"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--together", type=int, default=4, help="requests that are on their way at a time")
    parser.add_argument("--report", type=Path, help="a file for the figures as JSON")
    options = parser.parse_args()
    reports, wrong = {}, False
    for transport in options.transport:
        with tempfile.TemporaryDirectory(prefix="fuzz-") as home, running() as stand_in:
            findings = asyncio.run(_fuzz(transport, options, Path(home), stand_in))
        reports[transport] = _shown(transport, findings, options)
        wrong |= bool(findings.faults())
    if options.report:
        options.report.write_text(json.dumps(reports, indent=2) + "\n", "utf-8")
    return int(wrong)


async def _fuzz(transport: str, options: argparse.Namespace, home: Path, stand_in: StandIn) -> Findings:
    opened = _over_stdio if transport == "stdio" else _over_http
    findings, started = Findings(), time.monotonic()
    async with opened(home, stand_in, options.together) as (connections, pid, log):
        tools = (await connections[0].raw("tools/list", _params(connections[0], {})))["result"]["tools"]
        hostile = Hostile(options.seed, {tool["name"]: tool["inputSchema"] for tool in tools})
        process, shots = psutil.Process(pid), enumerate(hostile.shots(options.calls))
        runs = (_run(connection, shots, hostile, findings, (process, options.calls)) for connection in connections)
        await asyncio.gather(*runs)
        findings.memory.append(_resident(process))
        answer = await asyncio.wait_for(connections[0].raw("tools/list", _params(connections[0], {})), _PATIENCE)
        findings.alive = process.is_running() and len(answer.get("result", {}).get("tools", [])) == len(tools)
    findings.tracebacks = list(_tracebacks(log.read_text("utf-8", "replace")))
    findings.seconds = time.monotonic() - started
    return findings


async def _run(
    connection: Connection,
    shots: Iterator[tuple[int, Shot]],
    hostile: Hostile,
    findings: Findings,
    watched: tuple[psutil.Process, int],
) -> None:
    process, calls = watched
    for turn, shot in shots:
        if turn % max(1, calls // 10) == 0 and turn >= min(_WARM, calls // 2):
            findings.memory.append(_resident(process))
            print(f"  {turn} calls, {findings.memory[-1]:.0f} MB", file=sys.stderr, flush=True)
        params = encoded(_with_envelope(connection, shot.params), _DEPTHS[turn % len(_DEPTHS)])
        started = time.monotonic()
        try:
            answer = await asyncio.wait_for(connection.raw(shot.method, params, shot.name), _PATIENCE)
        except Exception as exc:  # noqa: BLE001 - whatever it is, it is what we look for
            findings.unanswered.append(f"{shot.target} {type(exc).__name__} {exc}: {params[:300]}")
            continue
        _judge(findings, shot, params, answer, time.monotonic() - started)
        _learn(hostile, answer)


def _judge(findings: Findings, shot: Shot, params: str, answer: Mapping[str, Any], seconds: float) -> None:
    text = json.dumps(answer, ensure_ascii=False)
    code = _code(answer)
    findings.codes[code] += 1
    findings.slowest = max(findings.slowest, (seconds, f"{shot.target} {code} {params[:200]}"))
    findings.longest = max(findings.longest, (len(text), f"{shot.target} {code}"))
    findings.leaks += [f"{mark} in {text[:300]} of {params[:300]}" for mark in _MARKS if mark in text]
    if code in _UNEXPECTED:
        findings.unexpected.append(f"{shot.target} {code} {text[:200]}: {params[:600]}")


def _code(answer: Mapping[str, Any]) -> str:
    if "error" in answer:
        return str(answer["error"]["code"])
    result = answer["result"]
    if not result.get("isError"):
        return "ok"
    return str(result.get("_meta", {}).get(ERROR, {}).get("code", "without a code"))


def _learn(hostile: Hostile, answer: Mapping[str, Any]) -> None:
    """Sessions, notes and files that are there, so that later calls come further."""
    found = answer.get("result", {}).get("structuredContent") or {}
    if "session_id" in found:
        hostile.known["$session"] = found["session_id"]
    elif "anchors" in found:
        hostile.known["$note"] = found["id"]
    elif "served_from_storage" in found and "id" in found:
        hostile.known["$file"] = found["id"]


def _with_envelope(connection: Connection, params: Mapping[str, Any]) -> dict[str, Any]:
    return {**params, "_meta": ENVELOPE} if connection.modern else dict(params)


def _params(connection: Connection, params: Mapping[str, Any]) -> str:
    return json.dumps(_with_envelope(connection, params))


def _tracebacks(log: str) -> Iterator[str]:
    """Where each one ends: the last place, and what was raised there."""
    for text in log.split("Traceback (most recent call last):\n")[1:]:
        inner = list(itertools.takewhile(lambda line: line.startswith(" "), text.split("\n")))
        places = [line.strip() for line in inner if line.startswith("  File ")]
        yield f"{places[-1] if places else ''} {text.split(chr(10))[len(inner)][:200]}"


def _resident(process: psutil.Process) -> float:
    """MB of the server itself, not of its parsers, which come and go."""
    return float(process.memory_info().rss / _MEGABYTE)


class _Pipe:
    """Requests of one client over standard input and output."""

    def __init__(self, server: Server, *, modern: bool) -> None:
        self._server, self.modern = server, modern

    async def raw(self, method: str, params: str, name: str = "") -> dict[str, Any]:  # noqa: ARG002 - HTTP wants it
        future = await asyncio.to_thread(self._server.raw, params, method)
        try:
            return {"result": await asyncio.wrap_future(future)}
        except RpcError as exc:
            return {"error": {"code": exc.code, "message": str(exc), "data": exc.data}}
        finally:
            self._server.lines.clear()


Opened = tuple[list[Any], int, Path]


@asynccontextmanager
async def _over_stdio(home: Path, stand_in: StandIn, together: int) -> AsyncGenerator[Opened]:
    env = environment(home / "user", stand_in)
    server = Server(Home(home / "user")).start(env)
    try:
        yield [_Pipe(server, modern=True)] * together, server.pid, server.log
    finally:
        server.stop()


@asynccontextmanager
async def _over_http(home: Path, stand_in: StandIn, together: int) -> AsyncGenerator[Opened]:
    """Every other client of the older protocol."""
    with listening(environment(home / "user", stand_in), home / "log") as served:
        clients = [HttpConnection(served.url, modern=number % 2 == 0, seconds=_PATIENCE) for number in range(together)]
        for client in clients:
            await client.open()
        try:
            yield clients, served.process.pid, served.log
        finally:
            for client in clients:
                await client.close()


def _shown(transport: str, findings: Findings, options: argparse.Namespace) -> dict[str, Any]:
    report = {
        "calls": options.calls,
        "seconds": round(findings.seconds, 1),
        "codes": dict(findings.codes.most_common()),
        "slowest call, seconds": [round(findings.slowest[0], 2), findings.slowest[1]],
        "longest answer, characters": list(findings.longest),
        "memory, MB": [round(value, 1) for value in findings.memory],
        "growth, MB": round(findings.growth, 1),
        "tracebacks": len(findings.tracebacks),
        "leaks": len(findings.leaks),
        "without an answer": len(findings.unanswered),
        "alive": findings.alive,
        "faults": findings.faults(),
    }
    print(f"== {transport}")
    for name, value in report.items():
        print(f"{name}: {value}" if name != "faults" else "\n".join(["faults:", *(f"  - {fault}" for fault in value)]))
    return report


if __name__ == "__main__":
    sys.exit(main())
