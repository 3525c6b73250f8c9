"""`prioris-mcp setup`: each client's form, and whose file it is."""

from __future__ import annotations

import json
import signal
import stat
import sys
from pathlib import Path

import pytest

from prioris_mcp.cli import arguments, main
from prioris_mcp.cli.setup import setup
from prioris_mcp.cli.setup.clients import CLIENTS
from prioris_mcp.settings.folders import folders

COMMAND = str(Path(sys.executable).parent / "prioris-mcp")
PLAIN = {"mcpServers": {"prioris": {"command": COMMAND, "args": []}}}
TYPED = {"prioris": {"type": "stdio", "command": COMMAND, "args": []}}
FORMS = {
    "claude-desktop": (".config/Claude/claude_desktop_config.json", PLAIN),
    "claude-code": (".claude.json", {"mcpServers": TYPED}),
    "cursor": (".cursor/mcp.json", PLAIN),
    "vscode": (".config/Code/User/mcp.json", {"servers": TYPED}),
    "windsurf": (".codeium/windsurf/mcp_config.json", PLAIN),
    "zed": (".config/zed/settings.json", {"context_servers": PLAIN["mcpServers"]}),
}
PLACES = {
    "darwin": {
        "claude-desktop": "Library/Application Support/Claude/claude_desktop_config.json",
        "claude-code": ".claude.json",
        "vscode": "Library/Application Support/Code/User/mcp.json",
        "zed": ".config/zed/settings.json",
    },
    "win32": {
        "claude-desktop": "AppData/Roaming/Claude/claude_desktop_config.json",
        "claude-code": ".claude.json",
        "cursor": ".cursor/mcp.json",
        "zed": "AppData/Roaming/Zed/settings.json",
    },
}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """An empty home on Linux."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("XDG_CONFIG_HOME", "APPDATA", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(setup, "folders", lambda: folders("linux"))
    before = signal.getsignal(signal.SIGTERM)
    yield tmp_path
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def cursor(home):
    """Cursor's file, with a server of somebody else's."""
    path = home / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_text('{"mcpServers": {"other": {"url": "https://example.org", "token": "t-secret"}}}')
    return path


def test_the_table_has_the_names_of_the_command_line():
    """Which are written down twice, so that the server need not load the table."""
    assert tuple(CLIENTS) == arguments.CLIENTS == tuple(FORMS)


@pytest.mark.parametrize("name", FORMS)
def test_each_client_gets_its_form_in_its_place(home, name):
    """By absolute paths, readable by its user alone."""
    place, form = FORMS[name]
    assert main(["setup", name]) == 0
    assert json.loads((home / place).read_text()) == form
    assert stat.S_IMODE((home / place).stat().st_mode) == 0o600


@pytest.mark.parametrize(("platform", "name"), [(system, name) for system in PLACES for name in PLACES[system]])
def test_places_on_other_systems(home, platform, name):
    """Where the client's own manual says."""
    assert CLIENTS[name].file(folders(platform)) == home / PLACES[platform][name]


def test_folders_that_are_set_are_followed(home, monkeypatch):
    """XDG_CONFIG_HOME, APPDATA and CLAUDE_CONFIG_DIR."""
    for name in ("XDG_CONFIG_HOME", "APPDATA", "CLAUDE_CONFIG_DIR"):
        monkeypatch.setenv(name, str(home / name))
    assert CLIENTS["zed"].file(folders("linux")) == home / "XDG_CONFIG_HOME/zed/settings.json"
    assert CLIENTS["vscode"].file(folders("win32")) == home / "APPDATA/Code/User/mcp.json"
    assert CLIENTS["claude-code"].file(folders("darwin")) == home / "CLAUDE_CONFIG_DIR/.claude.json"


def test_a_dry_run_writes_nothing_and_shows_no_neighbour(cursor, capsys):
    """The lines that would change, and the file as it was."""
    before = cursor.read_bytes()
    cursor.write_text(json.dumps(json.loads(before), indent=2))
    before = cursor.read_bytes()
    assert main(["setup", "--dry-run", "cursor"]) == 0
    shown = capsys.readouterr().out
    assert f'+      "command": "{COMMAND}",' in shown
    assert "t-secret" not in shown
    assert (cursor.read_bytes(), list(cursor.parent.iterdir())) == (before, [cursor])


def test_what_was_there_is_kept_twice(cursor):
    """Beside our entry, and as a copy with the same mode."""
    cursor.chmod(0o640)
    before = cursor.read_bytes()
    main(["setup", "cursor"])
    assert list(json.loads(cursor.read_text())["mcpServers"]) == ["other", "prioris"]
    copy = cursor.with_name("mcp.json.backup-1")
    assert (copy.read_bytes(), stat.S_IMODE(copy.stat().st_mode)) == (before, 0o640)
    assert stat.S_IMODE(cursor.stat().st_mode) == 0o640
    main(["setup", "--remove", "cursor"])
    assert cursor.read_bytes() == before
    assert cursor.with_name("mcp.json.backup-2").is_file()


