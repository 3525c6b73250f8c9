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

from prioris_mcp.server.catalogue import TOOLS
from scripts import conformance, fixtures, toolbox

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
