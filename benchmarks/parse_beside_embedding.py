"""What a parse costs its caller with embedding on, beside the same parse without.

    python -m benchmarks.parse_beside_embedding [--rounds 20]

Two servers over standard input and output, one with the bundled model and one without any, are given the same PDF in
turn, each time as a new document, and asked to parse it. The first embeds what it parsed before in the background
meanwhile. Wall time of the parse call.
"""

from __future__ import annotations

import argparse
import base64
import statistics
import tempfile
import time
from pathlib import Path

from tests.e2e.process import Home, Server
from tests.replay.papers import DATA

PAPER = (DATA / "pdf" / "sample-paper.pdf").read_bytes()
ADD, PARSE = "research_localfile_fetch_full_text", "research_localfile_parse_full_text"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    times: dict[str, list[float]] = {"with": [], "without": []}
    with tempfile.TemporaryDirectory() as folder:
        settings = {"with": {}, "without": {"PRIORIS_MCP_EMBEDDING_MODEL": "/none"}}
        servers = {name: Server(Home(Path(folder, name))).start(env) for name, env in settings.items()}
        try:
            for server in servers.values():
                server.initialize()
            for number in range(-2, rounds):  # the first two warm up
                for name, server in servers.items():
                    seconds = parsed(server, number)
                    if number >= 0:
                        times[name].append(seconds)
        finally:
            for server in servers.values():
                server.stop()
    middle = {name: statistics.median(values) * 1e3 for name, values in times.items()}
    ratio = middle["with"] / middle["without"]
    print(f"parse with embedding {middle['with']:.0f} ms, without {middle['without']:.0f} ms: {ratio:.2f} x")


def parsed(server: Server, number: int) -> float:
    """Seconds that one parse takes."""
    document = base64.b64encode(PAPER + str(number).encode()).decode()
    name = server.ok(ADD, content_base64=document)["id"]
    started = time.perf_counter()
    server.ok(PARSE, id=name, limit=1000)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
