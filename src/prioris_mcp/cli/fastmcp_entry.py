"""The server for a program that runs FastMCP servers by itself, such as ``fastmcp run``."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from prioris_mcp import log, settings
from prioris_mcp.cli.serve import options_of
from prioris_mcp.server.app import app
from prioris_mcp.wiring import open_services


async def server() -> Any:
    """The FastMCP server, over services that end when it has been run."""
    loaded = settings.load()
    log.configure(loaded.logging_level, loaded.secrets(), as_json=loaded.log_format == "json")
    lifetimes = AsyncExitStack()

    @asynccontextmanager
    async def closing(_: Any) -> AsyncGenerator[None]:
        async with lifetimes:
            yield

    services = await lifetimes.enter_async_context(open_services(loaded))
    return app(services, options_of(loaded), lifespan=closing)
