"""Process start to an answered initialize, and memory after it, beside other servers in one interleaved run.

    python benchmarks/startup.py [--pairs 10] [--peer NAME=COMMAND]...

The first line of the table is a FastMCP server with one trivial tool: what nobody can be faster than.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

TRIVIAL = """
import os
os.environ.update(FASTMCP_ENV_FILE=os.devnull, FASTMCP_LOG_ENABLED="false", FASTMCP_CHECK_FOR_UPDATES="off")
from fastmcp import FastMCP
server = FastMCP("trivial")
@server.tool
def add(a: int, b: int) -> int:
    "Add two numbers."
    return a + b
server.run(show_banner=False)
"""
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "benchmark", "version": "1"},
    },
}


def measure(command: Sequence[str], home: Path) -> tuple[float, float]:
    """Seconds to the answer, and resident MiB after it."""
    env = os.environ | {"HOME": str(home), "XDG_DATA_HOME": "", "XDG_STATE_HOME": ""}
    started = time.perf_counter()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        seconds = time.perf_counter() - started
        if b'"result"' not in answer:
            raise SystemExit(f"no answer from {shlex.join(command)}: {answer!r}")
        status = Path(f"/proc/{process.pid}/status").read_text()
        memory = int(status.split("VmRSS:")[1].split()[0]) / 1024
        process.kill()
    return seconds, memory


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND")
    options = parser.parse_args()
    commands = {
        "one trivial tool": [sys.executable, "-c", TRIVIAL],
        "prioris-mcp": [sys.executable, "-m", "prioris_mcp"],
        **{name: shlex.split(command) for name, _, command in (peer.partition("=") for peer in options.peer)},
    }
    figures: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    with tempfile.TemporaryDirectory() as home:
        for command in commands.values():
            measure(command, Path(home))
        for _ in range(options.pairs):
            for name, command in commands.items():
                figures[name].append(measure(command, Path(home)))
    base_seconds, base_memory = (statistics.median(values) for values in zip(*figures["one trivial tool"], strict=True))
    print(f"{'server':20} {'seconds':>8} {'ratio':>6} {'MiB':>7} {'ratio':>6}   ({options.pairs} rounds, medians)")
    for name, pairs in figures.items():
        seconds, memory = (statistics.median(values) for values in zip(*pairs, strict=True))
        print(f"{name:20} {seconds:8.3f} {seconds / base_seconds:6.2f} {memory:7.1f} {memory / base_memory:6.2f}")


if __name__ == "__main__":
    main()
