"""How long documents take to parse: PDF beside the bare library, HTML and JATS beside converters of other makes.

    python -m benchmarks.parsing CORPUS [--rounds 3] [--peer-python VENV/bin/python]

CORPUS holds ``pdf/``, ``html/`` and ``jats/``. Each document is parsed by both sides in turn, and the processor time of
a side is that of its own work: nothing is started, sent or stored. The XSLT and html-to-markdown route of the published
implementation runs in a process of its own environment, which is told a path and answers with seconds. Prints for each
format how long ours takes as a share of the other: over all documents, and in the middle.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from liteparse import LiteParse
from liteparse.types import ParseError as LibraryError

from prioris_mcp.adapters.parsers.html.document import parse as parse_html
from prioris_mcp.adapters.parsers.jats.document import parse as parse_jats
from prioris_mcp.adapters.parsers.pdf.document import parse as parse_pdf
from prioris_mcp.errors import ParseError

Side = Callable[[Path], float | None]
"""Seconds of the processor for one document; None where it cannot be parsed."""

PEER = """
import asyncio, inspect, sys, time
from prioris_mcp.parsers.html_to_markdown_backend import HtmlToMarkdownBackend
from prioris_mcp.parsers.jats_xslt import JatsXsltMarkdownBackend

html = HtmlToMarkdownBackend()
backends = {".html": html, ".xml": JatsXsltMarkdownBackend(html)}

async def parse(path, content):
    answer = backends[path[path.rindex("."):]].to_markdown(content)
    return await answer if inspect.isawaitable(answer) else answer

for path in map(str.strip, sys.stdin):
    content = open(path, "rb").read()
    started = time.process_time()
    try:
        asyncio.run(parse(path, content))
        print(time.process_time() - started, flush=True)
    except Exception:
        print("none", flush=True)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peer-python", help="of an environment that has the published implementation")
    options = parser.parse_args()
    compare("PDF", "bare liteparse", options, (ours(parse_pdf), bare), "pdf/*.pdf")
    if options.peer_python:
        peer = Peer(options.peer_python)
        compare("HTML", "html-to-markdown", options, (ours(parse_html), peer), "html/*.html")
        compare("JATS", "XSLT and html-to-markdown", options, (ours(parse_jats), peer), "jats/*.xml")
        peer.end()


def compare(kind: str, other: str, options: argparse.Namespace, sides: tuple[Side, Side], pattern: str) -> None:
    """Print how long the first side takes as a share of the second, over the documents that both can parse."""
    fastest: list[tuple[float, float]] = []
    for path in sorted(options.corpus.glob(pattern)):
        rounds = [(sides[0](path), sides[1](path)) for _ in range(options.rounds)]
        times = [(one, two) for one, two in rounds if one is not None and two is not None]
        if times:
            fastest.append((min(one for one, _ in times), min(two for _, two in times)))
    total = sum(one for one, _ in fastest) / sum(two for _, two in fastest)
    middle = statistics.median(one / two for one, two in fastest)
    worst = max(one / two for one, two in fastest)
    print(
        f"{kind}, {len(fastest)} documents, beside {other}: {total:.2f} x, median {middle:.2f} x, at most {worst:.2f} x"
    )


def ours(parse: Callable[..., object]) -> Side:
    """One of our parser functions, as the worker process calls it."""

    def side(path: Path) -> float | None:
        content = path.read_bytes()
        started = time.process_time()
        try:
            parse(content, {}, lambda _done, _total: None)
        except ParseError:
            return None
        return time.process_time() - started

    return side


def bare(path: Path) -> float | None:
    """The library alone, giving Markdown with its own defaults but for OCR."""
    content = path.read_bytes()
    started = time.process_time()
    try:
        LiteParse(output_format="markdown", ocr_enabled=False, quiet=True).parse(content)
    except LibraryError:
        return None
    return time.process_time() - started


class Peer:
    """The other implementation in a process of its own environment."""

    def __init__(self, python: str) -> None:
        env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        command = [python, "-c", PEER]
        self._process = subprocess.Popen(
            command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def __call__(self, path: Path) -> float | None:
        """Seconds for one document."""
        assert self._process.stdin
        assert self._process.stdout
        print(path.resolve(), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline().strip()
        if not answer:
            sys.exit("the peer has ended: is the published implementation installed there?")
        return None if answer == "none" else float(answer)

    def end(self) -> None:
        """Kill it."""
        self._process.kill()
        self._process.wait()


if __name__ == "__main__":
    main()
