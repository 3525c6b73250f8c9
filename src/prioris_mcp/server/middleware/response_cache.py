"""Answers of sources remembered for a while. Nothing that comes from the library is: a delete holds at once."""

from __future__ import annotations

import json
import time

from fastmcp.resources import ResourceResult
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import ToolResult
from mcp_types import CallToolRequestParams, ReadResourceRequestParams

from prioris_mcp.app.concurrency import LocalKeyedLock
from prioris_mcp.domain.remembering import Remembered

_MOST_ENTRIES = 512
_LARGEST = 2**20
_MOST_CHARACTERS = 8 * _LARGEST
_LIGHTEST = _MOST_CHARACTERS // _MOST_ENTRIES


class ResponseCacheMiddleware(Middleware):
    """One run for equal calls at a time, and none while the answer of an earlier one is remembered.

    Only of *tools* and *resources*, which ask a source and nothing else. A failure is never remembered, nor is an
    answer of more than a MiB; all together are eight at most. Arguments must have been brought to one form before.
    """

    def __init__(self, seconds: float, tools: frozenset[str], resources: frozenset[str]) -> None:
        self._names, self._addresses = tools, resources
        self._results: Remembered[str, ToolResult] = Remembered(seconds, time.monotonic, _MOST_CHARACTERS)
        self._contents: Remembered[str, ResourceResult] = Remembered(seconds, time.monotonic, _MOST_ENTRIES)
        self._flights = LocalKeyedLock()

    async def on_call_tool(
        self, context: MiddlewareContext[CallToolRequestParams], call_next: CallNext[CallToolRequestParams, ToolResult]
    ) -> ToolResult:
        if context.message.name not in self._names:
            return await call_next(context)
        key = json.dumps([context.message.name, context.message.arguments], sort_keys=True)
        async with self._flights.hold(key):
            if (known := self._results.get(key)) is not None:
                return known
            result = await call_next(context)
            size = len(key) + _size(result)
            if not result.is_error and size <= _LARGEST:
                self._results.put(key, result, max(size, _LIGHTEST))
            return result

    async def on_read_resource(
        self,
        context: MiddlewareContext[ReadResourceRequestParams],
        call_next: CallNext[ReadResourceRequestParams, ResourceResult],
    ) -> ResourceResult:
        uri = str(context.message.uri)
        if uri not in self._addresses:
            return await call_next(context)
        async with self._flights.hold(uri):
            if (known := self._contents.get(uri)) is None:
                known = await call_next(context)
                self._contents.put(uri, known)
            return known


def _size(result: ToolResult) -> int:
    return sum(len(getattr(block, "text", "")) for block in result.content)
