"""What the bearer of one token may ask for in a time; the others do not notice."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Mapping
from typing import Any

from fastmcp.exceptions import ToolError
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import ToolResult
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, CallToolRequestParams

from prioris_mcp.errors import RateLimitedError
from prioris_mcp.server.http.callers import Caller, caller
from prioris_mcp.server.middleware.errors import META
from prioris_mcp.server.quotas import Quota

_ENCODED = "_base64"
_CALL, _FREE = "tools/call", "ping"


class RateLimitMiddleware(Middleware):
    """Calls a minute and uploaded bytes an hour for each token. Without a token, as on stdio, there is no limit.

    Every request counts as a call, a listing or a handshake too, but ``ping``, by which clients see whether we are
    there; notifications ask for nothing, and do not.
    """

    def __init__(self, calls: int, upload_bytes: int, clock: Callable[[], float] = time.monotonic) -> None:
        """0 means no limit."""
        self._calls, self._bytes, self._clock = Quota(calls, 60.0), Quota(upload_bytes, 3600.0), clock

    async def on_call_tool(
        self, context: MiddlewareContext[CallToolRequestParams], call_next: CallNext[CallToolRequestParams, ToolResult]
    ) -> ToolResult:
        if who := caller():
            self._take(self._bytes, who, _size(context.message.arguments or {}), "uploaded bytes")
        return await call_next(context)

    async def on_request(self, context: MiddlewareContext[Any], call_next: CallNext[Any, Any]) -> Any:
        if context.method != _FREE and (who := caller()):
            self._take(self._calls, who, 1, "calls", context.method or "")
        return await call_next(context)

    def _take(self, quota: Quota, who: Caller, cost: int, what: str, method: str = _CALL) -> None:
        wait = quota.wait(who.key, cost, self._clock()) if cost else 0.0
        if wait:
            then = "this is more than it may ever" if math.isinf(wait) else f"try again in {math.ceil(wait)} s"
            error = RateLimitedError(f"the token {who.name!r} has used up its {what}: {then}")
            raise _failure(method, error) from error


def _failure(method: str, error: RateLimitedError) -> Exception:
    """*error* in the form that failures of *method* have."""
    if method == _CALL:
        return ToolError(str(error), log_level=logging.DEBUG)
    return MCPError(INTERNAL_ERROR, str(error), {META: {"code": error.code, "retryable": error.retryable}})


def _size(arguments: Mapping[str, Any]) -> int:
    """Bytes that are sent in base64."""
    sent = (value for name, value in arguments.items() if name.endswith(_ENCODED) and isinstance(value, str))
    return sum(len(value) * 3 // 4 for value in sent)
