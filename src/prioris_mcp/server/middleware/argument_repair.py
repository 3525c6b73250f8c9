"""Arguments on their way to a tool: slips are understood, and what it does not know is named in its answer."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from fastmcp.exceptions import ToolError
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import ToolResult
from mcp_types import CallToolRequestParams, TextContent

from prioris_mcp.errors import InvalidRequestError
from prioris_mcp.server import messages
from prioris_mcp.server.arguments.repair import Beside, understood
from prioris_mcp.server.text import NestedTooDeepError, only_text

_log = logging.getLogger(__name__)
_LONGEST = 200


class ArgumentRepairMiddleware(Middleware):
    """Stands outside of everything that looks at arguments."""

    def __init__(self, schemas: Mapping[str, Mapping[str, Any]], beside: Mapping[str, Beside]) -> None:
        """*schemas*: the input schema of each tool; *beside*: what some tools are told beside their parameters."""
        self._schemas, self._beside = schemas, beside

    async def on_call_tool(
        self, context: MiddlewareContext[CallToolRequestParams], call_next: CallNext[CallToolRequestParams, ToolResult]
    ) -> ToolResult:
        message = context.message
        schema = self._schemas.get(message.name)
        if schema is None:
            return await call_next(context)
        try:
            meant = understood(schema, _given(message), self._beside.get(message.name, Beside()))
        except InvalidRequestError as refusal:
            raise ToolError(str(refusal), log_level=logging.DEBUG) from refusal
        if meant.dropped:
            _log.warning("%s does not know %s: dropped", message.name, repr(meant.dropped)[:_LONGEST])
        result = await call_next(context.copy(message=message.model_copy(update={"arguments": meant.arguments})))
        return with_warnings(result, [*meant.warnings, *_capped(meant.arguments, result)])


def _given(message: CallToolRequestParams) -> dict[str, Any]:
    """The arguments, as text that can be stored and sent."""
    try:
        given: dict[str, Any] = only_text(_object(message.arguments or {}))
    except NestedTooDeepError:
        raise InvalidRequestError(
            "the arguments are nested too deep; send them as the tool's schema shows them"
        ) from None
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
    raise InvalidRequestError(
        'arguments must be a JSON object, such as {"limit": 5}; send the object itself, not text or a list'
    )


def _capped(arguments: Mapping[str, Any], result: ToolResult) -> list[str]:
    """A sentence where a page is smaller than was asked for, because no page is as large."""
    asked, fields = arguments.get("limit"), result.structured_content or {}
    pages = [page for page in (fields, fields.get("fts"), fields.get("vector")) if isinstance(page, dict)]
    served = [page["limit"] for page in pages if isinstance(page.get("limit"), int)]
    if not isinstance(asked, int) or not served or min(served) >= asked:
        return []
    return [f"limit: {asked} is more than one answer holds; at most {min(served)} are in it, read on with offset"]


def with_warnings(result: ToolResult, warnings: list[str]) -> ToolResult:
    """*result* with *warnings* behind those that it has: in its fields, and in the text that clients show."""
    if not warnings or result.is_error:
        return result
    fields = dict(result.structured_content or {})
    whole = list(fields) == ["result"] and isinstance(fields["result"], dict)
    inner = dict(fields["result"]) if whole else fields
    inner["warnings"] = [*inner.get("warnings", []), *warnings]
    shown = [*result.content]
    if whole or list(fields) != ["result", "warnings"]:
        shown[0] = TextContent(type="text", text=json.dumps(inner, ensure_ascii=False, separators=(",", ":")))
    else:
        shown.append(TextContent(type="text", text=json.dumps({"warnings": inner["warnings"]}, ensure_ascii=False)))
    return result.model_copy(update={"content": shown, "structured_content": {"result": inner} if whole else inner})
