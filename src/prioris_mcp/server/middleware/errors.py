"""Failures, in one sentence for the reader and in a code for the program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fastmcp.exceptions import NotFoundError, ResourceError, ToolError, ValidationError
from fastmcp.resources import ResourceResult
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import ToolResult
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, CallToolRequestParams, ReadResourceRequestParams, TextContent
from pydantic import ValidationError as PydanticError

from prioris_mcp.errors import InvalidRequestError, PriorisError
from prioris_mcp.server.remedies import said
from prioris_mcp.server.text import only_text

META = "prioris-mcp/error"
_LONGEST = 2000


class ErrorMiddleware(Middleware):
    """Gives every failure the specified sentence, and beside it a category that a program can branch on.

    No failure passes it with anything that *hide* takes out, whoever wrote the sentence.
    """

    def __init__(self, hide: Callable[[str], str]) -> None:
        self._hide = hide

    async def on_message(self, context: MiddlewareContext[Any], call_next: CallNext[Any, Any]) -> Any:
        try:
            return await call_next(context)
        except MCPError as exc:
            error = exc.error
            raise MCPError(error.code, self._plain(error.message), self._hidden(error.data)) from exc
        except PydanticError:  # answered without its text
            raise
        except Exception as exc:
            exc.args = (self._plain(str(exc)),)
            raise

    async def on_call_tool(
        self, context: MiddlewareContext[CallToolRequestParams], call_next: CallNext[CallToolRequestParams, ToolResult]
    ) -> ToolResult:
        try:
            return await call_next(context)
        except ValidationError as exc:
            error: PriorisError = InvalidRequestError(_arguments(exc))
        except ToolError as exc:
            error = _ours(exc)
        except NotFoundError:
            error = InvalidRequestError("no tool has this name; tools/list names them all")
        sentence = f"Error calling tool '{context.message.name}'" + (f": {said(error)}" if error.args else "")
        return ToolResult(
            content=[TextContent(type="text", text=self._plain(sentence))], meta={META: _data(error)}, is_error=True
        )

    async def on_read_resource(
        self,
        context: MiddlewareContext[ReadResourceRequestParams],
        call_next: CallNext[ReadResourceRequestParams, ResourceResult],
    ) -> ResourceResult:
        uri = self._plain(str(context.message.uri))
        try:
            return await call_next(context)
        except ResourceError as exc:
            error = _ours(exc)
        except NotFoundError as exc:
            raise MCPError(code=INVALID_PARAMS, message=f"Resource not found: {uri}", data={"uri": uri}) from exc
        gone = "Resource not found: " if error.code == "not_found" else "Error reading resource: "
        sentence = gone + (said(error) or uri)
        raise MCPError(
            code=INTERNAL_ERROR if type(error) is PriorisError or error.retryable else INVALID_PARAMS,
            message=sentence,
            data={"uri": uri, META: _data(error)},
        ) from error

    def _plain(self, text: str) -> str:
        """Bounded, and free of lone surrogates, which would end the connection; hidden before it is cut."""
        shown = self._hide(text)
        return str(only_text(shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…"))

    def _hidden(self, data: Any) -> Any:
        """What stands beside an error's sentence, with every text in it hidden."""
        if isinstance(data, str):
            return self._plain(data)
        if isinstance(data, Mapping):
            return {key: self._hidden(value) for key, value in data.items()}
        return [self._hidden(value) for value in data] if isinstance(data, list) else data


def _ours(exc: Exception) -> PriorisError:
    """The error behind FastMCP's; an unexpected one is masked, its traceback is in the log."""
    return exc.__cause__ if isinstance(exc.__cause__, PriorisError) else PriorisError()


def _data(error: PriorisError) -> dict[str, Any]:
    return {"code": error.code, "retryable": error.retryable}


def _arguments(exc: ValidationError) -> str:
    """Which argument is wrong and how, without echoing it."""
    cause = exc.__cause__
    if not isinstance(cause, PydanticError):
        return "the arguments do not fit the tool's parameters; send them as its schema shows"
    found = cause.errors(include_url=False, include_input=False, include_context=False)
    said = "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in found[:10])
    return f"{said}; send the arguments as the tool's schema shows"
