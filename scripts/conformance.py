"""The server checked by what others have made: the official conformance suite, the Inspector and mcp-fuzzer.

    python -m scripts.conformance [--only suite inspector fuzzer] [--tools FOLDER] [--runs 20]

Needs npm and pip once, for the tools; the server itself is led to a stand-in for the network. The suite speaks HTTP
alone, in both eras of the protocol: first with the fixtures that it prescribes behind our middleware, then with the
product as it is. Inspector and fuzzer use both transports. The exit code says whether all passed, but for what
`baselines/` lists with its reason; a line there that is no longer needed fails as well.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.serving import LEGACY, MODERN, PRODUCT, environment, listening
from scripts.toolbox import Toolbox
from tests.replay import running

ROOT = Path(__file__).resolve().parent.parent
BASELINES = ROOT / "scripts" / "baselines"
WITH_FIXTURES = (sys.executable, "-m", "scripts.fixtures")
UNAIDED = {
    LEGACY: (
        *("server-initialize", "server-session-lifecycle", "logging-set-level", "ping", "completion-complete"),
        *("tools-list", "resources-list", "prompts-list", "server-sse-multiple-streams", "dns-rebinding-protection"),
    ),
    MODERN: (
        *("server-stateless", "completion-complete", "tools-list", "resources-list", "prompts-list", "caching"),
        *("sep-2164-resource-not-found", "http-header-validation", "server-sse-multiple-streams"),
        "dns-rebinding-protection",
    ),
}
"""Scenarios that call nothing but what every server has."""
FETCH = {"arxiv_id": "2106.09685", "format": "html"}
INSPECTIONS: tuple[tuple[int, tuple[str, ...]], ...] = (
    (0, ("tools/list", "--strict")),
    (0, ("tools/call", "--tool-name", "research_arxiv_fetch_full_text", "--tool-args-json", json.dumps(FETCH))),
    (0, ("tools/call", "--tool-name", "research_arxiv_parse_full_text", "--tool-args-json", json.dumps(FETCH))),
    (0, ("tools/call", "--tool-name", "research_list_fetched")),
    (5, ("tools/call", "--tool-name", "research_notes_read", "--tool-arg", "note_id=none")),
    (0, ("resources/list",)),
    (0, ("resources/templates/list",)),
    (0, ("resources/read", "--uri", "research://arxiv/categories")),
    (0, ("resources/read", "--uri", "research://arxiv/2106.09685v2/html/markdown")),
    (0, ("prompts/list",)),
    (0, ("prompts/get", "--prompt-name", "read_paper", "--prompt-args", "identifier=2106.09685")),
)
"""What is asked, and the exit code: 5 is a tool's own failure."""
OUTCOMES = ("crashed", "anomaly", "exceptions")
_MINUTES = 900


@dataclass(frozen=True)
class Bench:
    """What the checks work with."""

    tools: Toolbox
    env: Mapping[str, str]
    folder: Path
    runs: int

    def run(self, command: list[str], **env: str) -> subprocess.CompletedProcess[str]:
        """A tool of others, in a home of its own."""
        own = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "NO_COLOR": "1", **env}
        return subprocess.run(
            command, cwd=self.folder, env=own, capture_output=True, text=True, timeout=_MINUTES, check=False
        )

    def launcher(self) -> Path:
        """A program that starts the server on standard input and output, whatever environment it is given."""
        path = self.folder / "launch"
        exports = [f"export {name}={shlex.quote(value)}" for name, value in self.env.items()]
        log = shlex.quote(str(self.folder / "stdio.log"))
        path.write_text("\n".join(["#!/bin/sh", *exports, f"exec {shlex.join(PRODUCT)} 2>>{log}", ""]), "utf-8")
        path.chmod(0o755)
        return path


@dataclass(frozen=True)
class Verdict:
    """One check, and what it came to."""

    what: str
    passed: bool
    told: str


def suite(bench: Bench) -> Iterator[Verdict]:
    """The conformance suite, with fixtures and without."""
    with listening({**bench.env, "PYTHONPATH": str(ROOT)}, bench.folder / "fixtures.log", WITH_FIXTURES) as served:
        for era in (LEGACY, MODERN):
            baseline = BASELINES / f"{era}.yml"
            done = _suite(bench, served.url, "--requirements", era, "--expected-failures", str(baseline))
            yield Verdict(f"suite {era}, fixtures", done.returncode == 0, _told(done))
    with listening(bench.env, bench.folder / "product.log") as served:
        for era, scenarios in UNAIDED.items():
            for scenario in scenarios:
                more = ("--expected-failures", str(BASELINES / "product.yml")) if scenario == "server-stateless" else ()
                done = _suite(bench, served.url, "--scenario", scenario, "--spec-version", era, *more)
                yield Verdict(f"suite {era}, product: {scenario}", done.returncode == 0, _told(done))


