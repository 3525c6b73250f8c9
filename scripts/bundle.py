"""What is handed out: the wheel, an MCP bundle (`.mcpb`) around it, and the manifests `server.json` and `fastmcp.json`.

    python -m scripts.bundle                        writes all of it to dist/
    python -m scripts.bundle --address URL --name io.github.someone/prioris-mcp
                                                    ... for the folder of the web where the bundle will be published

Nothing of it names the package to an index: the bundle carries the wheel and installs that file. What the wheel depends
on is pinned as in requirements/semantic.txt, and fetched by uv at the first start.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prioris_mcp import __version__

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements" / "semantic.txt"
PYTHON = ">=3.11,<3.14"
UNPUBLISHED = "local/prioris-mcp"
SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
FASTMCP_SCHEMA = "https://gofastmcp.com/public/schemas/fastmcp.json/v1.json"
VALIDATOR = "@anthropic-ai/mcpb@2.1.2"
SHORT = "Find, fetch, read, search and cite research papers: arXiv, Europe PMC, OpenAlex, your own PDFs."
KEY = "PRIORIS_MCP_OPENALEX_API_KEY"
_WHEN = (1980, 1, 1, 0, 0, 0)
_START = '''\
"""Starts the server from this bundle; `server` is for programs that run FastMCP servers by themselves."""

import sys

from prioris_mcp.cli import main
from prioris_mcp.cli.fastmcp_entry import server  # noqa: F401

if __name__ == "__main__":
    sys.exit(main())
'''


@dataclass(frozen=True, slots=True)
class Published:
    """Where the bundle will be had, and the name it is registered under; both unknown until somebody publishes it."""

    address: str = ""
    name: str = UNPUBLISHED


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=ROOT / "dist", metavar="DIR")
    parser.add_argument("--address", default="", metavar="URL", help="folder of the web where the bundle will be")
    parser.add_argument("--name", default=UNPUBLISHED, help="the server's name in a registry of MCP servers")
    options = parser.parse_args()
    for path in build(options.to, Published(options.address.rstrip("/"), options.name)):
        print(f"{path.stat().st_size:9,} bytes  {path}")
    return validate(options.to / "prioris-mcp.mcpb")


def build(folder: Path, published: Published | None = None) -> list[Path]:
    """Everything, made anew in *folder*. The same sources give the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    wheel = _wheel(folder)
    bundle = folder / "prioris-mcp.mcpb"
    _pack(bundle, contents(wheel))
    manifest = folder / "server.json"
    manifest.write_text(_json(server_json(bundle, published or Published())), "utf-8")
    return [wheel, bundle, manifest]


def contents(wheel: Path) -> dict[str, bytes]:
    """The bundle's files."""
    texts = {
        "manifest.json": _json(manifest()),
        "pyproject.toml": pyproject(wheel.name),
        "fastmcp.json": _json(fastmcp_json()),
        "server.py": _START,
        "README.md": (ROOT / "README.md").read_text("utf-8"),
        "LICENSE": (ROOT / "LICENSE").read_text("utf-8"),
    }
    return {name: text.encode("utf-8") for name, text in texts.items()} | {wheel.name: wheel.read_bytes()}


def manifest() -> dict[str, Any]:
    """For clients that install bundles, as MCPB 0.4 has it."""
    return {
        "manifest_version": "0.4",
        "name": "prioris-mcp",
        "display_name": "PriorisMCP",
        "version": __version__,
        "description": SHORT,
        "long_description": _project()["description"],
        "author": {"name": "The PriorisMCP authors"},
        "license": "MIT",
        "keywords": _project()["keywords"],
        "server": {
            "type": "uv",
            "entry_point": "server.py",
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--quiet", "--directory", "${__dirname}", "server.py"],
                "env": {KEY: "${user_config.openalex_api_key}"},
            },
        },
        "tools": [{"name": tool["name"], "description": _first(tool["description"])} for tool in _tools()],
        "compatibility": {"platforms": ["darwin", "win32", "linux"], "runtimes": {"python": PYTHON}},
        "user_config": {
            "openalex_api_key": {
                "type": "string",
                "title": "OpenAlex key",
                "description": "For discovery by meaning across all fields; everything else works without.",
                "sensitive": True,
                "required": False,
                "default": "",  # without it clients leave the placeholder where the key belongs
            }
        },
    }


def server_json(bundle: Path, published: Published) -> dict[str, Any]:
    """For registries of MCP servers. Until an address is known it describes the server and offers no package."""
    found: dict[str, Any] = {
        "$schema": SCHEMA,
        "name": published.name,
        "title": "PriorisMCP",
        "description": SHORT,
        "version": __version__,
    }
    if published.address:
        key = {"name": KEY, "description": "Key for OpenAlex; discovery needs one.", "isSecret": True}
        found["packages"] = [
            {
                "registryType": "mcpb",
                "identifier": f"{published.address}/{bundle.name}",
                "version": __version__,
                "fileSha256": hashlib.sha256(bundle.read_bytes()).hexdigest(),
                "transport": {"type": "stdio"},
                "environmentVariables": [key],
            }
        ]
    return found


def fastmcp_json() -> dict[str, Any]:
    """For `fastmcp run`, in the folder of the unpacked bundle."""
    return {
        "$schema": FASTMCP_SCHEMA,
        "source": {"type": "filesystem", "path": "server.py", "entrypoint": "server"},
        "environment": {"type": "uv", "project": "."},
        "deployment": {"transport": "stdio"},
    }


def pyproject(wheel: str) -> str:
    """The bundle as a project of uv: the wheel beside it, and every dependency at its pinned version."""
    lines = "\n".join(f"    {json.dumps(requirement)}," for requirement in ("prioris-mcp[semantic]", *pins()))
    return f"""\
[project]
name = "prioris-mcp-bundle"
version = "{__version__}"
requires-python = "{PYTHON}"
dependencies = [
{lines}
]

[tool.uv]
package = false

[tool.uv.sources]
prioris-mcp = {{ path = {json.dumps(wheel)} }}
"""


def pins() -> list[str]:
    """The locked requirements without their hashes."""
    lines = LOCK.read_text("utf-8").splitlines()
    return [line.removesuffix("\\").strip() for line in lines if line[:1].isalnum()]


def validate(bundle: Path) -> int:
    """Whether the publisher's own tool takes the bundle's manifest; says so where it cannot be asked."""
    npm = shutil.which("npm")
    if npm is None:
        print("not validated: npm is not here")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        unpack(bundle, Path(folder))
        command = [npm, "exec", "--yes", f"--package={VALIDATOR}", "--", "mcpb", "validate", "manifest.json"]
        return subprocess.run(command, cwd=folder, check=False).returncode


def unpack(archive: Path, folder: Path) -> None:
    """The files of a bundle or a wheel into *folder*."""
    with zipfile.ZipFile(archive) as files:
        files.extractall(folder)


def _wheel(folder: Path) -> Path:
    for old in folder.glob("prioris_mcp-*.whl"):
        old.unlink()
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = folder.glob("prioris_mcp-*.whl")
    return wheel


def _pack(bundle: Path, files: Mapping[str, bytes]) -> None:
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            member = zipfile.ZipInfo(name, _WHEN)
            member.external_attr = 0o644 << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, files[name])


def _project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return found


def _tools() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((ROOT / "tests" / "snapshots" / "tools.json").read_text("utf-8"))
    return found


def _first(description: str) -> str:
    """Its first paragraph, on one line."""
    return " ".join(description.split("\n\n", maxsplit=1)[0].split())


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main())
