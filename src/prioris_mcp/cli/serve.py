"""The server process: transport, signals, and an end that leaves nothing behind."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import threading
from collections.abc import Generator
from contextlib import AsyncExitStack, contextmanager, suppress
from typing import Any

from prioris_mcp.cli.tracing import tracing
from prioris_mcp.domain.page import PageRequest
from prioris_mcp.environment import span_exporters
from prioris_mcp.errors import ConfigurationError
from prioris_mcp.redaction import Redactor
from prioris_mcp.server.app import Options, app
from prioris_mcp.server.schemas import Figures
from prioris_mcp.server.stdio.serving import run_stdio
from prioris_mcp.settings import Settings
from prioris_mcp.wiring import open_services
from prioris_mcp.wiring.checks import wrong_settings

_CLEANUP_SECONDS = 3
_LEAVING_SECONDS = 1.5
"""After the client has left: threads that load a model, embed or wait for a locked file cannot be told to stop."""


def serve(settings: Settings) -> None:
    """Serve until the client leaves or a signal comes; ConfigurationError for settings that cannot be meant."""
    if wrong := wrong_settings(settings):
        raise ConfigurationError("; ".join(wrong))
    auth = None if settings.transport == "stdio" else _verifier(settings)
    with suppress(BrokenPipeError):
        try:
            asyncio.run(_serve(settings, auth))
        except* (BrokenPipeError, ConnectionResetError):
            pass


def options_of(settings: Settings) -> Options:
    """How the server presents itself."""
    return Options(
        settings.response_cache_ttl,
        frozenset(settings.toolsets),
        settings.token_calls_per_minute,
        settings.token_upload_bytes_per_hour,
        Redactor(settings.secrets()),
        Figures(
            settings.max_inline_chars,
            settings.vector_search_default_limit,
            settings.discovery_max_results,
            settings.local_file_max_size_bytes,
        ),
    )


async def _serve(settings: Settings, auth: Any) -> None:
    async with AsyncExitStack() as lifetimes:
        await lifetimes.enter_async_context(tracing(span_exporters(), Redactor(settings.secrets())))
        services = await lifetimes.enter_async_context(open_services(settings))
        server = app(services, options_of(settings), auth=auth)
        gc.freeze()
        gc.enable()
        if settings.transport == "stdio":
            with _ending_on_signals(lifetimes):
                await run_stdio(server, _leave_soon)
        else:
            from prioris_mcp.cli.http_access import address_of
            from prioris_mcp.server.http.serving import run_http

            await run_http(server, address_of(settings), lambda: services.list(None, None, PageRequest(0, 1)))


def _verifier(settings: Settings) -> Any:
    from prioris_mcp.cli.http_access import verifier_of

    return verifier_of(settings)


def _leave_soon() -> None:
    """End the process with exit code 0 a little later, whatever still runs; what is on disk is whole at any moment."""
    timer = threading.Timer(_LEAVING_SECONDS, _leave)
    timer.daemon = True
    timer.start()


def _leave() -> None:
    sys.stderr.flush()
    os._exit(0)


@contextmanager
def _ending_on_signals(lifetimes: AsyncExitStack) -> Generator[None]:
    """End the process on SIGINT and SIGTERM, cleaned up, with exit code 0.

    Standard input is read in a thread that nothing can wake, so the process cannot end by unwinding.
    """
    loop = asyncio.get_running_loop()
    ending: list[asyncio.Task[None]] = []

    async def end() -> None:
        try:
            await asyncio.wait_for(lifetimes.aclose(), _CLEANUP_SECONDS)
        finally:
            _leave()

    def on_signal() -> None:
        if ending:
            os._exit(0)
        ending.append(loop.create_task(end()))

    handled = (signal.SIGINT, signal.SIGTERM)
    # On Windows asyncio has no handlers for signals: there the process ends as Python ends it.
    for number in handled:
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, on_signal)
    try:
        yield
    finally:
        for number in handled:
            with suppress(NotImplementedError):
                loop.remove_signal_handler(number)
