"""Serve many clients over streamable HTTP."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import uvicorn
from fastmcp import FastMCP
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from prioris_mcp.server.http import sessions
from prioris_mcp.server.http.connections import Connection, Room, Server
from prioris_mcp.server.http.guard import HttpGuard
from prioris_mcp.server.http.limits import Patience, descriptors

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
_CALLERS = 16
"""Who may have all of their sessions at the same time."""


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
    patience: Patience
    session_idle: float
    """Seconds."""
    sessions_of_one_caller: int


async def run_http(server: FastMCP[Any], address: Address, ready: Callable[[], Awaitable[object]]) -> None:
    """Serve over streamable HTTP at ``/mcp``, until a signal ends it; no host or origin but those named is answered."""
    body = address.largest_upload * 4 // 3 + _OVERHEAD
    most = address.sessions_of_one_caller
    sessions.limit(sessions.SessionLimits(body, address.session_idle, most, most * _CALLERS))
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
    await _serve(HttpGuard(app, ready), address)


async def _serve(app: HttpGuard, address: Address) -> None:
    # Its warnings are one or two for each odd request, and strangers send many.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    loop = asyncio.get_running_loop()
    room = Room(address.patience.within(descriptors()), loop.time)
    loop.set_exception_handler(room.on_loop_error)
    config = uvicorn.Config(
        app,
        host=address.host,
        port=address.port,
        http=partial(Connection, room),  # type: ignore[arg-type]
        log_config=None,
        access_log=False,
        lifespan="on",
        backlog=room.patience.at_a_time,
        timeout_keep_alive=math.ceil(room.patience.idle),
        timeout_graceful_shutdown=_GRACE_SECONDS,  # type: ignore[arg-type]
        ws="none",
    )
    await Server(config).serve()
