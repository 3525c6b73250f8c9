"""What stands before the MCP endpoint over HTTP: health, and errors as JSON."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from prioris_mcp.errors import PriorisError

_FIRST_ERROR = 400


class HttpGuard:
    """``/healthz`` says that the process answers, ``/readyz`` that it can serve; both without a token.

    Errors of whatever stands behind leave as ``{"error": ..., "status": ...}``.
    """

    def __init__(self, app: ASGIApp, ready: Callable[[], Awaitable[object]]) -> None:
        """*ready* raises PriorisError while the server cannot serve."""
        self._app, self._ready = app, ready

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif scope["path"] == "/healthz":
            await JSONResponse({"status": "ok"})(scope, receive, send)
        elif scope["path"] == "/readyz":
            await (await self._readiness())(scope, receive, send)
        else:
            await self._answered(scope, receive, _JsonErrors(send))

    async def _answered(self, scope: Scope, receive: Receive, send: _JsonErrors) -> None:
        try:
            await self._app(scope, receive, send)
        except asyncio.CancelledError:
            # The process is ending, and nothing else ends a request this way: whoever waits is told.
            if not send.started:
                ending = JSONResponse({"error": "the server is ending", "status": 503}, HTTPStatus.SERVICE_UNAVAILABLE)
                await ending(scope, receive, send)

    async def _readiness(self) -> JSONResponse:
        try:
            await self._ready()
        except PriorisError as exc:
            return JSONResponse({"status": "unavailable", "error": exc.code}, HTTPStatus.SERVICE_UNAVAILABLE)
        return JSONResponse({"status": "ready"})


class _JsonErrors:
    """Sends on; an error that is not JSON is replaced."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        self.started = False

    async def __call__(self, message: Message) -> None:
        self.started = True
        if message["type"] == "http.response.start" and _is_plain_error(message):
            self._start = message
        elif self._start is None:
            await self._send(message)
        elif message["type"] == "http.response.body" and not message.get("more_body"):
            await self._replaced(self._start)

    async def _replaced(self, start: Message) -> None:
        status = HTTPStatus(start["status"])
        body = json.dumps({"error": status.phrase, "status": status.value}).encode()
        kept = [pair for pair in start["headers"] if pair[0].lower() not in (b"content-type", b"content-length")]
        headers = [*kept, (b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await self._send({**start, "headers": headers})
        await self._send({"type": "http.response.body", "body": body})


def _is_plain_error(start: Any) -> bool:
    kind = dict(start["headers"]).get(b"content-type", b"")
    return bool(start["status"] >= _FIRST_ERROR and b"json" not in kind)
