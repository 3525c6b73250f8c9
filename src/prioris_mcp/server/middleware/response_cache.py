"""Answers of sources remembered for a while. Nothing that comes from the library is: a delete holds at once."""

from __future__ import annotations

import json

from cachetools import TTLCache
from fastmcp.resources import ResourceResult
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import ToolResult
from mcp_types import CallToolRequestParams, ReadResourceRequestParams

from prioris_mcp.app.concurrency import LocalKeyedLock

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
        self._results: TTLCache[str, ToolResult] = TTLCache(_MOST_CHARACTERS, seconds, getsizeof=_weight)
        self._contents: TTLCache[str, ResourceResult] = TTLCache(_MOST_ENTRIES, seconds)
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
            if not result.is_error and len(key) + _weight(result) <= _LARGEST:
                self._results[key] = result
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
                self._contents[uri] = known
            return known


def _weight(result: ToolResult) -> int:
    """Return the characters of its text, and at least what lets no more than *_MOST_ENTRIES* results in."""
    return max(_LIGHTEST, sum(len(getattr(block, "text", "")) for block in result.content))
