"""At DEBUG, the log of a session in which everything was asked for says nothing of what that was."""

from __future__ import annotations

import json
import logging

import pytest

from prioris_mcp import log
from tests.e2e.conftest import Launch
from tests.e2e.process import FETCH, METADATA, PARSE, SEARCH, RpcError, Server

PRIVATE = "zebrafish"
"""A word that stands in every argument below."""
TEXTS = {
    SEARCH: {"query": f"ti:{PRIVATE}"},
    METADATA: {"arxiv_ids": [PRIVATE]},
    FETCH: {"arxiv_id": PRIVATE, "format": "pdf"},
    PARSE: {"arxiv_id": PRIVATE, "format": "pdf"},
    "research_find": {"query": PRIVATE},
    "research_search_fetched": {"query": PRIVATE, "mode": "fts"},
    "research_resolve_identifier": {"identifier": PRIVATE, "format": "pdf"},
    "research_europepmc_search": {"query": PRIVATE},
    "research_notes_create": {"provider": "localfile", "identifier": "20260101-0000-aaaa", "text": PRIVATE},
    "research_notes_search": {"keyword": PRIVATE},
    "research_notes_update": {"note_id": PRIVATE, "text": PRIVATE},
    "research_localfile_fetch_full_text": {"content_base64": PRIVATE, "filename": PRIVATE},
    "research_localfile_upload_chunk": {"session_id": PRIVATE, "index": 0, "chunk_base64": "AAAA"},
    "research_list_fetched": {"limit": PRIVATE},
}


def test_nothing_of_the_arguments_is_logged(launch: Launch) -> None:
    """Of tools that succeed or fail, resources and prompts, well-formed or not; each call still has its line."""
    server = launch({"PRIORIS_MCP_LOG_LEVEL": "DEBUG", "PRIORIS_MCP_LOG_FORMAT": "json"})
    server.initialize()
    for tool, arguments in TEXTS.items():
        server.call(tool, arguments)
    _refused(server, "resources/read", {"uri": f"research://arxiv/{PRIVATE}/pdf/fulltext"})
    _refused(server, "prompts/get", {"name": "read_paper", "arguments": {PRIVATE: PRIVATE}})
    server.request("tools/call", {"name": "research_find", "arguments": [PRIVATE]})
    server.request("tools/call", {"name": "research_find", "arguments": f'{{"query": "{PRIVATE}"}}'})
    server.notify("notifications/progress", {"progressToken": PRIVATE, "progress": PRIVATE})
    server.request("tools/list")
    server.close()
    server.wait()
    assert [tool for tool in TEXTS if tool not in server.stderr] == []
    assert PRIVATE not in server.stderr


@pytest.mark.parametrize(
    "name", ["fastmcp.server.server", "mcp.server.runner", "httpx2", "sse_starlette.sse", "asyncio"]
)
@pytest.mark.parametrize("as_json", [False, True])
def test_other_libraries_keep_to_themselves_what_they_were_given(monkeypatch, capsys, name: str, as_json: bool) -> None:
    """Below INFO nothing is heard of them; of exceptions type and place are, of addresses that there was one."""
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    for each in (root, logging.getLogger("prioris_mcp"), logging.getLogger("fastmcp")):
        monkeypatch.setattr(each, "level", each.level)
        monkeypatch.setattr(each, "propagate", each.propagate)
        monkeypatch.setattr(each, "handlers", [logging.StreamHandler()])
    log.configure(logging.DEBUG, as_json=as_json)
    logger = logging.getLogger(name)
    logger.debug("Handler called with %s", PRIVATE)
    try:
        _fail()
    except ValueError:
        logger.exception("Error reading resource 'research://arxiv/%s/pdf/fulltext'", PRIVATE)
    said = capsys.readouterr().err
    assert said.count("\n") == 1 if as_json else "Handler called" not in said
    text = json.loads(said)["exception"] if as_json else said
    assert text.count("in _fail") == 2
    assert text.index("KeyError") < text.index("ValueError")
    assert PRIVATE not in said


def _fail() -> None:
    try:
        dict[str, str]()[PRIVATE]
    except KeyError as exc:
        raise ValueError(PRIVATE) from exc


def _refused(server: Server, method: str, params: dict[str, object]) -> None:
    with pytest.raises(RpcError):
        server.request(method, params)
