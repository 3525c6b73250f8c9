"""Requests that are the caller's mistake are told so in a sentence, and leave no fault of ours in the log."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from prioris_mcp.server.catalogue import TOOLS
from scripts.hostile import Hostile, encoded
from scripts.serving import HttpConnection, environment, listening
from tests.e2e.conftest import Launch
from tests.e2e.process import ERROR, RpcError
from tests.replay import StandIn

READ = "research_notes_read"


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_a_prompt_without_what_it_needs_is_refused(launch: Launch, era: str) -> None:
    """By the argument's name, as a wrong parameter, and without a traceback (which `launch` looks for)."""
    server = launch()
    if era == "legacy":
        server.initialize()
    with pytest.raises(RpcError, match="second must be given") as caught:
        server.request("prompts/get", {"name": "compare_papers", "arguments": {"first": "x"}})
    assert caught.value.code == -32602


async def _over_http(url: str, modern: bool, note_ids: list[str]) -> list[dict[str, Any]]:
    client = HttpConnection(url, modern=modern)
    await client.open()
    params = [client.params({"name": READ, "arguments": {"note_id": "@"}}).replace('"@"', text) for text in note_ids]
    answers = [await client.raw("tools/call", text, READ) for text in params]
    await client.close()
    return answers


@pytest.mark.parametrize("modern", [False, True], ids=["legacy", "modern"])
def test_unreadable_text_over_http_is_an_error_of_that_call(standin: StandIn, tmp_path: Path, modern: bool) -> None:
    """A lone surrogate and an argument nested too deep get an error each, and the next call is answered as ever."""
    with listening(environment(tmp_path / "home", standin), tmp_path / "log") as served:
        texts = [r'"\ud800"', "[" * 700 + "]" * 700, "[" * 150 + "]" * 150, "[" * 20_000 + "]" * 20_000, '"x"']
        *answers, last = asyncio.run(_over_http(served.url, modern, texts))
    for answer in answers:
        code = answer["result"]["_meta"][ERROR]["code"] if "result" in answer else answer["error"]["code"]
        assert code in ("invalid_request", "not_found", -32700), answer
    assert last["result"]["_meta"][ERROR]["code"] == "not_found"
    assert "Traceback" not in (tmp_path / "log").read_text("utf-8")


def test_the_fuzzer_repeats_itself() -> None:
    """One seed gives the same requests, each of them JSON, at every tool, resource and prompt in turn."""
    schemas = {spec.function.__name__: {"properties": {"query": {"type": "string"}}} for spec in TOOLS}
    shots, again = ([*Hostile(5, schemas).shots(300)] for _ in range(2))
    assert [repr(shot) for shot in shots] == [repr(shot) for shot in again]
    assert {shot.target for shot in shots} > set(schemas)
    assert all(isinstance(json.loads(encoded(shot.params, 20)), dict) for shot in shots)
