"""Tools of others that check the server, each of a fixed version, in a folder that is not part of the repository."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from pathlib import Path

NODE = "22"
SUITE = "0.2.0-alpha.12"
INSPECTOR = "2.12.0"
FUZZER = "0.7.0"
_PACKAGES = (f"@modelcontextprotocol/conformance@{SUITE}", f"@modelcontextprotocol/inspector@{INSPECTOR}")


class Toolbox:
    """The tools in *folder*, installed there by npm and pip where they are not yet."""

    def __init__(self, folder: Path) -> None:
        self._modules = folder / "node_modules"
        self._python = folder / f"fuzzer-{FUZZER}"
        self._folder = folder

    def suite(self) -> list[str]:
        """The command of the official conformance suite."""
        return [*self._node(), str(self._modules / "@modelcontextprotocol/conformance/dist/index.js")]

    def inspector(self) -> list[str]:
        """The command of the Inspector, a client over another SDK."""
        main = self._modules / "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
        return [*self._node(), str(main), "--cli"]

    def fuzzer(self) -> list[str]:
        """The command of mcp-fuzzer."""
        program = self._python / "bin" / "mcp-fuzzer"
        if not program.exists():
            subprocess.run([sys.executable, "-m", "venv", str(self._python)], check=True)
            pip = [str(self._python / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, "install", f"mcp-fuzzer=={FUZZER}"], check=True)
        return [str(program)]

    def _node(self) -> list[str]:
        """A Node that is new enough, with the packages beside it."""
        if not (self._modules / "@modelcontextprotocol").exists():
            own = [] if _new_enough() else [f"node-linux-{_machine()}@{NODE}"]
            quiet = ("--no-package-lock", "--no-audit", "--no-fund", "--silent")
            self._folder.mkdir(parents=True, exist_ok=True)
            subprocess.run(["npm", "install", "--prefix", str(self._folder), *quiet, *own, *_PACKAGES], check=True)
        local = self._modules / ".bin" / "node"
        return [str(local) if local.exists() else "node"]


def _new_enough() -> bool:
    if not shutil.which("node"):
        return False
    told = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    return int(told.removeprefix("v").partition(".")[0]) >= int(NODE)


def _machine() -> str:
    return {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
