"""The main job, shown: the real server as a process, a paper found, fetched, read and found again.

No network is used: a stand-in on this machine answers in place of arXiv and Europe PMC, from files of the test suite.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import prioris_mcp.server  # noqa: F401 - settles FastMCP's own settings before it is imported

# isort: split
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from mcp_types import TextResourceContents

from tests.replay import running

_SPACING = "0.5"
_SETTINGS = {"PRIORIS_MCP_REQUEST_SPACING_SECONDS": _SPACING, "PRIORIS_MCP_LOG_LEVEL": "WARNING"}
_QUESTION = "what should an assistant with little time use?"
_DOCUMENTS = 3
_WIDTH = 100


def main() -> None:
    """Run the demo in a temporary home, so that nothing of it stays."""
    with tempfile.TemporaryDirectory(prefix="prioris-demo-") as home, running() as stand_in:
        env = {**os.environ, **stand_in.env(), **_home(Path(home)), **_SETTINGS}
        title("A stand-in for arXiv and Europe PMC is listening on this machine; no network is used")
        print(f"  requests are {_SPACING} s apart here, where the real ones are asked once in 3 s")
        asyncio.run(at_work(env))
        title("The same library from the command line: prioris-mcp list")
        command(env, "list")
        title("… and prioris-mcp read 2106.09685 --format html --limit 300")
        command(env, "read", "2106.09685", "--format", "html", "--limit", "300")
        title("What the stand-in was asked, in order")
        for at, target in zip(_seconds(stand_in.asked), stand_in.targets(), strict=True):
            print(f"  {at:5.1f} s  {target[:_WIDTH]}")
    title("Done")


async def at_work(env: Mapping[str, str]) -> None:
    """One client session with the server."""
    transport = StdioTransport(sys.executable, ["-m", "prioris_mcp"], env=dict(env))
    async with Client(transport) as client:
        title("The server is up, over standard input and output")
        print("  tools:", ", ".join(tool.name for tool in await client.list_tools()))

        title('Search: all:"low-rank adaptation" OR ti:attention')
        with working("asking"):
            found = await tool(client, "arxiv_search", query='all:"low-rank adaptation" OR ti:attention', max_results=3)
        for record in found["results"]:
            print(f"  {record['arxiv_id']:14} {record['title'][:80]}")
        print(f"  {found['total_results']} papers match")

        await read_pdf(client)
        await read_html(client)
        await read_jats(client)
        await find_again(client)


async def read_pdf(client: Client[Any]) -> None:
    """Fetch a PDF, page through it, and fetch it again."""
    title("Fetch 1706.03762 as PDF, and read it page by page")
    with working("fetching"):
        fetched = await tool(client, "arxiv_fetch_full_text", arxiv_id="1706.03762", format="pdf")
    print(f"  {fetched['size_bytes']} bytes, stored as {fetched['resource_uri']}")
    with working("parsing"):
        page = await tool(client, "arxiv_parse_full_text", arxiv_id="1706.03762", format="pdf", limit=400)
    quote(page["markdown"])
    for number in range(2, page["total_pages"] + 1):
        part = await tool(client, "arxiv_parse_full_text", arxiv_id="1706.03762", format="pdf", page=number, limit=2000)
        headings = [line for line in part["markdown"].splitlines() if line.startswith("#")]
        print(f"  page {number} of {part['total_pages']}, from character {part['offset']}: {'; '.join(headings[:3])}")
    again = await tool(client, "arxiv_fetch_full_text", arxiv_id="https://arxiv.org/abs/1706.03762v7", format="pdf")
    print(f"  fetched again under another spelling: served from storage = {again['served_from_storage']}")


async def read_html(client: Client[Any]) -> None:
    """Fetch an HTML paper, read it window by window, and once more as a resource."""
    title("Fetch 2106.09685 as HTML, and read it window by window")
    with working("fetching"):
        await tool(client, "arxiv_fetch_full_text", arxiv_id="2106.09685", format="html")
    offset, windows = 0, 0
    while True:
        part = await tool(
            client, "arxiv_parse_full_text", arxiv_id="2106.09685", format="html", offset=offset, limit=4000
        )
        if not windows:
            quote(part["markdown"][:700])
        offset, windows = offset + len(part["markdown"]), windows + 1
        if not part["has_more"]:
            break
    print(f"  {windows} windows, {part['total_length']} characters")
    contents = await client.read_resource(part["resource_uri"] + "?limit=50")
    print(f"  the same as a resource: {part['resource_uri']} ({contents[0].mime_type})")


async def read_jats(client: Client[Any]) -> None:
    """Fetch an article of Europe PMC by its PMID, and show a stretch of it."""
    title("Fetch PMID 26551875 from Europe PMC")
    with working("fetching"):
        fetched = await tool(client, "europepmc_fetch_full_text", identifier="26551875")
    print(f"  stored as {fetched['resource_uri']}")
    quote((await tool(client, "europepmc_parse_full_text", identifier="26551875", limit=500))["markdown"])


async def find_again(client: Client[Any]) -> None:
    """Search the library by words and by meaning, and keep a note about the best passage."""
    title(f"Find in the library: {_QUESTION}")
    with working("building vectors in the background, offline"):
        while (await _vectors(client))["succeeded"] < _DOCUMENTS:  # noqa: ASYNC110 - no event tells
            await asyncio.sleep(0.2)
    hits = (await tool(client, "find", query=_QUESTION, limit=3))["hits"]
    for hit in hits:
        pages = f", page {hit['page_range'][0]}" if hit["page_range"] else ""
        print(f"  {hit['identifier']} {' > '.join(hit['section_path'])}{pages}")
        quote(hit["snippet"][:200])
    best = {key: hits[0][key] for key in ("provider", "identifier", "format")}
    note = await tool(client, "notes_create", **best, text="Read this again.", tags=["demo"])
    print(f"  a note about the first: {note['id']}")


async def _vectors(client: Client[Any]) -> dict[str, int]:
    (content,) = await client.read_resource("research://vector-index/rebuild-status")
    assert isinstance(content, TextResourceContents)
    counts: dict[str, int] = json.loads(content.text)["documents"]
    return counts


async def tool(client: Client[Any], name: str, **arguments: Any) -> dict[str, Any]:
    """Call one tool; its structured result."""
    result = await client.call_tool(f"research_{name}", arguments)
    assert result.structured_content is not None
    return result.structured_content


def command(env: Mapping[str, str], *arguments: str) -> None:
    """Run the command line as a person would, and show what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "prioris_mcp", *arguments], env=dict(env), check=True, capture_output=True, text=True
    )
    print(textwrap.indent(done.stdout.rstrip() + "\n" + done.stderr.rstrip(), "  "))


def title(text: str) -> None:
    """A heading in the output."""
    print(f"\n== {text}", flush=True)


def quote(text: str) -> None:
    """A stretch of Markdown, set off."""
    lines = itertools.chain.from_iterable(textwrap.wrap(line, _WIDTH - 4) or [""] for line in text.splitlines())
    print("\n".join(f"  | {line}" for line in lines))


@contextmanager
def working(what: str) -> Iterator[None]:
    """Say that something is going on, and how long it took."""
    started = time.monotonic()
    print(f"  {what} …", end="", flush=True)
    yield
    print(f" {time.monotonic() - started:.1f} s", flush=True)


def _home(home: Path) -> dict[str, str]:
    return {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "XDG_STATE_HOME": str(home / "state")}


def _seconds(asked: list[Any]) -> list[float]:
    return [request.at - asked[0].at for request in asked]


if __name__ == "__main__":
    main()
