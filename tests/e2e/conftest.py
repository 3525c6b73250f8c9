"""What the end-to-end tests share: the simulated upstream, and servers that are checked when their test is over."""

from __future__ import annotations

import base64
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest

from prioris_mcp.settings import Settings, load
from tests.e2e.process import FETCH, PARSE, Home, Server
from tests.replay import StandIn, running
from tests.replay.hosts import HANDLERS
from tests.replay.papers import DATA

SPACING = "PRIORIS_MCP_REQUEST_SPACING_SECONDS"
SAMPLE = (DATA / "pdf" / "sample-paper.pdf").read_bytes()
"""The PDF that the simulated arXiv has for every paper."""

LORA = "2106.09685v2"
OLD = "hep-th/9901001v3"


class Launch(Protocol):
    """Starts a server that is led to the simulated upstream."""

    def __call__(self, env: Mapping[str, str] | None = None, *, home: Home | None = None, **more: Any) -> Server:
        """A server with *env* over the usual environment, in *home* or in the test's own."""
        ...


@pytest.fixture(scope="session")
def upstream() -> Iterator[StandIn]:
    """The simulated upstream, one for all tests."""
    with running() as standin:
        yield standin


@pytest.fixture
def standin(upstream: StandIn) -> Iterator[StandIn]:
    """The simulated upstream as if new; a request to any other host fails the test."""
    upstream.reset()
    yield upstream
    assert {asked.host for asked in upstream.asked} <= set(HANDLERS)
    upstream.reset()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """The empty folders of a user."""
    return Home(tmp_path / "home")


@pytest.fixture
def env(standin: StandIn) -> dict[str, str]:
    """Leads a program to the simulated upstream, which may be asked often."""
    return environment(standin)


@pytest.fixture
def launch(home: Home, env: Mapping[str, str]) -> Iterator[Launch]:
    """Starts servers, and ends and checks them after the test."""
    with launching(home, env) as start:
        yield start


@pytest.fixture(scope="session")
def library(upstream: StandIn, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that many tests share, which holds LoRA as PDF and HTML and an old-style paper as PDF, all parsed."""
    with launching(Home(tmp_path_factory.mktemp("library")), environment(upstream)) as start:
        server = start()
        server.initialize()
        for identifier, kind in ((LORA, "pdf"), (LORA, "html"), (OLD, "pdf")):
            server.ok(FETCH, arxiv_id=identifier, format=kind)
            server.ok(PARSE, arxiv_id=identifier, format=kind)
        yield server


def environment(standin: StandIn) -> dict[str, str]:
    """Leads a program to *standin*, which may be asked often."""
    return {**standin.env(), SPACING: "0.05"}


@contextmanager
def launching(own: Home, usual: Mapping[str, str]) -> Iterator[Launch]:
    """Start servers that end with the block; none may have soiled its output or, unless killed, logged a traceback."""
    servers: list[Server] = []

    def start(env: Mapping[str, str] | None = None, *, home: Home | None = None, **more: Any) -> Server:
        servers.append(Server(home or own).start({**usual, **(env or {})}, **more))
        return servers[-1]

    try:
        yield start
    finally:
        for server in servers:
            server.stop()
    for server in servers:
        assert server.strays() == []
        assert server.killed or "Traceback" not in server.stderr, server.stderr


@pytest.fixture
def settings(home: Home, env: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> Settings:
    """What a program in *home* that is led to the simulated upstream reads from its environment."""
    for name, value in {**home.env(), **env}.items():
        monkeypatch.setenv(name, value)
    return load()


@pytest.fixture
def closed_port() -> int:
    """A port of this machine at which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def uri(identifier: str, kind: str, what: str) -> str:
    """The address of a stored document's ``fulltext`` or ``markdown``."""
    return f"research://arxiv/{identifier}/{kind}/{what}"


def pdf_of(server: Server, identifier: str) -> bytes:
    """The bytes of a stored PDF, as its resource gives them."""
    return base64.b64decode(server.read(uri(identifier, "pdf", "fulltext"))["blob"], validate=True)


def downloads(standin: StandIn, folder: str = "/pdf/") -> list[str]:
    """The documents that were asked for, in order."""
    return [asked.target for asked in standin.asked if asked.path.startswith(folder)]


def whole(read: Callable[[int], Mapping[str, Any]]) -> str:
    """A document's Markdown, read window by window from *read*, which is given the offset."""
    parts, offset = [], 0
    while True:
        window = read(offset)
        assert window["offset"] == offset
        parts.append(window["markdown"])
        offset += len(window["markdown"])
        if not window["has_more"]:
            assert offset == window["total_length"]
            return "".join(parts)
        assert window["markdown"], "an empty window that claims to have more"
