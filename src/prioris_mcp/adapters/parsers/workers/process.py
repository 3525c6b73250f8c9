"""One worker process as the server sees it: started, asked, and killed with everything it may have started."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
from collections.abc import Generator
from typing import Any

import anyio
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

from prioris_mcp.adapters.parsers.workers import protocol
from prioris_mcp.ports.parsing import Progress

_MODULE = "prioris_mcp.adapters.parsers.workers.worker"
_FAULTS = (
    anyio.BrokenResourceError,
    anyio.ClosedResourceError,
    anyio.EndOfStream,
    anyio.IncompleteRead,
    protocol.FrameError,
)
_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH|HEADERS|COOKIE|^PRIORIS_MCP_|^OTEL_", re.IGNORECASE)
"""Names of variables that may hold a secret; a worker gets its options with each job."""
_PROXY = re.compile(r"_PROXY$", re.IGNORECASE)
_OURSELVES = "localhost,127.0.0.1,::1"
_REAP_SECONDS = 10.0
_MAX_REPORTS = 100_000
"""More progress than any document can make; what comes next is then taken for an answer, and refused."""


class WorkerGoneError(Exception):
    """The worker ended, or answered with something that is not a frame, before it gave an answer."""


class WorkerProcess:
    """A running worker; it serves one job at a time."""

    def __init__(self, process: Process) -> None:
        """Wrap a started *process* whose standard input and output are pipes."""
        if process.stdin is None or process.stdout is None:
            raise ValueError("a worker needs pipes")
        self._process = process
        self._input = process.stdin
        self._answers = BufferedByteReceiveStream(process.stdout)
        self.served = 0

    @classmethod
    async def start(cls, idle_seconds: float, *, proxies: bool = False) -> WorkerProcess:
        """Start a worker that ends by itself after *idle_seconds* without a job.

        *proxies*: whether it may use the environment's, which can hold passwords.
        """
        command = [sys.executable, "-u", "-P", "-m", _MODULE, str(os.getpid()), str(idle_seconds)]
        # A session of its own: a terminal's Ctrl-C is for the server, and the whole group can be killed.
        # Not to be cancelled halfway, when there is a process that nobody holds yet.
        with anyio.CancelScope(shield=True):
            process = await anyio.open_process(
                command, stderr=None, env=_environment(proxies=proxies), start_new_session=True
            )
        return cls(process)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process is not known to have ended."""
        return self._process.returncode is None

    async def exit_code(self) -> int | None:
        """Return the exit code of a worker that is ending; None when it does not end soon."""
        with anyio.move_on_after(1):
            return await self._process.wait()
        return None

    async def ask(self, job: protocol.Header, content: bytes, progress: Progress) -> tuple[protocol.Header, bytes]:
        """Send one job and give its answer, reporting progress on the way; raises WorkerGoneError."""
        with _worker_faults():
            await self._input.send(protocol.pack_frame(job, content))
            header, body = await protocol.receive_frame(self._answers.receive_exactly)
        for _ in range(_MAX_REPORTS):
            if "progress" not in header:
                break
            # Outside of the translation: what the listener raises is no fault of the worker.
            await progress(*_steps(header["progress"]))
            with _worker_faults():
                header, body = await protocol.receive_frame(self._answers.receive_exactly)
        self.served += 1
        return header, body

    async def kill(self) -> None:
        """Kill the process group and reap the process; safe to call again, and not to be cancelled."""
        with anyio.CancelScope(shield=True), anyio.move_on_after(_REAP_SECONDS):
            if self.alive:
                self._signal()
            await self._process.wait()
            await self._process.aclose()

    def _signal(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()


@contextlib.contextmanager
def _worker_faults() -> Generator[None]:
    try:
        yield
    except _FAULTS as exc:
        raise WorkerGoneError from exc


def _environment(*, proxies: bool) -> dict[str, str]:
    """Return the server's environment without secrets, and its module path: a worker finds what the server finds.

    Together with ``-P`` this keeps the current folder out: a ``json.py`` there must not become the worker's own.
    No proxy stands between it and an OCR server on this machine.
    """
    direct = ",".join(filter(None, [os.environ.get("NO_PROXY") or os.environ.get("no_proxy"), _OURSELVES]))
    found = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "NO_PROXY": direct, "no_proxy": direct}
    kept = {name: value for name, value in os.environ.items() if not _SECRET.search(name)}
    return {**(kept if proxies else {name: kept[name] for name in kept if not _PROXY.search(name)}), **found}


def _steps(value: Any) -> tuple[int, int]:
    match value:
        case [int(done), int(total)]:
            return done, total
    raise WorkerGoneError("progress that is not two numbers")
