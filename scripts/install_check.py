"""Whether the wheel can be installed by every documented way, and what is installed then works.

    python -m scripts.install_check --python 3.11 3.12 3.13
    python -m scripts.install_check --python 3.13 --peer other-server=/path/to/its/environment

Builds the wheel and the bundle, installs them into empty environments, starts each over standard input and output,
lists the tools, calls one, and looks at what `setup` would write into a client's configuration. Then prints what an
installation takes on disk. Needs a package index for what the wheel depends on; nothing of ours is asked of it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.bundle import ROOT, build, unpack

LOCK = ROOT / "requirements" / "runtime.txt"
SEMANTIC = ROOT / "requirements" / "semantic.txt"
CALL: tuple[str, dict[str, Any]] = ("research_list_fetched", {})
_WEIGH = """
import importlib.metadata as m, os, re, sys
try:
    from packaging.requirements import Requirement
except ImportError:
    from pip._vendor.packaging.requirements import Requirement
def name(text): return re.sub(r"[-_.]+", "-", text).lower()
seen, todo = {}, [(name(sys.argv[1]), tuple(sys.argv[2:]))]
while todo:
    wanted, extras = todo.pop()
    if (wanted, extras) in seen: continue
    dist = m.distribution(wanted)
    seen[wanted, extras] = sum(
        os.path.getsize(p) for f in dist.files or () if "__pycache__" not in str(f) and os.path.isfile(p := f.locate()))
    for line in dist.requires or ():
        r = Requirement(line)
        if not r.marker or any(r.marker.evaluate({"extra": e}) for e in (*extras, "")):
            todo.append((name(r.name), tuple(sorted(r.extras))))
sizes = {wanted: size for (wanted, _), size in seen.items()}
print(len(sizes), sum(sizes.values()))
"""


@dataclass(frozen=True, slots=True)
class Place:
    """What an installation is made from, and where: *folder* is empty, *tools* holds uv and pipx."""

    python: str
    wheel: Path
    bundle: Path
    folder: Path
    tools: Path

    @property
    def env(self) -> dict[str, str]:
        """Leads installers and servers to folders of this place."""
        home = self.folder / "home"
        return {
            **{
                name: value
                for name, value in os.environ.items()
                if not name.startswith(("PRIORIS_", "XDG_", "VIRTUAL_"))
            },
            "PATH": f"{self.tools}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(home),
            "UV_CACHE_DIR": str(self.folder.parent / "uv-cache"),
            "UV_PYTHON_DOWNLOADS": "never",
            "UV_TOOL_DIR": str(self.folder / "uv-tools"),
            "UV_TOOL_BIN_DIR": str(self.folder / "uv-bin"),
            "PIPX_HOME": str(self.folder / "pipx"),
            "PIPX_BIN_DIR": str(self.folder / "pipx-bin"),
            "UV_PYTHON": self.python,
        }

    def run(self, *command: str | Path) -> None:
        """Run an installer to its end, or show what it said."""
        done = subprocess.run(list(map(str, command)), env=self.env, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", nargs="+", default=[sys.executable], help="version or path of each Python")
    parser.add_argument("--only", nargs="+", choices=WAYS, default=list(WAYS), help="some of the ways")
    parser.add_argument(
        "--peer", nargs="*", default=[], metavar="NAME=DIR", help="another server's environment, to weigh"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="prioris-install-") as name:
        work = Path(name)
        wheel, bundle, _ = build(work / "dist")
        tools = _tools(work)
        for version in options.python:
            python = _python(version)
            print(f"\n{_version(python)}")
            for way in options.only:
                folder = work / f"{_version(python)}-{way}".replace(" ", "-")
                folder.mkdir()
                unpack(bundle, folder / "bundle")
                place = Place(python, wheel, folder / "bundle", folder, tools)
                print(f"  {way:18} {_used(place, WAYS[way](place))}", flush=True)
        _weigh(work, wheel, _python(options.python[-1]), options.peer)
    return 0


# -- the ways


def _pip(place: Place) -> Sequence[str]:
    """As the container image does it: everything locked, and the wheel alone from its file."""
    return _environment(place, LOCK)


def _environment(place: Place, lock: Path) -> Sequence[str]:
    python = place.folder / "venv" / "bin" / "python"
    place.run(place.python, "-m", "venv", place.folder / "venv")
    place.run(python, "-m", "pip", "install", "--require-hashes", "--requirement", lock)
    place.run(python, "-m", "pip", "install", "--no-deps", "--no-index", place.wheel)
    return [str(python.parent / "prioris-mcp")]


def _uv_tool(place: Place) -> Sequence[str]:
    place.run("uv", "tool", "install", "--python", place.python, place.wheel)
    return [str(place.folder / "uv-bin" / "prioris-mcp")]


def _pipx(place: Place) -> Sequence[str]:
    place.run("pipx", "install", "--python", place.python, place.wheel)
    return [str(place.folder / "pipx-bin" / "prioris-mcp")]


def _uvx(place: Place) -> Sequence[str]:
    return [str(place.tools / "uvx"), "--python", place.python, "--from", str(place.wheel), "prioris-mcp"]


def _bundle(place: Place) -> Sequence[str]:
    """As the bundle's own manifest starts it."""
    config = json.loads((place.bundle / "manifest.json").read_text("utf-8"))["server"]["mcp_config"]
    given = [argument.replace("${__dirname}", str(place.bundle)) for argument in config["args"]]
    return [str(place.tools / config["command"]), *given]


