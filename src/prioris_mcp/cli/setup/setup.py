"""``prioris-mcp setup``: this installation into a client's configuration, and out of it again."""

from __future__ import annotations

import argparse
import difflib
import itertools
import json
import os
import shlex
import sys
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path

from prioris_mcp.cli import regular_files
from prioris_mcp.cli.setup.clients import CLIENTS, OTHER, Client, Launch
from prioris_mcp.cli.terminal import say
from prioris_mcp.errors import ConfigurationError
from prioris_mcp.settings.folders import folders

_PASSING = ("archive-v0", "builds-v0", "environments-v2")
"""Folders of uv's cache, in which an installation lives only until the cache is cleaned."""


def setup(options: argparse.Namespace) -> int:
    """Write, remove or print the entry for each client that *options* name; 1 if one of them failed."""
    launch = _launch(dict(options.env))
    if set(Path(launch.command).parts) & set(_PASSING):
        raise ConfigurationError(
            f"this installation is a passing one ({launch.command}), which a client must not depend on: install it"
            " with `uv tool install`, `pipx install` or `pip install` from a checkout or a wheel, and run setup there"
        )
    if options.file and len(options.clients) != 1:
        raise ConfigurationError("--file needs exactly one client, whose form the file has; name it")
    if options.print or not options.clients:
        say("\n\n".join(_shown(name, launch, options) for name in options.clients or [""]))
        return 0
    return max(_done(CLIENTS[name], launch, options) for name in options.clients)


def here(executable: str = sys.executable) -> tuple[str, ...]:
    """What starts this installation, by absolute paths: its own command, or its Python."""
    folder = Path(os.path.abspath(executable)).parent  # noqa: PTH100 - resolve() would leave the environment
    for name in ("prioris-mcp", "prioris-mcp.exe"):
        if (folder / name).is_file():
            return (str(folder / name),)
    return (str(folder / Path(executable).name), "-m", "prioris_mcp")


def _launch(environment: dict[str, str]) -> Launch:
    command, *arguments = here()
    return Launch(command, arguments, environment)


def _shown(name: str, launch: Launch, options: argparse.Namespace) -> str:
    """What a person would paste, and where."""
    client = CLIENTS.get(name, OTHER)
    text = json.dumps({client.member: {options.name: launch.entry(typed=client.typed)}}, indent=2)
    if name:
        return f"{client.title}, in {options.file or client.file(folders())}:\n{text}"
    command = shlex.join((launch.command, *launch.arguments))
    known = ", ".join(CLIENTS)
    return (
        f"Most clients take this:\n{text}\n\nThe command alone, where a client asks for one:\n{command}\n\n"
        f"Written for you by `prioris-mcp setup CLIENT`: {known}"
    )


def _done(client: Client, launch: Launch, options: argparse.Namespace) -> int:
    """One client's file changed, and what was done said; 1 where the file is left alone."""
    path = options.file or client.file(folders())
    try:
        say(_change(client, path, launch, options))
    except (OSError, ValueError) as exc:
        reason = str(exc) if isinstance(exc, ValueError) else f"{exc.strerror or exc}; --print shows what to put there"
        print(f"prioris-mcp: {client.title}: {path} was left alone: {reason}", file=sys.stderr)
        return 1
    return 0


def _change(client: Client, path: Path, launch: Launch, options: argparse.Namespace) -> str:
    before = _read(path)
    text = _text(before or b"")
    if options.remove:
        after = client.without_server(text, options.name)
    else:
        after = client.with_server(text, options.name, launch)
    if after == text:
        state = "does not hold it" if options.remove else "holds it already"
        return f"{client.title}: {path} {state}; nothing was changed"
    if options.dry_run:
        return f"{client.title}: {path} would change:\n{_difference(text, after)}"
    backup = _write(path, before, after.encode("utf-8"))
    kept = f"; what it held is in {backup}" if backup else ""
    done = "removed from" if options.remove else "written to"
    return f"{client.title}: {done} {path}{kept}; {client.hint}"


def _read(path: Path) -> bytes | None:
    try:
        return regular_files.content(path)
    except FileNotFoundError:
        return None


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8 text") from None


def _difference(before: str, after: str) -> str:
    """The lines that change, and none beside them: they may hold another server's secrets."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "now", "then", lineterm="", n=0)
    return "\n".join(lines)


def _write(path: Path, before: bytes | None, after: bytes) -> Path | None:
    """Whole or not at all, keeping the file's mode and a copy of what it held; where the copy is."""
    target = Path(os.path.realpath(path))
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = 0o600 if before is None else _mode(target)
    with ExitStack() as made:  # and gone again, where something fails
        backup = _backup(target, before, mode) if before is not None else None
        if backup:
            made.callback(backup.unlink, missing_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        made.callback(Path(name).unlink, missing_ok=True)
        with os.fdopen(handle, "wb") as out:
            out.write(after)
            out.flush()
            os.fsync(handle)
        Path(name).chmod(mode)
        _demand_unchanged(target, before)
        Path(name).replace(target)
        made.pop_all()
    return backup


def _mode(target: Path) -> int:
    found = target.stat()
    if found.st_nlink > 1:
        raise ValueError(
            f"it is one file under {found.st_nlink} names (hard links), which writing would part; leave it one name, or"
            " make the others symbolic links"
        )
    return found.st_mode & 0o777


def _demand_unchanged(target: Path, before: bytes | None) -> None:
    if _read(target) != before:
        raise ValueError("it was changed by another program meanwhile; try again")


def _backup(target: Path, content: bytes, mode: int) -> Path:
    """A copy beside *target* under a name that was free."""
    for number in itertools.count(1):
        copy = target.with_name(f"{target.name}.backup-{number}")
        with suppress(FileExistsError):
            handle = os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(handle, "wb") as out:
                out.write(content)
            copy.chmod(mode)
            return copy
    raise AssertionError
