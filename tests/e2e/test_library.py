"""The library over the real process: adding, listing, searching and deleting, in one process and in two."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import SAMPLE, Launch
from tests.e2e.process import FETCH, PARSE, Home, RpcError, Server
from tests.e2e.terminal import command
from tests.replay import StandIn

ADD = "research_localfile_fetch_full_text"
READ = "research_localfile_parse_full_text"
BEGIN = "research_localfile_begin_upload"
CHUNK = "research_localfile_upload_chunk"
FINISH = "research_localfile_finalize_upload"
LIST = "research_list_fetched"
DELETE = "research_delete_fetched"
SEARCH = "research_search_fetched"

A = (
    "Self-attention relates positions of a sequence. The naïve Schrödinger equation, COVID-19 and p53 were covered."
    " 注意力 is attention."
)
B = "We use a multi-head attention mechanism; BLEU improved to 28.4 (see Fig. 2). It was written in C++."


@pytest.fixture
def server(launch: Launch) -> Server:
    """A server in a home of its own."""
    found = launch()
    found.initialize()
    return found


@pytest.fixture
def filled(server: Server, standin: StandIn) -> Server:
    """A server that holds the texts A and B as parsed pages."""
    for identifier, text in (("2106.09685v2", A), ("1706.03762v7", B)):
        page = f"<html><body><article class='ltx_document'><h1>Title</h1><p>{text}</p></article></body></html>"
        standin.fault("body", host="arxiv.org", path="/html/*", body=page)
        server.ok(FETCH, arxiv_id=identifier, format="html")
        server.ok(PARSE, arxiv_id=identifier, format="html")
    standin.reset()
    return server


def packed(content: bytes) -> str:
    return base64.b64encode(content).decode()


def entry(identifier: str, artefact: str) -> dict[str, str]:
    return {"provider": "localfile", "identifier": identifier, "format": "pdf", "artefact": artefact}


def add(server: Server, content: bytes = SAMPLE) -> dict[str, Any]:
    return server.ok(ADD, content_base64=packed(content), filename="paper.pdf")


def total(server: Server, query: str = "citation", **scope: str) -> int:
    return int(server.ok(SEARCH, query=query, **scope)["fts"]["total"])


def test_a_file_is_added_read_found_and_listed(server: Server) -> None:
    """The same bytes are the same file; a hit's offset leads to its section."""
    added = add(server)
    assert (added["format"], added["size_bytes"], added["served_from_storage"]) == ("pdf", len(SAMPLE), False)
    assert add(server) == added | {"served_from_storage": True}
    page = server.ok(READ, id=added["id"], page=2, limit=100)
    assert page["page_range"] == [2, 2]
    match = server.ok(SEARCH, query='"citation walking"', limit=1)["fts"]["matches"][0]
    assert (match["provider"], match["identifier"], match["format"]) == ("localfile", added["id"], "pdf")
    assert "citation walking" in match["snippet"].lower()
    section = server.ok(READ, id=added["id"], offset=match["offset"])["markdown"]
    assert section.startswith("#")
    assert "citation walking" in " ".join(section.lower().split())
    listed = server.ok(LIST, provider="localfile")
    assert [item["artefact"] for item in listed["entries"]] == ["markdown", "document"]
    assert (listed["total"], listed["has_more"]) == (2, False)


