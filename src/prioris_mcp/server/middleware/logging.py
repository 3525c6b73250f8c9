"""One line in the log for every call of a tool: its name, how long it took, and how it ended."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import ToolResult
from mcp_types import CallToolRequestParams
from opentelemetry import trace

from prioris_mcp.errors import PriorisError
from prioris_mcp.server.middleware.errors import META

_log = logging.getLogger(__name__)
_LONGEST_NAME = 64


class CallLoggingMiddleware(Middleware):
    """Says ``<tool> <milliseconds> ms <code>``: "ok", an error's code, or "cancelled".

    At DEBUG also that it begins, so that a call which hangs is seen. The span of the call, if there is one, gets the
    code too. Stands outside of whatever answers failures.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock

    async def on_call_tool(
        self, context: MiddlewareContext[CallToolRequestParams], call_next: CallNext[CallToolRequestParams, ToolResult]
    ) -> ToolResult:
        _log.debug("%s begins", context.message.name[:_LONGEST_NAME])
        started = self._clock()
        code = PriorisError.code
        try:
            result = await call_next(context)
            code = _code(result)
        except asyncio.CancelledError:
            code = "cancelled"
            raise
        else:
            return result
        finally:
            self._say(context.message.name[:_LONGEST_NAME], self._clock() - started, code)

    def _say(self, tool: str, seconds: float, code: str) -> None:
        milliseconds = round(seconds * 1000, 1)
        trace.get_current_span().set_attribute("prioris_mcp.code", code)
        fields = {"tool": tool, "ms": milliseconds, "code": code}
        _log.info("%s %.1f ms %s", tool, milliseconds, code, extra={"fields": fields})


def _code(result: ToolResult) -> str:
    if not result.is_error:
        return "ok"
    return str((result.meta or {}).get(META, {}).get("code", PriorisError.code))
