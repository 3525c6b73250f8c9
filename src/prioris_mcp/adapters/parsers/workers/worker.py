"""The worker process: reads jobs from its standard input, parses, and writes answers to its standard output.

It trusts the server and not the document; the server trusts neither it nor what it answers.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from typing import BinaryIO

from prioris_mcp.adapters.parsers.markdown.sanitize import sanitize, sanitize_pages
from prioris_mcp.adapters.parsers.workers import protocol, rlimits
from prioris_mcp.adapters.parsers.workers.protocol import pack_markdown
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.errors import ParseError

IDLE_SECONDS = 60.0
MAX_JOBS = 200
MAX_RESIDENT = 512 << 20
"""Bytes: a worker that ever needed more gives its memory back by ending."""

Function = Callable[[bytes, dict[str, object], Callable[[int, int], None]], Markdown]
Job = tuple[protocol.Header, bytes]

_THREADS = 2
"""The main one and the lifeline: any other is one that a parser could not end."""
_DEPTH_SENTENCE = "the document is nested too deeply to be parsed"


def main(parent: int, idle_seconds: float = IDLE_SECONDS) -> None:
    """Serve jobs until the server goes away, nothing comes for *idle_seconds*, or this process has grown old."""
    rlimits.die_with(parent)
    rlimits.no_core_dumps()
    source, answers = _private_pipes()
    jobs = _lifeline(source)
    for served in range(1, MAX_JOBS + 1):
        try:
            job = jobs.get(timeout=idle_seconds)
        except queue.Empty:
            return
        if _serve(job, answers, last=served == MAX_JOBS):
            return


def _private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Keep the pipes for frames: what a library prints goes to standard error, and what it reads is empty."""
    source, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # the server has no standard error
        os.dup2(nowhere, 1)
    os.close(nowhere)
    return source, answers


def _lifeline(source: BinaryIO) -> queue.SimpleQueue[Job]:
    """Read jobs in a thread that ends the whole process as soon as the server's end of the pipe closes."""
    jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()

    def read() -> None:
        try:
            while True:
                jobs.put(protocol.read_frame(source))
        finally:
            os._exit(0)

    threading.Thread(target=read, name="lifeline", daemon=True).start()
    return jobs


def _serve(job: Job, answers: BinaryIO, *, last: bool) -> bool:
    """Answer one job; tells whether this process should end now."""
    header, body = _answer(job, lambda done, total: _send(answers, {"progress": [done, total]}))
    rlimits.release_memory()
    stuck = threading.active_count() > _THREADS
    retiring = last or stuck or "out_of_memory" in header or rlimits.peak_memory() > MAX_RESIDENT
    _send(answers, {**header, "retiring": retiring}, body)
    return retiring


def _send(answers: BinaryIO, header: protocol.Header, body: bytes = b"") -> None:
    try:
        answers.write(protocol.pack_frame(header, body))
        answers.flush()
    except BrokenPipeError:  # the server was killed: nobody wants to hear more
        os._exit(0)


def _answer(job: Job, progress: Callable[[int, int], None]) -> Job:
    header, content = job
    try:
        rlimits.hold_to(header["memory"], header["seconds"])
        return pack_markdown(sanitize_pages(_function(header["target"])(content, header["options"], progress)))
    except ParseError as exc:
        return {"error": sanitize(str(exc))}, b""
    except RecursionError:
        return {"error": _DEPTH_SENTENCE}, b""
    except MemoryError:
        return {"out_of_memory": True, "error": "parsing needed too much memory"}, b""
    except Exception as exc:  # noqa: BLE001 - whatever a library raises, the server gets a sentence
        # The type only: a message may hold paths of this machine or the document's own text.
        return {"error": f"the parser failed on this document ({type(exc).__name__})"}, b""


def _function(target: str) -> Function:
    module, _, name = target.partition(":")
    function: Function = getattr(import_module(module), name)
    return function


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
