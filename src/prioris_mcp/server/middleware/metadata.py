"""Who answered, and when, beside every result; and no text that the connection could not carry."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from fastmcp.resources import ResourceResult
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import ToolResult
from mcp_types import CallToolRequestParams, ReadResourceRequestParams, TextContent

from prioris_mcp import __version__
from prioris_mcp.server.text import is_text, only_text

META = "prioris-mcp/server"


class ServerMetadataMiddleware(Middleware):
    """Adds name, version and time to ``_meta`` of what tools answer."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now

    async def on_call_tool(
        self, context: MiddlewareContext[CallToolRequestParams], call_next: CallNext[CallToolRequestParams, ToolResult]
    ) -> ToolResult:
        result = await call_next(context)
        about = {"name": "prioris-mcp", "version": __version__, "time": self._now().isoformat(timespec="milliseconds")}
        return result.model_copy(update={"meta": {**(result.meta or {}), META: about}})


class SurrogateMiddleware(Middleware):
    """The outermost: a lone surrogate in an answer would end the connection, so it becomes U+FFFD."""

    async def on_call_tool(
        self, context: MiddlewareContext[CallToolRequestParams], call_next: CallNext[CallToolRequestParams, ToolResult]
    ) -> ToolResult:
        result = await call_next(context)
        if all(is_text(getattr(block, "text", "")) for block in result.content):
            return result
        blocks = [
            block.model_copy(update={"text": only_text(block.text)}) if isinstance(block, TextContent) else block
            for block in result.content
        ]
        whole = {"content": blocks, "structured_content": only_text(result.structured_content)}
        return result.model_copy(update=whole)

    async def on_read_resource(
        self,
        context: MiddlewareContext[ReadResourceRequestParams],
        call_next: CallNext[ReadResourceRequestParams, ResourceResult],
    ) -> ResourceResult:
        result = await call_next(context)
        for content in result.contents:
            if isinstance(content.content, str) and not is_text(content.content):
                content.content = only_text(content.content)
        return result
