"""The pool of worker processes: whatever a document does to a parser, only its own call fails."""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
import textwrap
from itertools import pairwise
from pathlib import Path

import anyio
import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prioris_mcp.adapters.parsers.markdown.sanitize import sanitize, sanitize_pages
from prioris_mcp.adapters.parsers.workers import protocol
from prioris_mcp.adapters.parsers.workers.pool import WorkerPool
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.errors import ParseError
from tests.unit.adapters.parsers.conftest import REPOSITORY, gone, until, workers
from tests.unit.adapters.parsers.workers.hostile import HERE

pytestmark = pytest.mark.anyio


async def run(pool: WorkerPool, name: str, content: bytes = b"", **more: object) -> Markdown:
    """Run a hostile function by name, with limits that a test can wait for."""
    progress = more.pop("progress", None)
    seconds = float(str(more.pop("seconds", 60)))
    return await pool.run(f"{HERE}:{name}", content, options=more, seconds=seconds, memory=1 << 30, progress=progress)  # type: ignore[arg-type]


async def test_text_comes_back(pool: WorkerPool) -> None:
    """A document's text arrives whole, with one leaf."""
    assert await run(pool, "echo", "naïve ≥ 注 😀".encode()) == Markdown.whole("naïve ≥ 注 😀")


async def test_pages_and_progress(pool: WorkerPool) -> None:
    """Pages stay apart, and every report of progress reaches the caller in order."""
    seen: list[tuple[float, float]] = []

    async def progress(done: float, total: float) -> None:
        await anyio.sleep(0)
        seen.append((done, total))

    result = await run(pool, "pages", pages=["a\n", "", "注\n"], progress=progress)
    assert result == Markdown.of_pages(["a\n", "", "注\n"])
    assert seen == [(1, 3), (2, 3), (3, 3)]


async def test_failing_listener_is_not_a_failing_parser(pool: WorkerPool) -> None:
    """What the listener to progress raises reaches the caller as it is, and the pool goes on."""

    async def progress(done: float, total: float) -> None:
        raise anyio.BrokenResourceError

    with pytest.raises(anyio.BrokenResourceError):
        await run(pool, "pages", pages=["a"], progress=progress)
    assert (await run(pool, "echo", b"next")).text == "next"


async def test_worker_is_reused(pool: WorkerPool) -> None:
    """Calls that follow each other share one process."""
    assert len({(await run(pool, "identify")).text for _ in range(3)}) == 1


async def test_a_worker_with_a_stuck_thread_is_not_reused(pool: WorkerPool) -> None:
    """What a parser could not end ends with its process."""
    lingering = int((await run(pool, "linger")).text)
    await until(lambda: gone(lingering))
    assert int((await run(pool, "identify")).text) != lingering


async def test_a_large_server_reuses_its_workers(pool: WorkerPool) -> None:
    """A worker is not old because the process that started it is large."""
    ballast = bytearray(os.urandom(1 << 20) * 600)
    assert len({(await run(pool, "identify")).text for _ in range(3)}) == 1
    assert len(ballast) > 512 << 20


async def test_large_documents_do_not_block(pool: WorkerPool) -> None:
    """Megabytes go both ways while the event loop keeps turning."""
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await anyio.sleep(0.001)
            ticks += 1

    async with anyio.create_task_group() as group:
        group.start_soon(tick)
        size = 24 << 20
        assert len((await run(pool, "echo", b"x" * size)).text) == size
        group.cancel_scope.cancel()
    assert ticks > 5


async def test_hanging_parse_is_stopped(pool: WorkerPool) -> None:
    """A parse that never ends fails at its deadline, its process is gone, and the next call is served."""
    with anyio.fail_after(20), pytest.raises(ParseError, match=r"parsing took longer than 1\.5 s and was stopped"):
        await run(pool, "hang", seconds=1.5)
    assert not workers()
    assert (await run(pool, "echo", b"next")).text == "next"


async def test_others_are_served_while_one_hangs(pool: WorkerPool) -> None:
    """A hanging parse does not keep another document from being parsed."""
    async with anyio.create_task_group() as group:
        group.start_soon(run, pool, "hang")
        with anyio.fail_after(20):
            assert (await run(pool, "echo", b"meanwhile")).text == "meanwhile"
        group.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("leave", {"code": 3}, "the parser crashed on this document (exit 3)"),
        ("leave", {"code": 0}, "the parser crashed on this document (exit 0)"),
        ("segfault", {}, "the parser crashed on this document (exit -11)"),
        ("swallow", {}, "parsing needed more than 1024 MiB and was stopped"),
        ("refuse", {}, "the document is empty \ufffd"),
        ("blunder", {}, "the parser failed on this document (FileNotFoundError)"),
        ("recurse", {}, "the document is nested too deeply to be parsed"),
        ("missing", {}, "the parser failed on this document (AttributeError)"),
    ],
)
async def test_failures_are_sentences(pool: WorkerPool, name: str, options: dict[str, object], sentence: str) -> None:
    """Every way to fail is one ParseError sentence without a path, and the next call succeeds."""
    with pytest.raises(ParseError) as caught:
        await run(pool, name, **options)
    assert str(caught.value).startswith(sentence)
    assert "/" not in str(caught.value)
    assert (await run(pool, "echo", b"next")).text == "next"


async def test_cancelled_call_kills_its_worker(pool: WorkerPool, tmp_path: Path) -> None:
    """A caller that goes away takes its worker with it, and what that worker had started."""
    note = tmp_path / "pid"
    async with anyio.create_task_group() as group:
        group.start_soon(run, pool, "breed", str(note).encode())
        await until(lambda: note.exists() and bool(note.read_text()))
        group.cancel_scope.cancel()
    assert not workers()
    await until(lambda: gone(int(note.read_text())))


