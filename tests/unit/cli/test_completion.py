"""Completion, as the shells themselves do it. A shell that is not on this machine is skipped."""

from __future__ import annotations

import argparse
import shutil
import subprocess

import pytest

from prioris_mcp.cli import arguments
from prioris_mcp.cli.completion import SCRIPTS, completion

BASH = """
eval "$SCRIPT"
COMP_WORDS=({words})
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_prioris_mcp
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
ZSH = """
compdef() {{ }}
compadd() {{ shift; print -l -- $@ }}
_files() {{ print -l -- *(N) }}
_describe() {{ print -l -- ${{${{(P)2}}%%:*}} }}
eval "$SCRIPT"
words=({words})
CURRENT=$#words
_prioris_mcp
"""
FISH = """
printf '%s' "$SCRIPT" | source
complete -C {line}
"""
CASES = [
    ("prioris-mcp ''", {"serve", "search", "notes", "setup", "completion"}, {"--version"}),
    ("prioris-mcp --", {"--version", "--help"}, {"serve"}),
    ("prioris-mcp notes ''", {"list", "search", "export", "import"}, {"fetch"}),
    ("prioris-mcp list --provider ''", {"arxiv", "europepmc", "localfile"}, {"--json", "serve"}),
    ("prioris-mcp notes list --", {"--offset", "--limit", "--json"}, {"--dry-run"}),
    ("prioris-mcp setup --dry-run ''", {"claude-desktop", "zed"}, {"list"}),
    ("prioris-mcp completion ''", {"bash", "zsh", "fish"}, {"list"}),
    ("prioris-mcp add ''", {"my thesis.pdf"}, {"list", "--json"}),
    ("prioris-mcp setup zed --file ''", {"my thesis.pdf"}, {"cursor"}),
    ("prioris-mcp search list --", {"--newest"}, {"--provider"}),
    ("prioris-mcp list --limit ''", set(), {"arxiv", "list", "--json", "my thesis.pdf"}),
]


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What the command prints for *shell*."""
    assert completion(argparse.Namespace(shell=shell)) == 0
    return capsys.readouterr().out


def offered(shell: str, text: str, line: str, folder: str) -> set[str]:
    """What *shell*, having read *text*, offers behind *line* in *folder*."""
    program = {"bash": BASH, "zsh": ZSH}.get(shell, "").format(words=line)
    if shell == "fish":
        quoted = line.replace("''", "").replace("'", "\\'")
        program = FISH.format(line=f"'{quoted}'")
    options = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
    done = subprocess.run(
        [shell, *options, "-c", program],
        env={"PATH": "/usr/bin:/bin:/usr/local/bin", "SCRIPT": text, "HOME": folder, "LC_ALL": "C.UTF-8"},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return {found.split("\t")[0].replace("\\ ", " ") for found in done.stdout.splitlines()}


@pytest.mark.parametrize("shell", SCRIPTS)
@pytest.mark.parametrize(("line", "there", "not_there"), CASES)
def test_the_shell_offers_what_can_be_typed(shell, line, there, not_there, tmp_path, capsys):
    """Commands, options, values and files, each where it belongs and nowhere else."""
    if not shutil.which(shell):
        pytest.skip(f"no {shell} on this machine")
    (tmp_path / "my thesis.pdf").touch()
    found = offered(shell, script(shell, capsys), line, str(tmp_path))
    assert there <= found, found
    assert not not_there & found


def test_a_begun_word_is_completed(tmp_path, capsys):
    """Bash is given only what begins so."""
    assert offered("bash", script("bash", capsys), "prioris-mcp se", str(tmp_path)) == {
        "serve",
        "setup",
        "search",
        "search-library",
    }


def test_every_shell_that_can_be_named_has_a_script():
    """The list is written down twice, so that the server need not load the scripts."""
    assert tuple(SCRIPTS) == arguments.SHELLS