def test_a_second_time_changes_nothing(cursor, capsys):
    """And makes no further copy."""
    main(["setup", "cursor"])
    main(["setup", "cursor"])
    assert "holds it already" in capsys.readouterr().out
    assert not cursor.with_name("mcp.json.backup-2").exists()


def test_what_a_user_added_to_our_entry_stays(cursor):
    """A moved installation changes the command, and neither variables nor switches."""
    ours = {"command": "/old/prioris-mcp", "args": ["x"], "env": {"A": "1", "B": "2"}, "disabled": True}
    cursor.write_text(json.dumps({"mcpServers": {"prioris": ours}}))
    main(["setup", "cursor", "--env", "B=3"])
    then = json.loads(cursor.read_text())["mcpServers"]["prioris"]
    assert then == {"command": COMMAND, "args": [], "env": {"A": "1", "B": "3"}, "disabled": True}


def test_an_entry_of_another_kind_is_replaced(cursor):
    """One that had an address instead of a command keeps nothing of it."""
    cursor.write_text('{"mcpServers": {"prioris": {"url": "http://localhost:8000/mcp"}}}')
    main(["setup", "cursor", "--env", "A=1"])
    assert json.loads(cursor.read_text())["mcpServers"]["prioris"] == {
        "command": COMMAND,
        "args": [],
        "env": {"A": "1"},
    }


@pytest.mark.parametrize("content", [b"{oops", b"[]", b"\xff\xfe{", b'{"mcpServers": 3}'])
def test_a_file_that_cannot_be_understood_is_left_alone(cursor, home, capsys, content):
    """One sentence, exit code 1, and the other clients are served."""
    cursor.write_bytes(content)
    assert main(["setup", "cursor", "windsurf"]) == 1
    said = capsys.readouterr()
    assert (said.err.count("\n"), "was left alone" in said.err) == (1, True)
    assert (cursor.read_bytes(), list(cursor.parent.iterdir())) == (content, [cursor])
    assert (home / FORMS["windsurf"][0]).is_file()


def test_a_link_stays_a_link(cursor, home):
    """Settings that are kept elsewhere are written there."""
    elsewhere = home / "dotfiles.json"
    cursor.rename(elsewhere)
    cursor.symlink_to(elsewhere)
    main(["setup", "cursor"])
    assert cursor.is_symlink()
    assert "prioris" in json.loads(elsewhere.read_text())["mcpServers"]


def test_a_file_that_changes_meanwhile_is_left_alone(cursor, monkeypatch, capsys):
    """The other program's change is not lost."""
    backup = setup._backup

    def late(*arguments):
        cursor.write_text("{}")
        return backup(*arguments)

    monkeypatch.setattr(setup, "_backup", late)
    assert main(["setup", "cursor"]) == 1
    assert "changed by another program" in capsys.readouterr().err
    assert cursor.read_text() == "{}"
    assert not list(cursor.parent.glob(".mcp.json.*"))


def test_a_file_of_a_project(home):
    """In the form of the client that reads it, under another name if wanted."""
    path = home / "project" / ".vscode" / "mcp.json"
    assert main(["setup", "vscode", "--file", str(path), "--name", "papers"]) == 0
    assert list(json.loads(path.read_text())["servers"]) == ["papers"]
    assert main(["setup", "--file", str(path)]) == 2


@pytest.mark.parametrize("words", [[], ["--print", "zed"]])
def test_printing_writes_nothing(home, capsys, words):
    """The entry and the command, ready to be pasted."""
    assert main(["setup", *words]) == 0
    assert COMMAND in capsys.readouterr().out
    assert list(home.iterdir()) == []


def test_without_its_command_the_python_is_named(tmp_path):
    """As where only the package was put into a folder; no link is followed out of the environment."""
    python = tmp_path / "bin" / "python3"
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    assert setup.here(str(python)) == (str(python), "-m", "prioris_mcp")
    (python.parent / "prioris-mcp.exe").touch()
    assert setup.here(str(python)) == (str(python.parent / "prioris-mcp.exe"),)


def test_a_passing_installation_is_not_written(home, monkeypatch, capsys):
    """One in uv's cache would be gone after its next cleaning."""
    monkeypatch.setattr(setup, "here", lambda: ("/c/uv/archive-v0/x/bin/prioris-mcp",))
    assert main(["setup", "cursor"]) == 2
    assert "uv tool install" in capsys.readouterr().err
    assert list(home.iterdir()) == []


def test_an_unknown_client_is_wrong_usage(capsys):
    """The known ones are named."""
    with pytest.raises(SystemExit, match="2"):
        main(["setup", "emacs"])
    assert "claude-desktop, claude-code" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--name", ""], ["--name", "my papers"], ["--name", "x" * 21], ["--env", "A"]])
def test_what_a_client_would_refuse_is_wrong_usage(cursor, words):
    """A name that makes a tool's name too long or odd, and a variable without value; nothing is written."""
    before = cursor.read_bytes()
    with pytest.raises(SystemExit, match="2"):
        main(["setup", "cursor", *words])
    assert cursor.read_bytes() == before