async def test_prints_do_not_reach_the_pipe(pool: WorkerPool) -> None:
    """What a library writes to standard output corrupts neither this answer nor the next."""
    assert (await run(pool, "chatter")).text == "quiet"
    assert (await run(pool, "echo", b"next")).text == "next"


async def test_text_is_cleaned(pool: WorkerPool) -> None:
    """Surrogates, control characters and reordering marks go, and the leaves fit what is left."""
    assert await run(pool, "dirty") == Markdown.of_pages(["a\ufffdbc[0m\n", "def\ng\n"])


@pytest.mark.parametrize(
    "forged",
    [
        struct.pack(">I", 0xFFFFFFFF),
        struct.pack(">I", 4) + b"null",
        struct.pack(">I", 3) + b"{}!",
        protocol.pack_frame({"ok": True}),
        protocol.pack_frame({"ok": True, "paged": True, "leaves": [[0, 5]]}, b"abc"),
        protocol.pack_frame({"ok": True, "paged": True, "leaves": [[0, 2], [1, 2]]}, b"abc"),
        protocol.pack_frame({"ok": True, "paged": False, "leaves": [[0, 1]]}, b"\xff"),
        protocol.pack_frame({"ok": True, "paged": False, "leaves": "abc"}, b"abc"),
        protocol.pack_frame({"progress": "everything"}),
    ],
)
async def test_forged_answers_are_refused(pool: WorkerPool, forged: bytes) -> None:
    """Bytes that a subverted parser sends in place of an answer end in a ParseError, not in the server's code."""
    with anyio.fail_after(20), pytest.raises(ParseError, match="the parser answered with"):
        await run(pool, "forge", forged)


async def test_no_more_than_at_once() -> None:
    """Only as many processes run as the pool may have, and waiting for one does not count as parsing."""
    pool = WorkerPool(1)
    spans: list[tuple[float, float]] = []

    async def nap() -> None:
        start, end = await _nap(pool)
        spans.append((float(start), float(end)))

    async with anyio.create_task_group() as group:
        for _ in range(4):
            group.start_soon(nap)
    await pool.aclose()
    ordered = sorted(spans)
    assert all(before[1] <= after[0] for before, after in pairwise(ordered))
    assert not workers()


async def _nap(pool: WorkerPool) -> list[str]:
    options = {"seconds": 0.6}
    answer = await pool.run(f"{HERE}:nap", b"", options=options, seconds=2.2, memory=1 << 30)
    return answer.text.split()


async def test_idle_worker_ends_by_itself() -> None:
    """A worker without work ends, leaves no zombie, and the next call gets a new one."""
    pool = WorkerPool(1, idle_seconds=0.3)
    first = (await run(pool, "identify")).text
    await until(lambda: gone(int(first)))
    assert (await run(pool, "identify")).text != first
    await pool.aclose()
    assert not workers()


async def test_current_folder_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file named like a standard module in the folder the server runs in is not imported."""
    for name in ("json", "colorsys"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError\n")
    monkeypatch.chdir(tmp_path)
    pool = WorkerPool(1)
    assert str(tmp_path) not in (await run(pool, "modules")).text
    await pool.aclose()


def test_the_server_imports_no_parsing_library() -> None:
    """Importing all that the server uses loads neither lxml nor liteparse."""
    script = (
        "import sys, prioris_mcp.adapters.parsers.workers.backends\n"
        "assert not {'lxml', 'liteparse', 'prioris_mcp.adapters.parsers.html'} & set(sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    subprocess.run([sys.executable, "-c", script], env=environment, check=True, timeout=60)


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is POSIX")
@pytest.mark.parametrize("name", ["hang", "spin"])
async def test_no_orphan_after_kill_of_the_server(tmp_path: Path, name: str) -> None:
    """A server that is killed during a hanging parse takes the worker with it, even one stuck in native code."""
    if name == "spin" and sys.platform != "linux":
        pytest.skip("only Linux can kill a worker that holds its interpreter")
    note = tmp_path / "pid"
    script = f"""
        import anyio
        from prioris_mcp.adapters.parsers.workers.pool import WorkerPool
        anyio.run(lambda: WorkerPool(1).run("{HERE}:{name}", {str(note).encode()!r},
            options={{}}, seconds=300, memory=1 << 30))
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [*sys.path, str(REPOSITORY)]))}
    server = subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)], env=environment)
    try:
        await until(lambda: note.exists() and bool(note.read_text()))
        worker = psutil.Process(int(note.read_text()))
        assert worker.ppid() == server.pid
    finally:
        server.send_signal(signal.SIGKILL)
        server.wait()
    await until(lambda: gone(worker.pid))


@given(st.lists(st.text(st.characters(), max_size=30), min_size=1, max_size=6))
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_leaves_partition_any_text(pages: list[str]) -> None:
    """Whatever the pages hold, the cleaned leaves cover the cleaned text without gap or overlap, one a page."""
    result = sanitize_pages(Markdown.of_pages(pages))
    assert [result.text[leaf.start : leaf.end] for leaf in result.leaves] == [sanitize(page) for page in pages]
    assert sum(leaf.length for leaf in result.leaves) == len(result.text)
    assert sanitize(result.text) == result.text
    result.text.encode("utf-8")


def test_at_once_must_be_positive() -> None:
    """A pool without processes is refused where it is made."""
    with pytest.raises(ValueError, match="at_once"):
        WorkerPool(0)
