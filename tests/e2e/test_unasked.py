"""Nobody is told that this program is there: what is imported asks no host for anything."""

from __future__ import annotations

import os
import socketserver
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

IMPORT_ALL = """
import importlib, importlib.util, os, pkgutil, sys
asked, loud = [], []
def watch(event, args):
    if event in ("socket.getaddrinfo", "socket.connect"):
        asked.append((event, str(args[-1])))
    # Libraries in C ask without Python's sockets: they must be silenced before they are there.
    if event == "import" and args[0] in ("onnxruntime", "huggingface_hub") and os.environ.get({switch!r}) != "1":
        loud.append(args[0])
sys.addaudithook(watch)
import prioris_mcp
for module in pkgutil.walk_packages(prioris_mcp.__path__, "prioris_mcp."):
    if not module.name.endswith("__main__"):
        try:
            importlib.import_module(module.name)
        except ImportError as exc:
            # Of an extra that is not installed, or of another system.
            assert exc.name and not exc.name.startswith("prioris_mcp"), exc
for name in {libraries!r}:
    if importlib.util.find_spec(name):
        importlib.import_module(name)
assert not asked and not loud, (asked, loud)
print(sorted(set({libraries!r}) & sys.modules.keys()))
"""
LIBRARIES = ("fastembed", "fastmcp", "huggingface_hub", "liteparse", "loguru", "lxml", "numpy", "onnxruntime",
             "opentelemetry", "pypdfium2", "tokenizers")  # fmt: skip
CONTROL = (
    "import urllib.request, contextlib\nwith contextlib.suppress(OSError): urllib.request.urlopen('https://a.invalid/')"
)


class Recorder(socketserver.ThreadingTCPServer):
    """A proxy that answers nothing, and keeps what it was asked for."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self) -> None:
        self.asked: list[str] = []
        super().__init__(("127.0.0.1", 0), Request)


class Request(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        line = self.rfile.readline(200).decode("latin-1").strip()
        assert isinstance(self.server, Recorder)
        self.server.asked.append(line)


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    """A recording proxy on this machine."""
    with Recorder() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def run(recorder: Recorder, code: str) -> str:
    """What *code* prints, in a new process that has no way out but the recorder and no switch set for it."""
    proxy = f"http://127.0.0.1:{recorder.server_address[1]}"
    switches = ("ORT_DISABLE_TELEMETRY", "HF_HUB_DISABLE_TELEMETRY", "DO_NOT_TRACK", "NO_PROXY", "no_proxy")
    env = {name: value for name, value in os.environ.items() if name not in switches}
    env |= {f"{name}_{end}": proxy for name, end in (("HTTPS", "PROXY"), ("HTTP", "PROXY"), ("ALL", "PROXY"))}
    env |= {name.lower(): value for name, value in env.items() if name.endswith("_PROXY")}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=env, check=True, capture_output=True, text=True, timeout=300).stdout


def test_the_recorder_sees_who_asks(recorder: Recorder) -> None:
    """Or the next test would show nothing."""
    run(recorder, CONTROL)
    assert [line.rpartition(" ")[0] for line in recorder.asked] == ["CONNECT a.invalid:443"]


def test_whatever_is_imported_asks_nobody(recorder: Recorder) -> None:
    """Every module of the package, and every library of the extras that is installed."""
    imported = run(recorder, IMPORT_ALL.format(libraries=LIBRARIES, switch="ORT_DISABLE_TELEMETRY"))
    assert "fastmcp" in imported
    assert recorder.asked == []
