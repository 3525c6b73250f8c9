"""The command line, run to its end as a person runs it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from typing import Any

from tests.e2e.process import COMMAND, PATIENCE, Home


def command(home: Home, env: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """One command of the command line, run to its end."""
    home.root.mkdir(parents=True, exist_ok=True)
    return subprocess.run(
        [*COMMAND, *arguments],
        env={**home.env(), **env},
        cwd=home.root,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=PATIENCE,
        check=False,
    )


def listed(home: Home, env: Mapping[str, str]) -> list[dict[str, Any]]:
    """What ``prioris-mcp list --json`` shows: every entry, newest first."""
    done = command(home, env, "list", "--json", "--limit", "10000")
    assert done.returncode == 0, done.stderr.decode()
    answer = json.loads(done.stdout)
    assert answer["total"] == len(answer["entries"])
    entries: list[dict[str, Any]] = answer["entries"]
    return entries
