"""The container image, as far as it can be judged without building it."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
STEPS = [
    " ".join(step.split())
    for step in re.sub(r"^#.*\n", "", DOCKERFILE, flags=re.MULTILINE).replace("\\\n", " ").splitlines()
    if step
]


def health(**env: str) -> int:
    """The exit code of the image's health check in an environment."""
    step = next(step for step in STEPS if step.startswith("HEALTHCHECK"))
    _, *command = json.loads(step[step.index("CMD ") + 4 :])
    return subprocess.run(
        [sys.executable, *command], env={"PATH": os.environ["PATH"], **env}, capture_output=True, check=False
    ).returncode


def test_it_does_not_run_as_root():
    """A numbered user, which also clusters that know no names can check; nothing after it is root again."""
    assert [step for step in STEPS if step.startswith("USER")] == ["USER 10001"]
    assert STEPS.index("USER 10001") > max(number for number, step in enumerate(STEPS) if step.startswith("RUN"))


def test_every_installation_is_locked_or_local():
    """By hash, or from the wheel that was just built; no address and no bare name."""
    commands = [part.strip() for step in STEPS if step.startswith("RUN") for part in step.split("&&")]
    installing = [command for command in commands if "pip install" in command]
    assert len(installing) == 3
    for command in installing:
        assert "--require-hashes" in command or "--no-index /wheels/*.whl" in command
    assert "://" not in DOCKERFILE


def test_only_what_is_copied_reaches_the_builder():
    """Each source of a COPY is let in, and neither history nor tests are."""
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    let_in = {line[1:] for line in lines if line.startswith("!")}
    assert "*" in lines
    for step in STEPS:
        if step.startswith("COPY") and "--from" not in step:
            for source in step.split()[1:-1]:
                assert (ROOT / source).exists()
                assert any(Path(source).match(pattern) for pattern in let_in), source
    assert not let_in & {".git", "tests", ".venv"}


def test_the_health_check_looks_at_http_only():
    """Sound over standard input and output; over HTTP when something listens, and only then."""
    assert health(PRIORIS_MCP_TRANSPORT="stdio") == 0
    with socket.create_server(("localhost", 0)) as listening:
        port = str(listening.getsockname()[1])
        assert health(PRIORIS_MCP_TRANSPORT="http", PRIORIS_MCP_PORT=port) == 0
    assert health(PRIORIS_MCP_TRANSPORT="http", PRIORIS_MCP_PORT=port) == 1


def test_the_linter_finds_nothing():
    """`make lint-image` installs hadolint; where it is not, this is skipped."""
    found = shutil.which("hadolint", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if not found:
        pytest.skip("no hadolint here")
    done = subprocess.run([found, str(ROOT / "Dockerfile")], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