def _suite(bench: Bench, url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return bench.run([*bench.tools.suite(), "server", "--url", url, "-o", str(bench.folder / "results"), *arguments])


def _told(done: subprocess.CompletedProcess[str]) -> str:
    """The counts if all is well, else everything."""
    counts = re.findall(r"^(?:Total|Passed): .*$", done.stdout, re.MULTILINE)
    return "; ".join(counts) if done.returncode == 0 and counts else (done.stdout + done.stderr)[-5000:]


def inspector(bench: Bench) -> Iterator[Verdict]:
    """Requests by the Inspector, over both transports in both eras."""
    with listening(bench.env, bench.folder / "product.log") as served:
        targets = {"stdio": [str(bench.launcher())], "http": ["--transport", "http", "--server-url", served.url]}
        for transport, target in targets.items():
            for era in ("legacy", "modern"):
                for code, asked in INSPECTIONS:
                    fixed = ["--protocol-era", era, "--format", "json"]
                    done = bench.run([*bench.tools.inspector(), *target, *fixed, "--method", *asked])
                    told = f"exit {done.returncode}" if done.returncode == code else (done.stdout + done.stderr)[-3000:]
                    name = " ".join(word for word in asked if not word.startswith("{"))
                    yield Verdict(f"Inspector {transport} {era}: {name}", done.returncode == code, told)


def fuzzer(bench: Bench) -> Iterator[Verdict]:
    """mcp-fuzzer over both transports; nothing may crash, and no tool be left out."""
    with listening(bench.env, bench.folder / "product.log") as served:
        for protocol, endpoint in (("stdio", str(bench.launcher())), ("streamablehttp", served.url)):
            out = bench.folder / f"fuzzed-{protocol}"
            fixed = ["--mode", "tools", "--phase", "both", "--no-network", "--no-corpus", "--seed", "1"]
            asked = ["--protocol", protocol, "--endpoint", endpoint, "--runs", str(bench.runs)]
            folders = ["--output-dir", str(out), "--fs-root", str(bench.folder / "fs")]
            done = bench.run([*bench.tools.fuzzer(), *fixed, *asked, *folders])
            tools = [tool for path in out.rglob("*.json") for tool in _tools(json.loads(path.read_text("utf-8")))]
            counts = {name: sum(tool["outcomes"][name] for tool in tools) for name in OUTCOMES}
            told = f"{len(tools)} tools, {sum(tool['runs'] for tool in tools)} calls, {counts}"
            passed = bool(tools) and not any(counts.values())
            yield Verdict(f"mcp-fuzzer {protocol}", passed, told if passed else told + done.stdout[-3000:])


def _tools(report: Any) -> list[dict[str, Any]]:
    data = report.get("data") if isinstance(report, dict) else None
    found: list[dict[str, Any]] = data.get("tools_tested", []) if isinstance(data, dict) else []
    return found


CHECKS: dict[str, Callable[[Bench], Iterator[Verdict]]] = {
    "suite": suite,
    "inspector": inspector,
    "fuzzer": fuzzer,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=CHECKS, default=list(CHECKS))
    parser.add_argument("--tools", type=Path, default=ROOT / ".cache" / "checks", help="where the tools are installed")
    parser.add_argument("--runs", type=int, default=20, help="of mcp-fuzzer, for each tool and phase")
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="conformance-") as folder, running() as stand_in:
        env = environment(Path(folder, "user"), stand_in)
        bench = Bench(Toolbox(options.tools), env, Path(folder), options.runs)
        for name in options.only:
            for verdict in CHECKS[name](bench):
                failed += not verdict.passed
                print(f"{'passed' if verdict.passed else 'FAILED'}  {verdict.what}: {verdict.told}", flush=True)
        for log in Path(folder).glob("*.log"):
            lines = log.read_text("utf-8", "replace").count("Traceback (most recent call last)")
            failed += bool(lines)
            print(f"{lines} tracebacks in {log.name}")
    print(f"{failed} failed")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
