"""The clients that ``prioris-mcp setup`` knows: where each keeps its servers, and in which form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prioris_mcp.cli.setup import jsonc
from prioris_mcp.settings.folders import Folders


@dataclass(frozen=True, slots=True)
class Launch:
    """How this installation is started: an absolute command, and the environment that a client should give it."""

    command: str
    arguments: Sequence[str] = ()
    environment: Mapping[str, str] | None = None

    def entry(self, *, typed: bool) -> dict[str, Any]:
        """As clients write it; *typed*: with the transport's name."""
        kind = {"type": "stdio"} if typed else {}
        extra = {"env": dict(self.environment)} if self.environment else {}
        return {**kind, "command": self.command, "args": list(self.arguments), **extra}


@dataclass(frozen=True, slots=True)
class Client:
    """One client: its *file* for each system (the rest use that of "linux"), and the member that holds servers."""

    title: str
    files: Mapping[str, tuple[str, ...]]
    member: str = "mcpServers"
    typed: bool = False
    hint: str = "restart it"

    def file(self, folders: Folders) -> Path:
        """Where it keeps its servers for this user."""
        base, *parts = self.files.get(folders.system) or self.files["linux"]
        return folders.base(base).joinpath(*parts)

    def with_server(self, text: str, name: str, launch: Launch) -> str:
        """Its file's *text* with the server in it. What a user has added to an entry of ours stays."""
        entry = launch.entry(typed=self.typed)
        held = jsonc.get(text, (self.member, name))
        if not isinstance(held, dict) or "command" not in held:
            return jsonc.put(text, (self.member, name), entry)
        variables = entry.pop("env", {}) if isinstance(held.get("env"), dict) else {}
        for key, value in entry.items():
            text = jsonc.put(text, (self.member, name, key), value)
        for variable, value in variables.items():
            text = jsonc.put(text, (self.member, name, "env", variable), value)
        return text

    def without_server(self, text: str, name: str) -> str:
        """Its file's *text* without the server."""
        return jsonc.drop(text, (self.member, name))


CLIENTS: dict[str, Client] = {
    "claude-desktop": Client(
        "Claude Desktop",
        {"linux": ("config", "Claude", "claude_desktop_config.json")},
        hint="quit it wholly and start it again",
    ),
    "claude-code": Client("Claude Code", {"linux": ("claude", ".claude.json")}, typed=True, hint="start a new session"),
    "cursor": Client("Cursor", {"linux": ("home", ".cursor", "mcp.json")}),
    "vscode": Client(
        "VS Code",
        {"linux": ("config", "Code", "User", "mcp.json")},
        member="servers",
        typed=True,
        hint="run “MCP: List Servers” and start it",
    ),
    "windsurf": Client("Windsurf", {"linux": ("home", ".codeium", "windsurf", "mcp_config.json")}),
    "zed": Client(
        "Zed",
        {
            "linux": ("config", "zed", "settings.json"),
            "macos": ("home", ".config", "zed", "settings.json"),
            "windows": ("config", "Zed", "settings.json"),
        },
        member="context_servers",
        hint="nothing else is needed",
    ),
}
OTHER = Client("any other client", {})
