"""A tool's or a resource's function, given its services, as FastMCP wants to see it."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Awaitable, Callable
from types import FunctionType
from typing import Any, TypeVar

from fastmcp.exceptions import FastMCPError

from prioris_mcp.app.services import Services
from prioris_mcp.errors import PriorisError
from prioris_mcp.server.remedies import said

T = TypeVar("T")


def bound(
    function: Callable[..., Awaitable[T]], services: Services, failure: type[FastMCPError]
) -> Callable[..., Awaitable[T]]:
    """*function* without its first parameter, which is *services*.

    Our own errors leave it as *failure*, with the error as its cause: FastMCP then logs no traceback for
    what is no fault of the program. It has no docstring; `undocumented` says why.
    """

    async def call(**arguments: Any) -> T:
        try:
            return await function(services, **arguments)
        except PriorisError as exc:
            raise failure(said(exc), log_level=logging.DEBUG) from exc

    signature = inspect.signature(function, eval_str=True)
    shown = list(signature.parameters.values())[1:]
    call.__name__ = call.__qualname__ = function.__name__
    call.__module__ = function.__module__
    call.__signature__ = signature.replace(parameters=shown)  # type: ignore[attr-defined]
    call.__annotations__ = {p.name: p.annotation for p in shown} | {"return": signature.return_annotation}
    return call


def undocumented(function: Any) -> Callable[..., Any]:
    """Return the plain *function* without its docstring, which is then to be given as the description.

    FastMCP looks through docstrings for sections on parameters, of which ours have none; to do so it loads a parser
    that takes a twentieth of the start and several MiB.
    """
    bare = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__)
    bare.__annotations__, bare.__module__, bare.__doc__ = function.__annotations__, function.__module__, None
    return bare
