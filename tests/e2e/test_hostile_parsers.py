"""Documents that ruin their parser: one call fails, the library goes on, and no process stays behind."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.to_thread
import psutil
import pytest

from prioris_mcp.adapters.parsers.workers.backends import IsolatedParser
from prioris_mcp.adapters.parsers.workers.pool import WorkerPool
from prioris_mcp.app.services import Services
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Window
from prioris_mcp.errors import ParseError
from prioris_mcp.settings import Settings
from prioris_mcp.wiring import open_services
from tests.e2e.conftest import LORA, SAMPLE
from tests.e2e.process import Home, is_worker
from tests.e2e.terminal import listed

pytestmark = pytest.mark.anyio
HOSTILE = "tests.unit.adapters.parsers.workers.hostile"
DEADLINE = 2.0
LATE = 15.0
"""Seconds in which a failure must have come: the deadline, and what a busy machine adds."""
OPTIONS = {"seconds": 3600, "code": 7}
"""For how long to hang, and how to exit."""
KEY = DocumentKey(ProviderName("arxiv"), LORA, SourceFormat.PDF)
WAYS = {"hangs": "nap", "crashes": "segfault", "takes eight GiB": "swallow", "exits": "leave"}


@asynccontextmanager
async def _library(settings: Settings, function: str, seconds: float = DEADLINE) -> AsyncIterator[Services]:
    """A library with one PDF, whose parser is *function*; at its end no process may be left."""
    before = set(psutil.Process().children(recursive=True))
    pool = WorkerPool(1)
    parser = IsolatedParser(pool, f"{HOSTILE}:{function}", "hostile", seconds=seconds, memory=1 << 30, options=OPTIONS)
    async with open_services(settings, parsers={SourceFormat.PDF: parser}) as services:
        try:
            await services.fetch(KEY.provider, KEY.identifier, KEY.format)
            yield services
        finally:
            await pool.aclose()
    assert set(psutil.Process().children(recursive=True)) <= before


async def _listed(home: Home, env: dict[str, str]) -> list[dict[str, Any]]:
    return await anyio.to_thread.run_sync(listed, home, env)


async def _parse(services: Services) -> str:
    """The sentence with which parsing fails."""
    with anyio.fail_after(LATE), pytest.raises(ParseError) as caught:
        await services.parse(KEY.provider, KEY.identifier, KEY.format, Window())
    assert caught.value.code == "parse_failed"
    return str(caught.value)


@pytest.mark.parametrize("function", WAYS.values(), ids=WAYS)
async def test_hostile_document_fails_its_call(settings: Settings, function: str) -> None:
    """A document that hangs, crashes, or fills the memory of its parser is parse_failed in time, and is kept."""
    async with _library(settings, function) as services:
        sentence = await _parse(services)
        assert sentence.endswith("the stored document is kept")
        assert await services.library.document(KEY) == SAMPLE


async def test_failed_parse_stores_no_text(settings: Settings, home: Home, env: dict[str, str]) -> None:
    """After a failed parse the library lists the document, and nothing else of it."""
    async with _library(settings, "segfault") as services:
        await _parse(services)
        assert [entry["artefact"] for entry in await _listed(home, env)] == ["document"]


async def test_library_answers_during_a_hanging_parse(settings: Settings, home: Home, env: dict[str, str]) -> None:
    """While a parse hangs, lists and reads are answered."""
    async with _library(settings, "nap", seconds=60) as services, anyio.create_task_group() as group:
        group.start_soon(services.parse, KEY.provider, KEY.identifier, KEY.format, Window())
        await _until_working()
        with anyio.fail_after(LATE):
            assert await services.library.document(KEY) == SAMPLE
            entries = await _listed(home, env)
        assert len(entries) == 1
        assert _workers(), "the parse was over before the library had answered"
        group.cancel_scope.cancel()


async def test_next_document_is_parsed(settings: Settings) -> None:
    """A parse after one that hung starts anew, and ends at its own deadline."""
    async with _library(settings, "nap") as services:
        first = await _parse(services)
        assert await _parse(services) == first


async def test_cancelled_parse_leaves_nothing(settings: Settings) -> None:
    """A caller that goes away during a parse takes the process with it, and the document may be parsed again."""
    async with _library(settings, "nap") as services:
        async with anyio.create_task_group() as group:
            group.start_soon(services.parse, KEY.provider, KEY.identifier, KEY.format, Window())
            await _until_working()
            group.cancel_scope.cancel()
        assert _workers() == []
        assert "took longer" in await _parse(services)


@pytest.mark.parametrize("moment", [0.0, 0.001, 0.003, 0.01, 0.03])
async def test_parse_cancelled_at_its_start_leaves_nothing(settings: Settings, moment: float) -> None:
    """Also where the process is only just being started."""
    async with _library(settings, "nap") as services:
        async with anyio.create_task_group() as group:
            group.start_soon(services.parse, KEY.provider, KEY.identifier, KEY.format, Window())
            await anyio.sleep(moment)
            group.cancel_scope.cancel()
        assert _workers() == []


def _workers() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if is_worker(child)]


async def _until_working() -> None:
    with anyio.fail_after(LATE):
        while not _workers():
            await anyio.sleep(0.01)
