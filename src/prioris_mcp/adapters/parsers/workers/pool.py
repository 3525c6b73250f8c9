"""A bounded number of worker processes that parse untrusted documents, each killed when it misbehaves."""

from __future__ import annotations

from collections.abc import Mapping

import anyio

from prioris_mcp.adapters.parsers.markdown.sanitize import sanitize
from prioris_mcp.adapters.parsers.workers import protocol
from prioris_mcp.adapters.parsers.workers.process import WorkerGoneError, WorkerProcess
from prioris_mcp.adapters.parsers.workers.protocol import DOCUMENT_KEPT, unpack_markdown
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.errors import ParseError
from prioris_mcp.ports.parsing import Progress

_CPU_EXIT = -24  # SIGXCPU
_SENTENCE_LIMIT = 500


class WorkerPool:
    """Runs parser functions in at most *at_once* processes, which are reused and end when idle."""

    def __init__(self, at_once: int, *, idle_seconds: float = 60.0, proxies: bool = False) -> None:
        """Start nothing yet: a process starts when the first document needs it.

        *proxies*: whether the processes may use the environment's.
        """
        if at_once < 1:
            raise ValueError("at_once must be 1 or more")
        self._slots = anyio.Semaphore(at_once)
        self._idle_seconds, self._proxies = idle_seconds, proxies
        self._idle: list[WorkerProcess] = []
        self._busy: set[WorkerProcess] = set()
        self._closed = False

    async def run(
        self,
        target: str,
        content: bytes,
        *,
        options: Mapping[str, object],
        seconds: float,
        memory: int,
        progress: Progress | None = None,
    ) -> Markdown:
        """Return what ``module:function`` *target* makes of *content*.

        *seconds* counts from when a process is free, *memory* is in bytes above what the process has at the start.
        Raises ParseError, whatever the document did to the process; that process is then gone.
        """
        job = {"target": target, "options": dict(options), "seconds": seconds, "memory": memory}
        async with self._slots:
            header, body = await self._within(seconds, job, content, progress or _silent)
        if header.get("out_of_memory"):
            raise ParseError(f"parsing needed more than {memory >> 20} MiB and was stopped; {DOCUMENT_KEPT}")
        if "error" in header:
            raise ParseError(sanitize(str(header["error"]))[:_SENTENCE_LIMIT])
        return unpack_markdown(header, body)

    async def aclose(self) -> None:
        """Kill and reap every process; calls that are running raise ParseError."""
        self._closed = True
        idle, self._idle = self._idle, []
        for worker in [*idle, *self._busy]:
            await worker.kill()

    async def _within(
        self, seconds: float, job: protocol.Header, content: bytes, progress: Progress
    ) -> tuple[protocol.Header, bytes]:
        with anyio.move_on_after(seconds):
            while True:
                worker = await self._take()
                reused = worker.served > 0
                answer = await self._ask(worker, job, content, progress)
                if not isinstance(answer, int | None):
                    return answer
                # An idle worker may end by itself just as it is asked: its next life gets the job.
                if answer != 0 or not reused or self._closed:
                    raise ParseError(_crash_sentence(answer, self._closed))
        raise ParseError(f"parsing took longer than {seconds:g} s and was stopped; {DOCUMENT_KEPT}")

    async def _ask(
        self, worker: WorkerProcess, job: protocol.Header, content: bytes, progress: Progress
    ) -> tuple[protocol.Header, bytes] | int | None:
        """Return the worker's answer, or the exit code of a worker that gave none."""
        reusable = False
        self._busy.add(worker)
        try:
            answer = await worker.ask(job, content, progress)
        except WorkerGoneError:
            return await worker.exit_code()
        else:
            reusable = not answer[0].get("retiring") and not self._closed
            return answer
        finally:
            # Also on cancellation: a parse that nobody waits for must not go on.
            await self._release(worker, reusable=reusable)

    async def _release(self, worker: WorkerProcess, *, reusable: bool) -> None:
        try:
            if reusable:
                self._idle.append(worker)
            else:
                await worker.kill()
        finally:
            # Not before: who closes the pool at the same time must wait for the end of this process too.
            self._busy.discard(worker)

    async def _take(self) -> WorkerProcess:
        while self._idle and not self._closed:
            worker = self._idle.pop()
            if worker.alive:
                return worker
            await worker.kill()
        if not self._closed:
            worker = await WorkerProcess.start(self._idle_seconds, proxies=self._proxies)
            if not self._closed:
                return worker
            await worker.kill()
        raise ParseError(f"the parsers have been shut down; {DOCUMENT_KEPT}")


async def _silent(_done: float, _total: float, /) -> None:
    """Report progress to nobody."""


def _crash_sentence(code: int | None, closed: bool) -> str:
    if closed:
        return f"the parsers were shut down before this document was done; {DOCUMENT_KEPT}"
    if code is None:
        return f"the parser answered with something unusable; {DOCUMENT_KEPT}"
    if code == _CPU_EXIT:
        return f"parsing used up its processor time and was stopped; {DOCUMENT_KEPT}"
    return f"the parser crashed on this document (exit {code}); {DOCUMENT_KEPT}"
