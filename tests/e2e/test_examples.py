"""The worked examples of the documentation, run in their order on one server."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from prioris_mcp.server.catalogue import TOOLS
from scripts.examples import EXAMPLES, GIVEN, SHOWN
from tests.e2e.conftest import SAMPLE, Launch
from tests.e2e.process import Server
from tests.e2e.waiting import until
from tests.replay.openalex import KEY

STATUS = "research://vector-index/rebuild-status"
GOES_ON = "…"


def fits(told: Any, got: Any, names: dict[str, Any]) -> bool:
    """Whether an abridged answer describes what came; *names* learns what each "$name" stands for."""
    if isinstance(told, dict):
        return isinstance(got, dict) and all(key in got and fits(told[key], got[key], names) for key in told)
    if isinstance(told, list):
        open_end = told[-1:] == [GOES_ON]
        told = told[:-1] if open_end else told
        enough = len(got) > len(told) if open_end else len(got) == len(told)
        return enough and all(fits(one, other, names) for one, other in zip(told, got, strict=False))
    if isinstance(told, str) and told in SHOWN:
        return names.setdefault(told, got) == got
    if isinstance(told, str) and told.endswith(GOES_ON):
        return isinstance(got, str) and got.startswith(told[:-1].rstrip())
    return type(told) is type(got) and told == got


def filled_in(value: Any, names: dict[str, Any]) -> Any:
    """*value* with what each "$name" stands for."""
    if isinstance(value, dict):
        return {key: filled_in(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [filled_in(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


def embedded(server: Server) -> bool:
    """Whether search by meaning has caught up with what the examples parse."""
    parsed = sum(example.tool.endswith("_parse_full_text") for example in EXAMPLES)
    return bool(json.loads(server.read(STATUS)["text"])["documents"]["succeeded"] >= parsed)


def test_every_tool_has_one_example() -> None:
    """No more and no less, and each is asked for in words."""
    assert sorted(example.tool for example in EXAMPLES) == sorted(spec.function.__name__ for spec in TOOLS)
    assert all(example.ask for example in EXAMPLES)


def test_the_examples_answer_as_the_documentation_says(launch: Launch) -> None:
    """Each call succeeds, and its answer is what the page shows."""
    pytest.importorskip("onnxruntime", reason="the extra for semantic search is not installed")
    server = launch({"PRIORIS_MCP_OPENALEX_API_KEY": KEY})
    server.initialize()
    names: dict[str, Any] = dict.fromkeys(GIVEN, base64.b64encode(SAMPLE).decode())
    for example in EXAMPLES:
        if example.tool in ("research_find", "research_related"):
            until(lambda: embedded(server))
        answer = server.ok(example.tool, **filled_in(example.arguments, names))
        assert fits(example.answer, answer, names), (example.tool, answer)


@pytest.mark.parametrize(
    ("told", "got"),
    [({"a": 1}, {"b": 1}), ([1], [1, 2]), ([1, GOES_ON], [1]), ("a…", "b"), (True, 1), ("a", "ab"), ({"a": 1}, [])],
)
def test_a_wrong_answer_is_noticed(told: Any, got: Any) -> None:
    """The comparison does not take everything."""
    assert not fits(told, got, {})
