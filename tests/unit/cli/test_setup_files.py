"""`prioris-mcp setup` and what is no file that it could write; and a user without a home."""

from __future__ import annotations

import json
import os
import signal
import socket
import tempfile
from pathlib import Path

import pytest

from prioris_mcp.cli import main, regular_files
from prioris_mcp.cli.setup import setup

KINDS = ["pipe", "folder", "socket", "/dev/null", "/dev/zero", "/dev/full"]
HELD = '{"mcpServers": {}}'


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """An empty home."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "PRIORIS_MCP_OPENALEX_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    before = signal.getsignal(signal.SIGTERM)
    yield tmp_path
    signal.signal(signal.SIGTERM, before)


def make(kind: str, path: Path) -> Path:
    """Something at *path*, or the device that *kind* names."""
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as bound:
            here = Path.cwd()
            os.chdir(path.parent)  # the address of a socket is short
            bound.bind(path.name)
            os.chdir(here)
    return Path(kind) if kind.startswith("/") else path


def refused(capsys) -> str:
    """The one sentence on standard error, which ends with what to do."""
    said = capsys.readouterr()
    assert (said.err.count("\n"), said.out) == (1, "")
    return said.err


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("words", [[], ["--remove"], ["--dry-run"]])
def test_what_is_no_regular_file_is_left_alone(home, capsys, kind, linked, words):
    """Neither read, which may never end, nor replaced, itself or at the end of a link."""
    found = make(kind, home / "odd")
    path = found
    if linked:
        path = home / "link.json"
        path.symlink_to(found)
    before, inside = found.stat(), sorted(home.iterdir())
    assert main(["setup", "cursor", "--file", str(path), *words]) == 1
    assert "not a regular file; name a file" in refused(capsys)
    assert (found.stat().st_ino, found.stat().st_mode) == (before.st_ino, before.st_mode)
    assert (sorted(home.iterdir()), path.is_symlink()) == (inside, linked)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_regular_file_is_not_read(home, kind):
    """By other commands either, such as `add`."""
    with pytest.raises(ValueError, match="not a regular file"):
        regular_files.content(make(kind, home / "odd"))


def test_a_file_of_several_names_is_not_parted(home, capsys):
    """Writing would leave the other name with what it held; where nothing would change, nothing is said."""
    path, other = home / "mcp.json", home / "other.json"
    path.write_text(HELD)
    other.hardlink_to(path)
    assert main(["setup", "cursor", "--file", str(path)]) == 1
    assert "one file under 2 names (hard links)" in refused(capsys)
    assert (path.read_text(), path.stat().st_nlink, sorted(home.iterdir())) == (HELD, 2, [path, other])
    assert main(["setup", "cursor", "--file", str(path), "--remove"]) == 0
    other.unlink()
    assert main(["setup", "cursor", "--file", str(path)]) == 0
    assert "prioris" in json.loads(path.read_text())["mcpServers"]


@pytest.mark.parametrize("step", ["_backup", "tempfile.mkstemp", "Path.replace"])
def test_where_nothing_can_be_written_nothing_is_changed(home, monkeypatch, capsys, step):
    """As in a folder that may only be read, or on a full disk: one sentence, and no remains."""
    path = home / "mcp.json"
    path.write_text(HELD)

    def fail(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    owner, _, name = f"setup.{step}".rpartition(".")
    target = {"setup": setup, "setup.tempfile": tempfile, "setup.Path": Path}[owner]
    monkeypatch.setattr(target, name, fail)
    assert main(["setup", "cursor", "--file", str(path)]) == 1
    assert "was left alone: Permission denied; --print shows what to put there" in refused(capsys)
    assert (path.read_text(), list(home.iterdir())) == (HELD, [path])


@pytest.mark.parametrize("value", ["", "relative", None])
@pytest.mark.parametrize("words", [["setup", "cursor"], ["list"], ["doctor"]])
def test_without_a_home_one_sentence_says_so(home, monkeypatch, capsys, value, words):
    """Where HOME is empty or relative, or unset for a user whom the system does not know: nothing is written."""
    monkeypatch.chdir(home)
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    if value is None:
        monkeypatch.delenv("HOME")
        monkeypatch.setattr(Path, "home", _unknown)
    else:
        monkeypatch.setenv("HOME", value)
    assert main(words) == 2
    assert "set HOME to its absolute path" in refused(capsys)
    assert list(home.iterdir()) == []


def test_relative_folders_of_settings_are_passed_over(home, monkeypatch, capsys):
    """As the XDG rules say: the usual one is taken."""
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
    monkeypatch.chdir(home)
    assert main(["setup", "zed"]) == 0
    assert (home / ".config" / "zed" / "settings.json").is_file()
    assert str(home / ".config") in capsys.readouterr().out


def _unknown() -> Path:
    raise RuntimeError("Could not determine home directory.")
