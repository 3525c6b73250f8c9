"""How clients reach the server: standard input and output, or HTTP."""

from __future__ import annotations

import sys
from typing import Any

from fastmcp import FastMCP
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from prioris_mcp.server.stdin import answering_every_line

_CLIENT_HEADERS = (
    "Content-Type",
    "Authorization",
    "Mcp-Protocol-Version",
    "Mcp-Session-Id",
    "Mcp-Method",
    "Mcp-Name",
)


async def run_stdio(server: FastMCP[Any]) -> None:
    """Serve one client over standard input and output, until it closes them."""
    if sys.stdin is None or sys.stdout is None:  # closed before the process began: nobody is there
        return
    with answering_every_line():
        await server.run_stdio_async(show_banner=False)


async def run_http(server: FastMCP[Any], *, host: str, port: int, log_level: str, web_origins: list[str]) -> None:
    """Serve over streamable HTTP at ``/mcp``; pages of *web_origins* may call it, and no other host name is taken."""
    cors = Middleware(
        CORSMiddleware,
        allow_origins=web_origins,
        allow_methods=["GET", "POST", "DELETE", "OPTIONS"],
        allow_headers=_CLIENT_HEADERS,
        expose_headers=["Mcp-Session-Id"],
    )
    await server.run_http_async(
        show_banner=False,
        transport="http",
        host=host,
        port=port,
        log_level=log_level,
        middleware=[cors],
        host_origin_protection=True,
        allowed_origins=web_origins,
        uvicorn_config={"log_config": None, "access_log": False},
    )