WAYS: dict[str, Callable[[Place], Sequence[str]]] = {
    "pip install": _pip,
    "uv tool install": _uv_tool,
    "pipx install": _pipx,
    "uvx --from": _uvx,
    "bundle": _bundle,
}


# -- using what was installed


def _used(place: Place, command: Sequence[str]) -> str:
    """Start it, list its tools, call one; what was seen."""
    started = time.monotonic()
    server = subprocess.Popen(
        command, env=place.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "check", "version": "1"}}
    try:
        version = _asked(server, "initialize", hello)["serverInfo"]["version"]
        seconds = time.monotonic() - started
        _said(server, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        tools = _asked(server, "tools/list", {})["tools"]
        called = _asked(server, "tools/call", {"name": CALL[0], "arguments": CALL[1]})
        _, log = server.communicate(timeout=30)
    finally:
        server.kill()
    if called["isError"] or server.returncode or "Traceback" in log:
        sys.exit(f"{' '.join(command)}: exit code {server.returncode}\n{called}\n{log}")
    seen = f"version {version}, {len(tools)} tools, {CALL[0]} answered; first answer after {seconds:.1f} s"
    return f"{seen}; setup {_entry(place, command)}"


def _entry(place: Place, command: Sequence[str]) -> str:
    """Which command `setup` would have a client start: one of this installation, or none for a passing one."""
    done = subprocess.run([*command, "setup"], env=place.env, capture_output=True, text=True, check=False)
    if done.returncode == 2 and "passing" in done.stderr:
        return "declines, as it is a passing installation"
    found = re.search(r'"command": "(.*)"', done.stdout)
    path = Path(found[1] if found else "")
    if not (path.is_relative_to(place.folder) and os.access(path, os.X_OK)):
        sys.exit(f"setup names {path}, which is not this installation:\n{done.stdout}{done.stderr}")
    return f"names {path.relative_to(place.folder)}"


def _said(server: subprocess.Popen[str], message: Mapping[str, Any]) -> None:
    assert server.stdin
    server.stdin.write(json.dumps(message) + "\n")
    server.stdin.flush()


def _asked(server: subprocess.Popen[str], method: str, params: Mapping[str, Any]) -> dict[str, Any]:
    assert server.stdout
    _said(server, {"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    line = server.stdout.readline()
    if not line:
        sys.exit(f"no answer to {method}: {server.stderr and server.stderr.read()}")
    result: dict[str, Any] = json.loads(line)["result"]
    return result


# -- what it weighs


def _weigh(work: Path, wheel: Path, python: str, peers: Sequence[str]) -> None:
    """Packages and bytes of a distribution and all that it needs, without byte code and installers."""
    print("\non disk, with all dependencies, without byte code:")
    for name, lock, extras in (("base", LOCK, ()), ("with [semantic]", SEMANTIC, ("semantic",))):
        folder = work / f"weighed-{len(extras)}"
        folder.mkdir()
        _environment(Place(python, wheel, work, folder, work), lock)
        _weighed(f"prioris-mcp, {name}", folder / "venv", "prioris-mcp", *extras)
    for name, peer_folder in (peer.split("=", 1) for peer in peers):
        _weighed(name, Path(peer_folder), name.split("@")[0])


def _weighed(title: str, environment: Path, *words: str) -> None:
    command = [str(environment / "bin" / "python"), "-c", _WEIGH, *words]
    packages, size = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    print(f"  {title:28} {int(packages):4} packages  {int(size) / 1e6:6.1f} MB", flush=True)


# -- tools and Pythons


def _tools(work: Path) -> Path:
    """A folder with uv and pipx: those that are here, or fresh ones."""
    folder = work / "tools" / "bin"
    subprocess.run([sys.executable, "-m", "venv", str(folder.parent)], check=True)
    if not all(map(shutil.which, ("uv", "uvx", "pipx"))):
        pip = [str(folder / "python"), "-m", "pip", "install", "--quiet", "uv", "pipx"]
        subprocess.run(pip, check=True, stderr=subprocess.DEVNULL)
        return folder
    for name in ("uv", "uvx", "pipx"):
        (folder / name).symlink_to(shutil.which(name) or name)
    return folder


def _python(version: str) -> str:
    """The path of a Python that is named by version or by path."""
    for found in _candidates(version):
        if Path(found).is_file() and _version(found):
            return found
    sys.exit(f"no Python {version} here")


def _candidates(version: str) -> Iterator[str]:
    yield version
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    yield from sorted((str(path) for path in pyenv.glob(f"{version}*/bin/python")), reverse=True)
    yield shutil.which(f"python{version}") or ""


def _version(python: str) -> str:
    done = subprocess.run([python, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
