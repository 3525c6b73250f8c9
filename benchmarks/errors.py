"""What a call that ends in an error costs beside one that succeeds, on one server process.

    python -m benchmarks.errors [--calls 300]

Processor time of the server, calls of both kinds in turn. The successful call reads a stored paper.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import prioris_mcp.server  # noqa: F401 - settles FastMCP's own settings before it is imported

# isort: split
import psutil
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from tests.replay import running

READ = "research_arxiv_parse_full_text"
GOOD = {"arxiv_id": "1706.03762v7", "format": "pdf", "limit": 1000}
KINDS = {
    "success": GOOD,
    "not_found": GOOD | {"arxiv_id": "2106.09685v1"},
    "invalid_request": GOOD | {"limit": 0},
    "wrong argument": GOOD | {"limit": "many"},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=300)
    calls = parser.parse_args().calls
    with tempfile.TemporaryDirectory() as home, running() as stand_in:
        env = os.environ | stand_in.env() | {"HOME": home, "XDG_DATA_HOME": home, "XDG_STATE_HOME": home}
        env["PRIORIS_MCP_REQUEST_SPACING_SECONDS"] = "0.01"
        figures = asyncio.run(measure(env, calls, Path(home) / "log"))
    base = statistics.mean(figures["success"])
    print(f"{'call':16} {'CPU ms':>8} {'ratio':>6}   ({calls} of each, in turn, means)")
    for kind, seconds in figures.items():
        print(f"{kind:16} {statistics.mean(seconds) * 1e3:8.2f} {statistics.mean(seconds) / base:6.2f}")


async def measure(env: Mapping[str, str], calls: int, log: Path) -> dict[str, list[float]]:
    """Processor seconds of the server for each kind, in batches of ten."""
    transport = StdioTransport(sys.executable, ["-m", "prioris_mcp"], env=dict(env), log_file=log)
    figures: dict[str, list[float]] = {kind: [] for kind in KINDS}
    async with Client(transport) as client:
        await client.call_tool("research_arxiv_fetch_full_text", {"arxiv_id": "1706.03762", "format": "pdf"})
        await client.call_tool(READ, GOOD)
        (server,) = [child for child in psutil.Process().children() if "prioris_mcp" in " ".join(child.cmdline())]
        for _ in range(calls // 10):
            for kind, arguments in KINDS.items():
                before = sum(server.cpu_times()[:2])
                for _ in range(10):
                    await call(client, arguments)
                figures[kind].append((sum(server.cpu_times()[:2]) - before) / 10)
    return figures


async def call(client: Client[Any], arguments: dict[str, Any]) -> None:
    await client.call_tool(READ, arguments, raise_on_error=False)


if __name__ == "__main__":
    main()
