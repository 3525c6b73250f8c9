"""Arguments on their way to a tool: slips are understood, and what no tool knows is dropped and logged."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from fastmcp.exceptions import ToolError
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import ToolResult
from mcp_types import CallToolRequestParams

from prioris_mcp.errors import InvalidRequestError
from prioris_mcp.server import messages
from prioris_mcp.server.arguments import understood
from prioris_mcp.server.text import NestedTooDeepError, only_text

_log = logging.getLogger(__name__)
_LONGEST = 200


class UnderstandArguments(Middleware):
    """Stands outside of everything that looks at arguments."""

    def __init__(self, schemas: Mapping[str, Mapping[str, Any]]) -> None:
        """*schemas*: the input schema of each tool."""
        self._schemas = schemas

    async def on_call_tool(
        self, context: MiddlewareContext[CallToolRequestParams], call_next: CallNext[CallToolRequestParams, ToolResult]
    ) -> ToolResult:
        message = context.message
        schema = self._schemas.get(message.name)
        if schema is None:
            return await call_next(context)
        meant = understood(schema, _given(message))
        if meant.dropped:
            _log.warning("%s does not know %s: dropped", message.name, repr(meant.dropped)[:_LONGEST])
        return await call_next(context.copy(message=message.model_copy(update={"arguments": meant.arguments})))


def _given(message: CallToolRequestParams) -> dict[str, Any]:
    """The arguments, as text that can be stored and sent."""
    try:
        given: dict[str, Any] = only_text(_object(message.arguments or {}))
    except NestedTooDeepError:
        raise _refused("the arguments are nested too deep; send them as the tool's schema shows them") from None
    return given


def _object(given: dict[str, Any]) -> dict[str, Any]:
    """*given*, or the object that a client wrote as text in its place."""
    if given.keys() != {messages.ARGUMENTS}:
        return given
    text = given[messages.ARGUMENTS]
    if isinstance(text, str) and not messages.too_deep(text.encode("utf-8", "replace")):
        with suppress(ValueError):
            read = json.loads(text)
            if isinstance(read, dict):
                return read
    raise _refused('arguments must be a JSON object, such as {"limit": 5}; send the object itself, not text or a list')


def _refused(sentence: str) -> ToolError:
    refusal = InvalidRequestError(sentence)
    failure = ToolError(sentence, log_level=logging.DEBUG)
    failure.__cause__ = refusal
    return failure
