"""Arguments on their way to a prompt: what is missing is said in a sentence, as the caller's mistake that it is."""

from __future__ import annotations

from collections.abc import Mapping

from fastmcp.prompts import PromptResult
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, GetPromptRequestParams

from prioris_mcp.server.text import only_text


class PromptCheckMiddleware(Middleware):
    """Stands before FastMCP's own check, which logs a traceback for each argument that a caller forgets."""

    def __init__(self, required: Mapping[str, tuple[str, ...]]) -> None:
        """*required*: the arguments that each prompt cannot do without."""
        self._required = required

    async def on_get_prompt(
        self,
        context: MiddlewareContext[GetPromptRequestParams],
        call_next: CallNext[GetPromptRequestParams, PromptResult],
    ) -> PromptResult:
        message = context.message
        given = only_text(message.arguments or {})
        missing = [name for name in self._required.get(message.name, ()) if name not in given]
        if missing:
            sentence = f"Error rendering prompt '{message.name}': {', '.join(missing)} must be given"
            raise MCPError(code=INVALID_PARAMS, message=sentence)
        return await call_next(context.copy(message=message.model_copy(update={"arguments": given})))
