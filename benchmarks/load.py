"""Many clients at a time on one server over HTTP: reading, searching and writing notes, for minutes.

    python -m benchmarks.load [--minutes 1] [--clients 50] [--documents 8] [--pause 0] [--report FILE]

Every other client speaks the older protocol, each sends its next request when it has the answer to the last. Clients
and server share the machine, so the times are those of a machine that has no rest. Afterwards the server is stopped,
another is started on the same folders, and every note that was acknowledged is read back. The exit code says whether
there was no error and nothing was lost.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from scripts.serving import HttpConnection, Served, environment, listening
from tests.replay import running
from tests.replay.papers import papers

MEGABYTE = 2**20
WINDOW = 4000
QUERIES = (
    *("low-rank adaptation", "attention mechanism", "citation graph", "memory of the adapted model", "transformer"),
    *("what should an assistant with little time use?", "prefix*", '"language models"', "evaluation AND data"),
)
SHARES = {"read window": 25, "read resource": 15, "search words": 15, "search meaning": 15, "list": 5}
SHARES |= {"write note": 15, "search notes": 10}


@dataclass
class Seen:
    """What came back."""

    milliseconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)
    memory: list[float] = field(default_factory=list)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--documents", type=int, default=8)
    parser.add_argument("--pause", type=float, default=0, help="seconds between a client's answer and its next request")
    parser.add_argument("--report", type=Path, help="a file for the figures as JSON")
    options = parser.parse_args()
    seen = Seen()
    with tempfile.TemporaryDirectory(prefix="load-") as folder, running() as stand_in:
        env = environment(Path(folder, "user"), stand_in, PRIORIS_MCP_LOG_LEVEL="WARNING")
        with listening(env, Path(folder, "log")) as served:
            asyncio.run(_load(served, options, seen))
        with listening(env, Path(folder, "log-after")) as served:
            lost = asyncio.run(_missing(served, seen.notes))
        tracebacks = Path(folder, "log").read_text("utf-8", "replace").count("Traceback (most recent call last)")
    report = _report(options, seen, lost, tracebacks)
    print(json.dumps(report, indent=2))
    if options.report:
        options.report.write_text(json.dumps(report, indent=2) + "\n", "utf-8")
    return int(bool(seen.errors or lost or tracebacks))


async def _load(served: Served, options: argparse.Namespace, seen: Seen) -> None:
    clients = [HttpConnection(served.url, modern=number % 2 == 0) for number in range(options.clients)]
    await asyncio.gather(*(client.open() for client in clients))
    identifiers = await _filled(clients[0], options.documents)
    process = psutil.Process(served.process.pid)
    seen.memory.append(process.memory_info().rss / MEGABYTE)
    until = time.monotonic() + options.minutes * 60
    watch = asyncio.create_task(_watch(process, seen))
    runs = (_client(client, number, identifiers, until, options, seen) for number, client in enumerate(clients))
    await asyncio.gather(*runs)
    watch.cancel()
    seen.memory.append(process.memory_info().rss / MEGABYTE)
    await asyncio.gather(*(client.close() for client in clients))


async def _watch(process: psutil.Process, seen: Seen) -> None:
    while True:
        await asyncio.sleep(5)
        seen.memory.append(process.memory_info().rss / MEGABYTE)


async def _filled(client: HttpConnection, documents: int) -> list[str]:
    """Identifiers of documents that the library holds from now on, parsed and embedded or about to be."""
    found: list[str] = []
    for identifier in sorted(papers()):
        if len(found) == documents:
            break
        given = {"arxiv_id": identifier, "format": "pdf"}
        answer = await client.request("tools/call", {"name": "research_arxiv_fetch_full_text", "arguments": given})
        if not answer["result"].get("isError"):  # a withdrawn one has no file
            await _call(client, "research_arxiv_parse_full_text", given)
            uri = answer["result"]["structuredContent"]["resource_uri"]
            found.append(uri.removeprefix("research://arxiv/").removesuffix("/pdf/fulltext"))
    await _call(client, "research_find", {"query": QUERIES[0]})
    return found


async def _client(
    client: HttpConnection, number: int, identifiers: list[str], until: float, options: argparse.Namespace, seen: Seen
) -> None:
    chance = random.Random(number)
    turn = 0
    while time.monotonic() < until:
        turn += 1
        (kind,) = chance.choices(list(SHARES), list(SHARES.values()))
        text = f"note {number}-{turn}: {chance.choice(QUERIES)}"
        method, params = REQUESTS[kind](chance, identifiers, text)
        started = time.perf_counter()
        try:
            answer = await client.request(method, params)
        except Exception as exc:  # noqa: BLE001 - whatever it is, it is what we look for
            seen.errors.append(f"{kind} {type(exc).__name__} {exc}")
            continue
        seen.milliseconds[kind].append((time.perf_counter() - started) * 1e3)
        result = answer.get("result")
        if result is None or result.get("isError"):
            seen.errors.append(f"{kind} {json.dumps(answer)[:500]}")
        elif kind == "write note":
            seen.notes[result["structuredContent"]["id"]] = text
        await asyncio.sleep(options.pause)


def _tool(name: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    return "tools/call", {"name": name, "arguments": arguments}


def _window(chance: random.Random, identifiers: list[str], _: str) -> tuple[str, dict[str, Any]]:
    window = {"offset": chance.randrange(0, 3 * WINDOW), "limit": WINDOW}
    return _tool("research_arxiv_parse_full_text", arxiv_id=chance.choice(identifiers), format="pdf", **window)


def _resource(chance: random.Random, identifiers: list[str], _: str) -> tuple[str, dict[str, Any]]:
    uri = f"research://arxiv/{chance.choice(identifiers)}/pdf/markdown?limit={WINDOW}"
    return "resources/read", {"uri": uri}


def _note(chance: random.Random, identifiers: list[str], text: str) -> tuple[str, dict[str, Any]]:
    about = {"provider": "arxiv", "identifier": chance.choice(identifiers), "format": "pdf"}
    return _tool("research_notes_create", **about, text=text, tags=[f"tag-{chance.randrange(20)}"])


REQUESTS: Mapping[str, Callable[[random.Random, list[str], str], tuple[str, dict[str, Any]]]] = {
    "read window": _window,
    "read resource": _resource,
    "search words": lambda chance, _, __: _tool("research_search_fetched", query=chance.choice(QUERIES), limit=10),
    "search meaning": lambda chance, _, __: _tool("research_find", query=chance.choice(QUERIES), limit=5),
    "list": lambda *_: _tool("research_list_fetched", limit=20),
    "write note": _note,
    "search notes": lambda chance, _, __: _tool(
        "research_notes_search", tags_any=[f"tag-{chance.randrange(20)}"], keyword="note", limit=10
    ),
}


async def _call(client: HttpConnection, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    answer = await client.request("tools/call", {"name": tool, "arguments": dict(arguments)})
    if "result" not in answer or answer["result"].get("isError"):
        raise SystemExit(f"{tool} {arguments}: {json.dumps(answer)[:1000]}")
    content: dict[str, Any] = answer["result"]["structuredContent"]
    return content


async def _missing(served: Served, notes: Mapping[str, str]) -> list[str]:
    """Those of *notes* that are not there, or not as they were written."""
    client = HttpConnection(served.url, modern=True)
    await client.open()
    lost = []
    for note_id, text in notes.items():
        answer = await client.request("tools/call", {"name": "research_notes_read", "arguments": {"note_id": note_id}})
        content = answer.get("result", {}).get("structuredContent") or {}
        if content.get("text") != text:
            lost.append(note_id)
    await client.close()
    return lost


def _report(options: argparse.Namespace, seen: Seen, lost: list[str], tracebacks: int) -> dict[str, Any]:
    calls = sum(map(len, seen.milliseconds.values()))
    times = {
        kind: {
            "calls": len(found),
            "p50 ms": round(statistics.median(found), 1),
            "p95 ms": round(statistics.quantiles(found, n=20)[-1], 1),
            "slowest ms": round(max(found), 1),
        }
        for kind, found in sorted(seen.milliseconds.items())
        if len(found) > 1
    }
    return {
        "clients": options.clients,
        "minutes": options.minutes,
        "calls": calls,
        "calls a second": round(calls / (options.minutes * 60), 1),
        "errors": len(seen.errors),
        "first errors": seen.errors[:10],
        "notes acknowledged": len(seen.notes),
        "notes lost": len(lost),
        "tracebacks": tracebacks,
        "memory at start, MB": round(seen.memory[0], 1),
        "memory at end, MB": round(seen.memory[-1], 1),
        "most memory, MB": round(max(seen.memory), 1),
        "times": times,
    }


if __name__ == "__main__":
    sys.exit(main())
