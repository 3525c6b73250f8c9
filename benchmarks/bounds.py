"""How long other calls wait, and how much memory a server takes, while one gets the largest arguments that it accepts.

    python -m benchmarks.bounds [--rounds 3]

Each parameter of each tool in turn gets as much as its schema allows, in several shapes, and then one more, which is
refused; beside it a list of the library is asked for again and again. Sources are answered by a stand-in.
"""

from __future__ import annotations

import argparse
import base64
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil

from tests.e2e.conftest import LORA, SAMPLE, environment
from tests.e2e.process import FETCH, PARSE, Home, Server
from tests.replay import running

CHEAP = "research_list_fetched"
SHAPES: dict[str, Callable[[int], str]] = {
    "letters": lambda count: "x" * count,
    "words": lambda count: ("low rank adaptation " * (count // 20 + 1))[:count],
    "signs": lambda count: ('"(* ' * (count // 4 + 1))[:count],
    "characters": lambda count: "語" * count,
}
_FILE = 10 * 2**20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder, running() as stand_in:
        env = environment(stand_in) | {"PRIORIS_MCP_OPENALEX_API_KEY": "benchmark-key"}
        server = Server(Home(Path(folder))).start(env)
        try:
            measure(server, rounds)
        finally:
            server.stop()


def measure(server: Server, rounds: int) -> None:
    process = psutil.Process(server.pid)
    server.ok(FETCH, arxiv_id=LORA, format="pdf")
    server.ok(PARSE, arxiv_id=LORA, format="pdf", limit=1)
    server.call("research_find", {"query": "warm up"})
    tools = server.request("tools/list")["tools"]
    worst: list[tuple[float, str]] = []
    before = process.memory_info().rss
    peak = before
    for _ in range(rounds):
        for name, arguments, what in cases(tools):
            wait, memory = beside(server, process, name, arguments)
            worst.append((wait, what))
            peak = max(peak, memory)
    worst.sort(reverse=True)
    print(f"{len(worst)} calls; the longest that another call waited for an answer:")
    for wait, what in worst[:8]:
        print(f"  {wait * 1e3:7.0f} ms  {what}")
    print(f"resident memory: {before / 2**20:.0f} MiB before, {peak / 2**20:.0f} MiB at most while they ran")


def cases(tools: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Each tool with one argument as large as it may be, and with one more than that."""
    for tool in tools:
        schema = tool["inputSchema"]
        for name, field in schema["properties"].items():
            rest = {other: usual(schema["properties"][other], other) for other in schema.get("required", [])}
            for shape, value in values(field):
                yield tool["name"], {**rest, name: value}, f"{tool['name']} {name}: {shape}"


def values(field: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    if field.get("contentEncoding") == "base64":
        content = SAMPLE + b"%" * (_FILE - len(SAMPLE) - 7) + b"\n%%EOF\n"
        yield "a file", base64.b64encode(content).decode()
        yield "a larger file", base64.b64encode(content + bytes(4)).decode()
    elif "maxLength" in field and "enum" not in field:
        for shape, make in SHAPES.items():
            yield f"{field['maxLength']} {shape}", make(field["maxLength"])
        yield "one more", "x" * (field["maxLength"] + 1)
    elif "maxItems" in field and field.get("items", {}).get("type") == "string":
        yield (
            f"{field['maxItems']} entries",
            [f"26{number // 100:02}.{number:05}" for number in range(field["maxItems"])],
        )
        yield "one more", ["x"] * (field["maxItems"] + 1)


def usual(field: dict[str, Any], name: str) -> Any:
    """A value that the tool takes."""
    if "enum" in field:
        return field["enum"][0]
    known = {"arxiv_id": LORA, "identifier": LORA, "text": "a note", "query": "graph", "note_id": "0" * 16, "index": 0}
    return known.get(name, ["2106.09685"] if field.get("type") == "array" else "x")


def beside(server: Server, process: psutil.Process, name: str, arguments: dict[str, Any]) -> tuple[float, int]:
    """The longest wait of a cheap call while the large one is at work, and the most memory meanwhile."""
    done, waits, memory = threading.Event(), [0.0], [0]

    def watch() -> None:
        while not done.is_set():
            began = time.perf_counter()
            server.ok(CHEAP, limit=1)
            waits.append(time.perf_counter() - began)
            memory.append(process.memory_info().rss)

    watcher = threading.Thread(target=watch)
    watcher.start()
    time.sleep(0.02)
    try:
        server.begin(name, **arguments).result(120)
    finally:
        done.set()
        watcher.join()
    return max(waits), max(memory)


if __name__ == "__main__":
    main()
