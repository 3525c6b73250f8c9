"""Find the user's folders, as the system and other programs name them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from prioris_mcp.errors import ConfigurationError


def own_folder(folder: Callable[..., Path]) -> Path:
    """Return this program's part of one of the user's standard folders, where the system has it."""
    _home()
    return folder("prioris-mcp", appauthor=False)


def _home() -> Path:
    """The user's folder; ConfigurationError where there is none, as for a user without an entry in the system."""
    named = os.environ.get("HOME") if os.name == "posix" else None  # of which Python takes "" for the root folder
    try:
        found = Path.home() if named is None else Path(named)
    except RuntimeError:
        found = Path()
    if not found.is_absolute():
        raise ConfigurationError("it is not known where your home folder is: set HOME to its absolute path")
    return found


@dataclass(frozen=True, slots=True)
class Folders:
    """A user's folders, as programs other than this one name them; *system* is "linux", "macos" or "windows"."""

    system: str
    home: Path
    config: Path
    claude: Path

    def base(self, name: str) -> Path:
        """The one called *name*: home, config or claude."""
        return {"home": self.home, "config": self.config, "claude": self.claude}[name]


def folders(platform: str = sys.platform) -> Folders:
    """This user's, on a system that Python calls *platform*."""
    home = _home()
    system = {"darwin": "macos", "win32": "windows"}.get(platform, "linux")
    usual = {
        "macos": (None, home / "Library" / "Application Support"),
        "windows": (os.environ.get("APPDATA"), home / "AppData" / "Roaming"),
        "linux": (os.environ.get("XDG_CONFIG_HOME"), home / ".config"),
    }
    named, fallback = usual[system]
    config = Path(named) if named and Path(named).is_absolute() else fallback
    return Folders(system, home, config, Path(os.environ.get("CLAUDE_CONFIG_DIR") or home).absolute())
