"""The real program as a child process, spoken to in raw JSON-RPC lines: no SDK that could hide a mistake."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import psutil

MODERN = "2026-07-28"
LEGACY = "2025-06-18"
PATIENCE = 60.0
"""Seconds after which a test gives an answer up; far beyond what any answer takes."""

SEARCH = "research_arxiv_search"
NEWEST = "research_arxiv_list_top_n"
METADATA = "research_arxiv_fetch_metadata"
FETCH = "research_arxiv_fetch_full_text"
PARSE = "research_arxiv_parse_full_text"
ERROR = "prioris-mcp/error"

COMMAND = (sys.executable, "-m", "prioris_mcp")
"""How the server is started here: with this interpreter, whatever is on the path."""
_KEPT = ("PATH", "PYTHONPATH", "SYSTEMROOT", "TMPDIR", "TEMP")
_ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "end-to-end tests", "version": "1"},
}
_WORKER = "prioris_mcp.adapters.parsers.workers.worker"


def envelope(params: Mapping[str, Any] | None, *, modern: bool = True) -> dict[str, Any]:
    """*params* with what the modern protocol wants beside them."""
    meta = {**(_ENVELOPE if modern else {}), **dict((params or {}).get("_meta", {}))}
    return {**(params or {}), "_meta": meta}


class RpcError(Exception):
    """A JSON-RPC error in place of a result."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(error["message"])
        self.code: int = error["code"]
        self.data: dict[str, Any] = error.get("data") or {}


@dataclass(frozen=True)
class Home:
    """A user's folders, empty at first."""

    root: Path

    @property
    def store(self) -> Path:
        """Where the library is, if nothing else is configured."""
        return self.root / "data" / "prioris-mcp" / "downloads"

    @property
    def state(self) -> Path:
        """Where the gates are, if nothing else is configured."""
        return self.root / "state" / "prioris-mcp"

    def env(self) -> dict[str, str]:
        """An environment with these folders and nothing else of ours."""
        kept = {name: value for name, value in os.environ.items() if name in _KEPT or name.startswith("COVERAGE_")}
        folders = {f"XDG_{kind.upper()}_HOME": str(self.root / kind) for kind in ("data", "state", "cache", "config")}
        return {**kept, "HOME": str(self.root), **folders}


