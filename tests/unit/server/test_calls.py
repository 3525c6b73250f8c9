"""The line that each call leaves in the log."""

from __future__ import annotations

import asyncio
import itertools
import logging
from types import SimpleNamespace

import pytest
from fastmcp.tools import ToolResult

from prioris_mcp.server.middleware.errors import META
from prioris_mcp.server.middleware.logging import CallLoggingMiddleware

pytestmark = pytest.mark.anyio


@pytest.fixture
def line(caplog):
    """A function that has a call logged, and gives the line and its fields; each call takes a quarter of a second."""
    caplog.set_level(logging.INFO, "prioris_mcp")
    clock = itertools.count(step=0.25)

    async def logged(answer, name: str = "research_find"):
        async def call_next(_):
            return answer() if callable(answer) else answer

        context = SimpleNamespace(message=SimpleNamespace(name=name))
        try:
            await CallLoggingMiddleware(lambda: next(clock)).on_call_tool(context, call_next)
        finally:
            (record,) = caplog.records
        return record.getMessage(), record.fields

    return logged


async def test_a_call_that_succeeds(line):
    """Name, milliseconds, ok; as text and as fields."""
    said, fields = await line(ToolResult(content=[]))
    assert said == "research_find 250.0 ms ok"
    assert fields == {"tool": "research_find", "ms": 250.0, "code": "ok"}


async def test_a_call_that_fails(line):
    """The code that the client is told as well."""
    failed = ToolResult(content=[], is_error=True, meta={META: {"code": "rate_limited", "retryable": True}})
    assert (await line(failed))[0] == "research_find 250.0 ms rate_limited"


async def test_a_failure_without_code_is_an_internal_error(line):
    """As one that another layer answers."""
    assert (await line(ToolResult(content=[], is_error=True)))[1]["code"] == "internal_error"


@pytest.mark.parametrize(("exception", "code"), [(asyncio.CancelledError, "cancelled"), (KeyError, "internal_error")])
async def test_what_escapes_is_logged_and_goes_on(line, caplog, exception, code):
    """A cancelled call, and one that no layer has answered."""

    def broken():
        raise exception

    with pytest.raises(exception):
        await line(broken)
    assert caplog.records[0].fields["code"] == code


async def test_a_made_up_name_does_not_fill_the_log(line):
    """Names come from clients, of any length."""
    assert len((await line(ToolResult(content=[]), name="x" * 10_000))[0]) < 100
