"""Completion: what bash offers, asked as bash asks; the other shells' scripts are written by the same library."""

from __future__ import annotations

import argparse
import shutil
import subprocess

import pytest
import shtab

from prioris_mcp.cli import arguments
from prioris_mcp.cli.completion import completion

BASH = """
eval "$SCRIPT"
COMP_WORDS=({words})
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_shtab_prioris_mcp
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
CASES = [
    ("prioris-mcp ''", {"serve", "search", "notes", "setup", "completion"}, {"--version"}),
    ("prioris-mcp --", {"--version", "--help"}, {"serve"}),
    ("prioris-mcp notes ''", {"list", "search", "export", "import"}, {"fetch"}),
    ("prioris-mcp list --provider ''", {"arxiv", "europepmc", "localfile"}, {"--json", "serve"}),
    ("prioris-mcp notes list --", {"--offset", "--limit", "--json"}, {"--dry-run"}),
    ("prioris-mcp setup --dry-run ''", {"claude-desktop", "zed"}, {"list"}),
    ("prioris-mcp completion ''", {"bash", "zsh", "tcsh", "fish", "powershell"}, {"list"}),
    ("prioris-mcp add ''", {"my thesis.pdf"}, {"list", "--json"}),
    ("prioris-mcp setup zed --file ''", {"my thesis.pdf"}, {"cursor"}),
    ("prioris-mcp search list --", {"--newest"}, {"--provider"}),
    ("prioris-mcp list --limit ''", set(), {"arxiv", "list", "--json", "my thesis.pdf"}),
]


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What the command prints for *shell*."""
    assert completion(argparse.Namespace(shell=shell)) == 0
    return capsys.readouterr().out


def offered(text: str, line: str, folder: str) -> set[str]:
    """What bash, having read *text*, offers behind *line* in *folder*."""
    done = subprocess.run(
        ["bash", "--norc", "-c", BASH.format(words=line)],
        env={"PATH": "/usr/bin:/bin:/usr/local/bin", "SCRIPT": text, "HOME": folder, "LC_ALL": "C.UTF-8"},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines())


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash on this machine")
@pytest.mark.parametrize(("line", "there", "not_there"), CASES)
def test_the_shell_offers_what_can_be_typed(line, there, not_there, tmp_path, capsys):
    """Commands, options, values and files, each where it belongs and nowhere else."""
    (tmp_path / "my thesis.pdf").touch()
    found = offered(script("bash", capsys), line, str(tmp_path))
    assert there <= found, found
    assert not not_there & found


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash on this machine")
def test_a_begun_word_is_completed(tmp_path, capsys):
    """Bash is given only what begins so."""
    assert offered(script("bash", capsys), "prioris-mcp se", str(tmp_path)) == {
        "serve",
        "setup",
        "search",
        "search-library",
    }


@pytest.mark.parametrize("shell", arguments.SHELLS)
def test_every_script_knows_every_command(shell, capsys):
    """For each shell that can be named."""
    text = script(shell, capsys)
    commands = next(action.choices or () for action in arguments.parser()._actions if action.dest == "command")
    assert [command for command in commands if command not in text] == []


def test_every_shell_of_the_library_can_be_named():
    """The list is written down twice, so that the server need not load the library."""
    assert tuple(shtab.SUPPORTED_SHELLS) == arguments.SHELLS
