"""A link to the document beside the result of a fetch, for clients that show and open links."""

from __future__ import annotations

from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import ToolResult
from mcp_types import CallToolRequestParams, ResourceLink

_MEDIA_TYPES = {"pdf": "application/pdf", "html": "text/html", "xml": "application/xml"}


class ResourceLinkMiddleware(Middleware):
    """Adds a ``resource_link`` where *tools* have brought a document into the library."""

    def __init__(self, tools: frozenset[str]) -> None:
        self._tools = tools

    async def on_call_tool(
        self, context: MiddlewareContext[CallToolRequestParams], call_next: CallNext[CallToolRequestParams, ToolResult]
    ) -> ToolResult:
        result = await call_next(context)
        found = result.structured_content or {}
        uri = found.get("resource_uri")
        if context.message.name not in self._tools or result.is_error or not isinstance(uri, str):
            return result
        link = ResourceLink(
            type="resource_link",
            uri=uri,
            name=uri.split("://", 1)[-1],
            description="The document as it came",
            mime_type=_MEDIA_TYPES.get(str(found.get("format", "pdf")), "application/octet-stream"),
        )
        return result.model_copy(update={"content": [*result.content, link]})