class Server:
    """A server process over standard input and output. It speaks the modern protocol until `initialize` is called."""

    _numbers = itertools.count()

    def __init__(self, home: Home) -> None:
        home.root.mkdir(parents=True, exist_ok=True)
        self.home = home
        self.lines: list[bytes] = []
        self.notices: list[dict[str, Any]] = []
        self.log = home.root / f"stderr-{next(self._numbers)}.log"
        self._ids = itertools.count(1)
        self._asked: dict[int, Future[dict[str, Any]]] = {}
        self._lock = threading.Lock()
        self._ended = False
        self._modern = True
        self.killed = False

    # -- its life

    def start(
        self, env: Mapping[str, str] | None = None, *, cwd: Path | None = None, program: Sequence[str] = COMMAND
    ) -> Self:
        """Start the process with *env* over the home's own environment."""
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                program,
                env={**self.home.env(), **(env or {})},
                cwd=cwd or self.home.root,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
            )
        self._reader = threading.Thread(target=self._read_answers, daemon=True)
        self._reader.start()
        return self

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def stderr(self) -> str:
        """What the process has logged so far."""
        return self.log.read_text("utf-8", "replace")

    def workers(self) -> list[psutil.Process]:
        """The parser processes that it has started."""
        return [child for child in psutil.Process(self.pid).children() if is_worker(child)]

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self._process.send_signal(number)

    def kill(self, *, reap: bool = True) -> None:
        """SIGKILL. Unless *reap*, the dead process stays in the table, as when its parent is busy with something."""
        self.killed = True
        os.kill(self.pid, signal.SIGKILL)
        if reap:
            self.wait()

    def close(self) -> None:
        """End its standard input, as a client does that leaves."""
        assert self._process.stdin
        with suppress(BrokenPipeError):
            self._process.stdin.close()

    def wait(self, seconds: float = 20.0) -> int:
        """Its exit code, once all that it wrote has been read."""
        code = self._process.wait(seconds)
        self._reader.join(seconds)
        return code

    def stop(self) -> None:
        """Whatever its state, leave neither process nor pipe behind."""
        if self._process.poll() is None:
            self._process.kill()
        self.wait()
        self.close()
        assert self._process.stdout
        self._process.stdout.close()

    # -- talking to it

    def initialize(self, version: str = LEGACY) -> dict[str, Any]:
        """Shake hands as clients of the older protocol do; what it answers."""
        self._modern = False
        asked = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}}
        answer = self.request("initialize", asked)
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def submit(self, method: str, params: Mapping[str, Any] | None = None) -> Future[dict[str, Any]]:
        """Send a request without waiting; the future gives its result, RpcError, or ConnectionError."""
        number, future = self._expect()
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": envelope(params, modern=self._modern)}
        self._write(message)
        return future

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Send what gets no answer."""
        self._write({"jsonrpc": "2.0", "method": method, "params": envelope(params, modern=self._modern)})

    def raw(self, params: str, method: str = "tools/call") -> Future[dict[str, Any]]:
        """Send *params* as they are, which need not be JSON that anybody reads."""
        number, future = self._expect()
        self.write_line(f'{{"jsonrpc":"2.0","method":"{method}","params":{params},"id":{number}}}'.encode())
        return future

    def request(
        self, method: str, params: Mapping[str, Any] | None = None, seconds: float = PATIENCE
    ) -> dict[str, Any]:
        """The result of one request."""
        return self.submit(method, params).result(seconds)

    def begin(self, tool: str, /, **arguments: Any) -> Future[dict[str, Any]]:
        """Call a tool without waiting."""
        return self.submit("tools/call", {"name": tool, "arguments": arguments})

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The result of a tool, be it a failure or not."""
        return self.request("tools/call", {"name": tool, "arguments": dict(arguments)})

    def ok(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The structured content of a call that succeeds."""
        return structured(self.call(tool, arguments))

    def fails(self, tool: str, /, **arguments: Any) -> tuple[str, str]:
        """The code and the sentence of a call that fails."""
        return failure(self.call(tool, arguments))

    def read(self, uri: str) -> dict[str, Any]:
        """The one content of a resource."""
        (content,) = self.request("resources/read", {"uri": uri})["contents"]
        return dict(content)

    def strays(self) -> list[bytes]:
        """Lines on its standard output that are no JSON-RPC."""
        return [line for line in self.lines if not _is_message(line)]

    # -- the pipe

    def write_line(self, line: bytes) -> None:
        """Send *line*, whatever it is."""
        assert self._process.stdin
        with suppress(BrokenPipeError, ValueError):  # it has ended: the reader tells whoever waits
            self._process.stdin.write(line + b"\n")
            self._process.stdin.flush()

    def _write(self, message: Mapping[str, Any]) -> None:
        self.write_line(json.dumps(message).encode())

    def _expect(self) -> tuple[int, Future[dict[str, Any]]]:
        number, future = next(self._ids), Future[dict[str, Any]]()
        self.last_id = number
        with self._lock:
            self._asked[number] = future
            if self._ended:
                self._hang_up()
        return number, future

    def _read_answers(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self.lines.append(line)
            if _is_message(line):
                self._take(json.loads(line))
        with self._lock:
            self._ended = True
            self._hang_up()

    def _take(self, message: dict[str, Any]) -> None:
        with self._lock:
            future = self._asked.pop(message.get("id", 0), None)
        if future is None:
            self.notices.append(message)
        elif "error" in message:
            future.set_exception(RpcError(message["error"]))
        else:
            future.set_result(message["result"])

    def _hang_up(self) -> None:
        for future in self._asked.values():
            future.set_exception(ConnectionError("the server has ended"))
        self._asked.clear()


def structured(result: Mapping[str, Any]) -> dict[str, Any]:
    """The structured content of a result that is no failure."""
    assert not result.get("isError"), result["content"][0]["text"]
    content: dict[str, Any] = result["structuredContent"]
    return content


def failure(result: Mapping[str, Any]) -> tuple[str, str]:
    """The code and the sentence of a result that is a failure, which always has both."""
    assert result["isError"] is True, result
    data = result["_meta"][ERROR]
    assert data.keys() == {"code", "retryable"}
    return data["code"], result["content"][0]["text"]


def _is_message(line: bytes) -> bool:
    try:
        message = json.loads(line)
    except ValueError:
        return False
    return isinstance(message, dict) and message.get("jsonrpc") == "2.0"


def is_worker(process: psutil.Process) -> bool:
    """Whether it is one of the processes that parse."""
    try:
        return _WORKER in process.cmdline()
    except psutil.NoSuchProcess:
        return False
