"""What the bearer of one token may ask for in a time; the others do not notice."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Any

from fastmcp.exceptions import ToolError
from fastmcp.server.dependencies import get_access_token
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import ToolResult
from mcp_types import CallToolRequestParams

from prioris_mcp.domain.quotas import Quota
from prioris_mcp.errors import RateLimitedError

_ENCODED = "_base64"


class LimitTokens(Middleware):
    """Calls a minute and uploaded bytes an hour for each token. Without a token, as on stdio, there is no limit."""

    def __init__(self, calls: int, upload_bytes: int, clock: Callable[[], float] = time.monotonic) -> None:
        """0 means no limit."""
        self._calls, self._bytes, self._clock = Quota(calls, 60.0), Quota(upload_bytes, 3600.0), clock

    async def on_call_tool(
        self, context: MiddlewareContext[CallToolRequestParams], call_next: CallNext[CallToolRequestParams, ToolResult]
    ) -> ToolResult:
        if token := get_access_token():
            self._take(self._calls, token.client_id, 1, "calls")
            self._take(self._bytes, token.client_id, _size(context.message.arguments or {}), "uploaded bytes")
        return await call_next(context)

    def _take(self, quota: Quota, name: str, cost: int, what: str) -> None:
        wait = quota.wait(name, cost, self._clock()) if cost else 0.0
        if wait:
            then = "this is more than it may ever" if math.isinf(wait) else f"try again in {math.ceil(wait)} s"
            error = RateLimitedError(f"the token {name!r} has used up its {what}: {then}")
            raise ToolError(str(error)) from error


def _size(arguments: Mapping[str, Any]) -> int:
    """Bytes that are sent in base64."""
    sent = (value for name, value in arguments.items() if name.endswith(_ENCODED) and isinstance(value, str))
    return sum(len(value) * 3 // 4 for value in sent)
