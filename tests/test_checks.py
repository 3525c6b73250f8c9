"""The checks by programs of others, as far as they can be tested without these."""

from __future__ import annotations

import json
import re
import subprocess
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from benchmarks import load
from prioris_mcp.server.catalogue import TOOLS
from scripts import conformance, fixtures, fuzz, toolbox
from scripts.hostile import Shot
from tests.e2e.process import ERROR

BASELINES = sorted(conformance.BASELINES.glob("*.yml"))


@pytest.mark.parametrize("path", BASELINES, ids=lambda path: path.name)
def test_every_expected_failure_has_its_reason(path: Path) -> None:
    """A sentence stands above each group of scenarios, and none is named twice."""
    text = path.read_text("utf-8")
    named = yaml.safe_load(text)["server"]
    assert len(named) == len(set(named)) > 0
    assert re.search(r"server:\n  # ", text)
    assert "#\n" not in text


def test_fixtures_take_the_place_of_nothing() -> None:
    """No tool of the server has the name of a fixture."""
    assert not {spec.function.__name__ for spec in TOOLS} & {tool.__name__ for tool in fixtures.TOOLS}


def test_tools_of_others_are_of_fixed_versions() -> None:
    """Every package is installed by its exact version."""
    assert all(re.fullmatch(r"@[\w/-]+@\d+\.\d+\.\d+(-alpha\.\d+)?", package) for package in toolbox._PACKAGES)
    assert re.fullmatch(r"\d+\.\d+\.\d+", toolbox.FUZZER)


def test_a_crash_that_the_fuzzer_saw_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where its exit code says that all is well; and so is a run that reached no tool."""
    outcomes = {"crashed": 0, "anomaly": 0, "exceptions": 0}

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        out = Path(command[command.index("--output-dir") + 1])
        out.mkdir()
        crashed = "stdio" in command
        tools = [{"runs": 2, "outcomes": {**outcomes, "crashed": int(crashed)}}]
        (out / "report.json").write_text(json.dumps({"data": {"tools_tested": tools if crashed else []}}))
        return subprocess.CompletedProcess(command, 0, "", "")

    served = SimpleNamespace(url="http://127.0.0.1:1/mcp")
    monkeypatch.setattr(conformance, "listening", lambda *_: nullcontext(served))
    monkeypatch.setattr(conformance.Bench, "run", lambda _, command, **more: run(command, **more))
    tools = SimpleNamespace(fuzzer=lambda: ["mcp-fuzzer"])
    verdicts = list(conformance.fuzzer(conformance.Bench(tools, {}, tmp_path, 1)))
    assert [verdict.passed for verdict in verdicts] == [False, False]


def test_the_fuzzer_sees_what_is_wrong() -> None:
    """A path in an answer, an error of ours, a traceback, memory that grows, and a server that has gone."""
    shot = Shot("tool", "tools/call", "tool", {})
    found = fuzz.Findings(memory=[100.0, 160.0])
    leaking = {"result": {"isError": True, "content": [{"text": "/x/site-packages/y"}], "_meta": {}}}
    fuzz._judge(found, shot, "{}", leaking, 0.1)
    fuzz._judge(found, shot, "{}", {"error": {"code": -32603}}, 0.2)
    log = 'x\nTraceback (most recent call last):\n  File "a", line 1, in f\n    f()\nValueError: no\ny\n'
    found.tracebacks = list(fuzz._tracebacks(log))
    assert found.tracebacks == ['File "a", line 1, in f ValueError: no']
    assert [fault.split(":")[0] for fault in found.faults()] == [
        "leaks",
        "an unexpected error",
        "an unexpected error",
        "1 × in the log",
        "the server has ended, or answers no more",
        "memory grew by 60.0 MB",
    ]


def test_the_fuzzer_is_content_with_a_good_answer() -> None:
    """A refusal with its code is one."""
    found = fuzz.Findings(alive=True, memory=[100.0, 120.0])
    refused = {"result": {"isError": True, "content": [], "_meta": {ERROR: {"code": "invalid_request"}}}}
    fuzz._judge(found, Shot("tool", "tools/call", "tool", {}), "{}", refused, 0.1)
    assert (found.faults(), found.codes) == ([], {"invalid_request": 1})


def test_every_kind_of_load_has_its_share() -> None:
    """In percent."""
    assert load.SHARES.keys() == load.REQUESTS.keys()
    assert sum(load.SHARES.values()) == 100
