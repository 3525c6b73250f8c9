"""Bodies of HTTP requests, mended or refused before the protocol's decoders see them."""

from __future__ import annotations

from anyio import to_thread
from mcp_types import INVALID_REQUEST, PARSE_ERROR
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from prioris_mcp.server import messages


class ReadableBodies:
    """Stands where a body arrives whole and its sender is known: inside of the limit on its size."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        first = await receive()
        if first["type"] != "http.request" or first.get("more_body"):
            return  # whoever sent it has gone before its end
        body = messages.begun(first.get("body", b""))
        if await to_thread.run_sync(messages.too_deep, body):
            answer = messages.refusal(PARSE_ERROR, messages.TOO_DEEP)
        elif messages.is_batch(body):
            answer = messages.refusal(INVALID_REQUEST, messages.ONE_AT_A_TIME)
        else:
            mended = {**first, "body": messages.with_arguments(body)}
            await self._app(scope, _replay(mended, receive), send)
            return
        await JSONResponse(answer, 400)(scope, receive, send)


def _replay(first: Message, receive: Receive) -> Receive:
    """*receive*, with *first* once more before all else."""
    waiting = [first]

    async def replayed() -> Message:
        return waiting.pop() if waiting else await receive()

    return replayed