def test_a_file_comes_in_chunks(server: Server) -> None:
    """Chunk after chunk, to the same identifier as in one piece."""
    session = server.ok(BEGIN, filename="paper.pdf")
    size = 5000
    for index, at in enumerate(range(0, len(SAMPLE), size)):
        piece = packed(SAMPLE[at : at + size])
        progress = server.ok(CHUNK, session_id=session["session_id"], index=index, chunk_base64=piece)
    assert progress == {"received_index": len(SAMPLE) // size, "bytes_so_far": len(SAMPLE)}
    added = server.ok(FINISH, session_id=session["session_id"])
    assert add(server)["id"] == added["id"]
    assert server.fails(FINISH, session_id=session["session_id"])[0] == "not_found"


def test_a_delete_is_effective_everywhere_at_once(server: Server, launch: Launch) -> None:
    """For the tools, the resources and the search, in this process and in another."""
    other = launch()
    other.initialize()
    identifier = add(server)["id"]
    server.ok(READ, id=identifier)
    assert total(server) == total(other) > 0
    wanted = [entry(identifier, "all"), entry(identifier, "all")]
    assert server.ok(DELETE, entries=wanted) == {"deleted": wanted[:1], "not_found": wanted[1:]}
    for process in (other, server):
        assert total(process) == 0
        assert process.ok(LIST)["total"] == 0
        assert process.fails(READ, id=identifier)[0] == "not_found"
        for what in ("markdown", "fulltext"):
            with pytest.raises(RpcError, match="Resource not found"):
                process.read(f"research://localfile/{identifier}/pdf/{what}")
    assert add(other)["served_from_storage"] is False


def test_deletes_do_not_cascade(server: Server) -> None:
    """The Markdown outlives its document, keeps its identifier, and is deleted apart."""
    identifier = add(server)["id"]
    server.ok(READ, id=identifier)
    server.ok(DELETE, entries=[entry(identifier, "document")])
    assert server.ok(READ, id=identifier, limit=10)["total_length"] > 0
    assert total(server) > 0
    assert add(server)["id"] == identifier
    server.ok(DELETE, entries=[entry(identifier, "markdown")])
    assert total(server) == 0
    assert [item["artefact"] for item in server.ok(LIST)["entries"]] == ["document"]


QUERIES = {
    "attention": "AB",
    "self-attention": "A",
    "COVID-19": "A",
    "what's attention?": "AB",
    "attention: mechanism": "B",
    "28.4": "B",
    "Fig. 2": "B",
    "C++": "B",
    "naive Schrodinger": "A",
    '"multi-head attention"': "B",
    "(attention": "AB",
    "attention AND": "AB",
    "p53*": "A",
    "NOT attention": None,
    "'; DROP TABLE x;--": None,
    "positions^2": "A",
    "title:attention": "AB",
    "schrodinger[ti] naive[au]": "A",
    "attention~2": "AB",
    "attentions": "AB",
    "注意力": "A",
    "attention AND mechanism": "B",
    '"attention multi-head"': "",
}


@pytest.mark.parametrize(("query", "texts"), QUERIES.items())
def test_queries_find_what_they_plainly_mean(filled: Server, query: str, texts: str | None) -> None:
    """None raises; the plain ones find their text."""
    names = {"2106.09685v2": "A", "1706.03762v7": "B"}
    matches = filled.ok(SEARCH, query=query)["fts"]["matches"]
    found = {names[match["identifier"]] for match in matches}
    assert texts is None or found == set(texts)


@pytest.mark.parametrize("query", ["", "   ", "!?", '""'])
def test_nothing_to_search_for(server: Server, query: str) -> None:
    """Is the caller's mistake."""
    assert server.fails(SEARCH, query=query)[0] == "invalid_request"


def test_scopes_and_status(filled: Server) -> None:
    """Filters narrow; the status is told for one document only; an identifier may be spelt in any way."""
    one = {"provider": "arxiv", "identifier": "arXiv:2106.09685", "format": "html"}
    assert filled.ok(SEARCH, query="attention", **one)["index_status"].keys() == {"fts", "vector"}
    assert total(filled, "attention", **one) == 1
    assert filled.ok(SEARCH, query="attention", provider="arxiv")["index_status"] == {}
    missing = filled.ok(SEARCH, query="attention", **{**one, "identifier": "2106.09685v1"})
    assert (missing["fts"]["total"], missing["index_status"]) == (0, {"fts": "not_built", "vector": "not_built"})
    assert missing["vector"] is None
    assert filled.fails(SEARCH, query="attention", identifier="2106.09685")[0] == "invalid_request"
    code, sentence = filled.fails(SEARCH, query="attention", mode="magic")
    assert (code, "there is fts" in sentence) == ("invalid_request", True)


@pytest.mark.parametrize("damage", ["removed", "garbage"])
def test_a_lost_index_is_rebuilt_unnoticed(filled: Server, launch: Launch, damage: str) -> None:
    """While the server runs, and at the next start."""
    files = list(filled.home.store.glob("search.sqlite3*"))
    assert files
    for path in files:
        path.unlink() if damage == "removed" else path.write_bytes(b"garbage" * 3000)
    assert total(filled, "attention") == 2
    filled.close()
    filled.wait()
    for path in filled.home.store.glob("search.sqlite3*"):
        path.unlink() if damage == "removed" else path.write_bytes(b"garbage" * 3000)
    again = launch()
    again.initialize()
    assert total(again, "attention") == 2


def test_people_use_the_same_library(home: Home, env: dict[str, str], tmp_path: Path) -> None:
    """add, search-library, delete: and doctor finds nothing to mend."""
    paper = tmp_path / "paper.pdf"
    paper.write_bytes(SAMPLE)
    added = command(home, env, "add", str(paper), "--json")
    identifier = json.loads(added.stdout)[0]["id"]
    assert command(home, env, "read", identifier, "--limit", "50").stdout.startswith(b"# Citation Graphs")
    assert b"citation" in command(home, env, "search-library", "citation", "walking").stdout
    assert command(home, env, "doctor").returncode == 0
    assert b"deleted" in command(home, env, "delete", identifier).stdout
    assert command(home, env, "delete", identifier).returncode == 1


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of three megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = (
        os.geteuid() == 0
        and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(folder)], capture_output=True, check=False
        ).returncode
        == 0
    )
    if not mounted:
        pytest.skip("a small disk can be made by root only, and where mounting is allowed")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_full_disk_is_a_typed_error_and_no_loss(launch: Launch, small_disk: Path) -> None:
    """Nothing is half-written, deleting makes room, and then everything works again."""
    server = launch({"PRIORIS_MCP_STORAGE_DIR": str(small_disk)})
    server.initialize()
    first = add(server)["id"]
    (small_disk / "ballast").write_bytes(bytes(10))
    big = [b"%PDF-" + bytes([number]) * 700_000 for number in range(6)]
    codes = [server.call(ADD, {"content_base64": packed(content)}) for content in big]
    failed = [result for result in codes if result.get("isError")]
    assert failed
    assert {result["_meta"]["prioris-mcp/error"]["code"] for result in failed} == {"storage_failed"}
    assert not any(str(small_disk) in str(result) for result in failed)
    kept = [result["structuredContent"]["id"] for result in codes if not result.get("isError")]
    listed = server.ok(LIST)["entries"]
    assert {item["identifier"] for item in listed} == {first, *kept}
    assert list((small_disk / "incoming").iterdir()) == []
    server.ok(DELETE, entries=[entry(identifier, "all") for identifier in kept])
    assert server.ok(READ, id=first, limit=10)["total_length"] > 0
    assert add(server, b"%PDF-again" + SAMPLE)["served_from_storage"] is False


def test_the_answer_says_how_a_query_was_read(filled: Server) -> None:
    """In FTS5's language, and nothing where it was taken as typed."""
    assert "read_as" not in filled.ok(SEARCH, query="attention mechanism")
    assert filled.ok(SEARCH, query="title:attention")["read_as"] == "attention"
    assert filled.ok(SEARCH, query="what is attention?")["read_as"] == '"attention"'
    assert filled.ok("research_find", query="positions~2 zebra")["read_as"] == '"positions" OR "zebra"'
