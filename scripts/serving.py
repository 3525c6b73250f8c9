"""The real server as a process of its own for checks and measurements, and raw connections to it.

Every server gets a home of its own and is led to the stand-in for the network, so that nothing of the user's is read
and nobody on the network is asked. The connections speak plain JSON-RPC: no SDK that could hide a mistake.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from tests.replay import StandIn
from tests.replay.openalex import KEY

MODERN, LEGACY = "2026-07-28", "2025-11-25"
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "checks", "version": "1"},
}
_START_SECONDS = 60.0
_END_SECONDS = 20.0
_LONGEST_NAME = 1000
_CLIENT = {"capabilities": {}, "clientInfo": {"name": "checks", "version": "1"}}
_KEPT = ("PATH", "PYTHONPATH", "SYSTEMROOT", "TMPDIR", "TEMP")
PRODUCT = (sys.executable, "-m", "prioris_mcp")


def environment(home: Path, stand_in: StandIn, **more: str) -> dict[str, str]:
    """What leads a server to *home* and to *stand_in*, which may be asked often."""
    home.mkdir(parents=True, exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if name in _KEPT}
    folders = {f"XDG_{kind.upper()}_HOME": str(home / kind) for kind in ("data", "state", "cache", "config")}
    ours = {"PRIORIS_MCP_REQUEST_SPACING_SECONDS": "0.01", "PRIORIS_MCP_OPENALEX_API_KEY": KEY, **more}
    return {**kept, **folders, "HOME": str(home), **stand_in.env(), **ours}


@dataclass(frozen=True)
class Served:
    """A server process that listens on loopback."""

    process: subprocess.Popen[bytes]
    url: str
    log: Path


@contextmanager
def listening(env: Mapping[str, str], log: Path, command: Sequence[str] = PRODUCT) -> Iterator[Served]:
    """*command* as a server over HTTP, until the block ends; what it logs goes to *log*."""
    port = free_port()
    settings = {"TRANSPORT": "http", "HOST": "127.0.0.1", "PORT": str(port)}
    env = {**env, **{f"PRIORIS_MCP_{name}": value for name, value in settings.items()}}
    with log.open("wb") as written:
        process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=written, stderr=written)
    try:
        _await_port(process, port, log)
        yield Served(process, f"http://127.0.0.1:{port}/mcp", log)
    finally:
        process.terminate()
        try:
            process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def free_port() -> int:
    """A port that nobody listens on, of those that the settings take and that no connection is given by chance."""
    for port in random.sample(range(20_000, 32_000), 100):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise SystemExit("no port of this machine is free")


def _await_port(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise SystemExit(f"the server did not start:\n{log.read_text('utf-8', 'replace')}")


class HttpConnection:
    """One client of a server over HTTP, of either era of the protocol."""

    def __init__(self, url: str, *, modern: bool, seconds: float = 120.0) -> None:
        self._url, self.modern = url, modern
        self._ids = itertools.count(1)
        self._headers: dict[str, str] = {}
        self._http = httpx2.AsyncClient(timeout=seconds, trust_env=False)

    async def open(self) -> None:
        """Shake hands, where that is the custom."""
        if self.modern:
            self._headers = {"Mcp-Protocol-Version": MODERN}
            return
        answer = await self._post(self._body("initialize", json.dumps({"protocolVersion": LEGACY, **_CLIENT})), {})
        self._headers = {"Mcp-Protocol-Version": LEGACY}
        if session := answer.headers.get("mcp-session-id"):
            self._headers["Mcp-Session-Id"] = session
        await self._post('{"jsonrpc":"2.0","method":"notifications/initialized"}', {})

    async def close(self) -> None:
        """Hang up."""
        await self._http.aclose()

    async def request(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """The message that answers: with ``result`` or with ``error``."""
        return await self.raw(method, self.params(params), str(params.get("name") or params.get("uri") or ""))

    async def raw(self, method: str, params: str, name: str = "") -> dict[str, Any]:
        """The same with *params* as they are; *name* is for the header that modern servers want."""
        fits = name.isascii() and name.isprintable() and name == name.strip() and len(name) < _LONGEST_NAME
        named = {"Mcp-Name": name} if name and fits else {}
        answer = await self._post(self._body(method, params), {"Mcp-Method": method, **named} if self.modern else {})
        messages = list(_messages(answer))
        return messages[-1] if messages else {"error": {"code": answer.status_code, "message": answer.text}}

    def params(self, params: Mapping[str, Any]) -> str:
        """*params* as JSON, with what each request of the newer protocol says."""
        return json.dumps({**params, "_meta": ENVELOPE} if self.modern else params)

    def _body(self, method: str, params: str) -> str:
        return f'{{"jsonrpc":"2.0","id":{next(self._ids)},"method":"{method}","params":{params}}}'

    async def _post(self, body: str, more: Mapping[str, str]) -> httpx2.Response:
        fixed = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        return await self._http.post(self._url, content=body.encode(), headers={**fixed, **self._headers, **more})


def _messages(answer: httpx2.Response) -> Iterator[dict[str, Any]]:
    """The answers in a body, be it JSON or a stream of events."""
    if answer.headers.get("content-type", "").startswith("text/event-stream"):
        lines = [line.removeprefix("data:") for line in answer.text.split("\n") if line.startswith("data:")]
    else:
        lines = [answer.text]
    for line in lines:
        with suppress(ValueError):
            message = json.loads(line)
            if isinstance(message, dict) and message.get("jsonrpc") and {"result", "error"} & message.keys():
                yield message
