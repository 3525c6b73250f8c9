"""How clients reach the server: standard input and output, or HTTP."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from fastmcp import FastMCP
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from prioris_mcp.server.bodies import ReadableBodies
from prioris_mcp.server.front import Front
from prioris_mcp.server.stdin import answering_every_line
from prioris_mcp.server.stdout import sharing_output

_CLIENT_HEADERS = (
    "Content-Type",
    "Authorization",
    "Mcp-Protocol-Version",
    "Mcp-Session-Id",
    "Mcp-Method",
    "Mcp-Name",
)
_GRACE_SECONDS = 0.5
"""For calls that are running when a signal comes."""
_OVERHEAD = 65536
"""Bytes of a request besides what is uploaded."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the server listens over HTTP, and for whom."""

    host: str
    port: int
    web_origins: list[str]
    """Origins of pages that may call it."""
    names: list[str]
    """Host names besides localhost by which clients may call it."""
    largest_upload: int
    """Bytes, before base64."""


async def run_stdio(server: FastMCP[Any], at_end: Callable[[], None]) -> None:
    """Serve one client over standard input and output, until it closes them.

    *at_end* is called, in some thread, as soon as the client has left; what is still running is ended after that.
    """
    if sys.stdin is None or sys.stdout is None:  # closed before the process began: nobody is there
        return
    with sharing_output() as say, answering_every_line(say, at_end):
        await server.run_stdio_async(show_banner=False)


async def run_http(server: FastMCP[Any], address: Address, ready: Callable[[], Awaitable[object]]) -> None:
    """Serve over streamable HTTP at ``/mcp``, until a signal ends it; no host or origin but those named is answered."""
    import uvicorn  # noqa: PLC0415 - not needed on standard input and output

    _take_bodies_of(address.largest_upload * 4 // 3 + _OVERHEAD)
    cors = Middleware(
        CORSMiddleware,
        allow_origins=address.web_origins,
        allow_methods=["GET", "POST", "DELETE", "OPTIONS"],
        allow_headers=_CLIENT_HEADERS,
        expose_headers=["Mcp-Session-Id"],
    )
    app = server.http_app(
        middleware=[cors],
        host_origin_protection=True,
        allowed_hosts=[*address.names, address.host],
        allowed_origins=address.web_origins,
    )
    config = uvicorn.Config(
        Front(app, ready),
        host=address.host,
        port=address.port,
        log_config=None,
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=_GRACE_SECONDS,  # type: ignore[arg-type]
        ws="none",
    )
    await uvicorn.Server(config).serve()


def _take_bodies_of(size: int) -> None:
    """Let the MCP endpoint take bodies of *size* bytes: FastMCP has no setting for the SDK's limit of 4 MiB."""
    from fastmcp.server import http  # noqa: PLC0415 - not needed on standard input and output
    from mcp.server.transport_security import RequestBodyLimitMiddleware  # noqa: PLC0415

    class LargeBodies(http.FastMCPStreamableHTTPSessionManager):
        def __init__(self, *arguments: Any, **more: Any) -> None:
            super().__init__(*arguments, **more)
            self.max_request_body_size = max(size, self.max_request_body_size)
            self.asgi_app = RequestBodyLimitMiddleware(ReadableBodies(self._handle_request), self.max_request_body_size)

    http.FastMCPStreamableHTTPSessionManager = LargeBodies  # type: ignore[misc]
