"""The real program as a child process that serves HTTP on loopback, spoken to in raw requests."""

from __future__ import annotations

import itertools
import json
import subprocess
from collections.abc import Mapping
from typing import Any, Self

import httpx2

from scripts.serving import free_port
from tests.e2e.process import COMMAND, MODERN, Home, envelope
from tests.e2e.waiting import until

ACCEPTED = "application/json, text/event-stream"


class WebServer:
    """A server process over streamable HTTP. It speaks the modern protocol."""

    def __init__(self, home: Home) -> None:
        home.root.mkdir(parents=True, exist_ok=True)
        self.home = home
        self._log = home.root / "stderr.log"
        self._ids = itertools.count(1)

    def start(self, env: Mapping[str, str] | None = None) -> Self:
        """Start it on a free port, and wait until it answers."""
        self.port = free_port()
        more = {"PRIORIS_MCP_TRANSPORT": "http", "PRIORIS_MCP_PORT": str(self.port), "PRIORIS_MCP_HOST": "127.0.0.1"}
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                COMMAND, env={**self.home.env(), **more, **(env or {})}, cwd=self.home.root, stdout=log, stderr=log
            )
        self.client = httpx2.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=60, trust_env=False)
        until(self._answers)
        return self

    @property
    def stderr(self) -> str:
        """What it has said so far."""
        return self._log.read_text("utf-8", "replace")

    def stop(self) -> None:
        """Whatever its state, leave no process behind."""
        self.client.close()
        self.process.kill()
        self.process.wait()

    def post(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx2.Response:
        """One request of the modern protocol; the bare answer."""
        name = str((params or {}).get("name") or (params or {}).get("uri") or "")
        sent = {"Accept": ACCEPTED, "Mcp-Protocol-Version": MODERN, "Mcp-Method": method}
        sent |= {"Mcp-Name": name} if name else {}
        sent |= {"Authorization": f"Bearer {token}"} if token else {}
        message = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": envelope(params)}
        sent |= {"Content-Type": "application/json", **(headers or {})}
        return self.client.post("/mcp", content=json.dumps(message).encode(), headers=sent)

    def call(self, tool: str, /, token: str | None = None, **arguments: Any) -> dict[str, Any]:
        """The result of a tool, be it a failure or not."""
        return result(self.post("tools/call", {"name": tool, "arguments": arguments}, token=token))

    def _answers(self) -> bool:
        assert self.process.poll() is None, self.stderr
        try:
            return bool(self.client.get("/healthz").status_code)
        except httpx2.TransportError:
            return False


def result(response: httpx2.Response) -> dict[str, Any]:
    """The result in an answer, whether it came as JSON or as the last of some events."""
    assert response.status_code == 200, response.text
    text = response.text
    if response.headers["content-type"].startswith("text/event-stream"):
        text = [line for line in text.splitlines() if line.startswith("data: ")][-1].removeprefix("data: ")
    found: dict[str, Any] = json.loads(text)["result"]
    return found
