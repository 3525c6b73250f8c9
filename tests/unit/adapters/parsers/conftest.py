"""What the tests of the parsers share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import anyio
import psutil
import pytest

from prioris_mcp.adapters.parsers.workers.pool import WorkerPool
from tests.corpus import SHARED

REPOSITORY = Path(__file__).resolve().parents[4]
_WORKER = "prioris_mcp.adapters.parsers.workers.worker"


@pytest.fixture
def anyio_backend() -> str:
    """Run on asyncio, as the server does."""
    return "asyncio"


@pytest.fixture
async def pool() -> AsyncIterator[WorkerPool]:
    """A pool of two workers, which leaves no process behind."""
    pool = WorkerPool(2)
    try:
        yield pool
    finally:
        await pool.aclose()
        assert not workers()


def workers() -> list[psutil.Process]:
    """The worker processes of this process, zombies included."""
    return [child for child in psutil.Process().children() if not _foreign(child)]


def _foreign(child: psutil.Process) -> bool:
    try:
        return child.status() != psutil.STATUS_ZOMBIE and not any(
            "parsers.workers.worker" in part for part in child.cmdline()
        )
    except psutil.NoSuchProcess:
        return True


async def until(holds: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait until a condition holds; fails when it does not in time."""
    with anyio.fail_after(seconds):
        while not holds():
            await anyio.sleep(0.02)


def gone(pid: int) -> bool:
    """Whether a process has ended, a zombie counting as ended."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


@pytest.fixture
def cases() -> Path:
    """The folder of acceptance cases, which is not part of this repository."""
    folder = SHARED / "cases"
    if not folder.is_dir():
        pytest.skip("the folder of acceptance cases is not here (PRIORIS_CORPUS)")
    return folder
