"""Sessions over streamable HTTP: how large their requests may be, how long they last, and how many there are.

Imported where HTTP is served, and nowhere else.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from fastmcp.server import http
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, AuthorizationContext, authorization_context
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER, StreamableHTTPServerTransport
from mcp.server.transport_security import RequestBodyLimitMiddleware
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from prioris_mcp.server.http.bodies import ReadableBodies
from prioris_mcp.server.http.callers import key_of

_GREETED = 2
"""Requests of a session that has done no more than shake hands."""


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """What sessions may cost."""

    body: int
    """Bytes of a request."""
    idle: float
    """Seconds without a request or an open stream, after which one ends."""
    of_one_caller: int
    """At once."""
    altogether: int
    """At once, of all callers."""


@dataclass(slots=True)
class _Use:
    """Whose a session is, and what was done with it."""

    owner: str
    last: float
    requests: int = 1
    running: int = 0


def limit(limits: SessionLimits) -> None:
    """Let FastMCP's session manager keep to *limits*, for which it has no settings."""

    class Bounded(_Bounded):
        def __init__(self, *arguments: Any, **more: Any) -> None:
            super().__init__(limits, *arguments, **more)

    http.FastMCPStreamableHTTPSessionManager = Bounded  # type: ignore[misc]


class _Bounded(http.FastMCPStreamableHTTPSessionManager):
    """A session too many takes the place of that of the same caller which is missed least."""

    def __init__(self, limits: SessionLimits, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **{**more, "session_idle_timeout": limits.idle})
        self._limits, self._uses = limits, dict[str, _Use]()
        self.max_sessions = limits.altogether
        self.max_request_body_size = max(limits.body, self.max_request_body_size)
        self.asgi_app = RequestBodyLimitMiddleware(ReadableBodies(self._handle_request), self.max_request_body_size)

    async def _handle_stateful_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        user = scope.get("user")
        owner = _owner(authorization_context(user) if isinstance(user, AuthenticatedUser) else None)
        session = Headers(scope=scope).get(MCP_SESSION_ID_HEADER)
        use = self._uses.get(session or "")
        if session is None:
            await self._make_room(owner)
        if use is None or use.owner != owner:
            await super()._handle_stateful_request(scope, receive, send)
            return
        use.requests, use.running = use.requests + 1, use.running + 1
        try:
            await super()._handle_stateful_request(scope, receive, send)
        finally:
            use.running, use.last = use.running - 1, time.monotonic()

    def _admit_session(self, requestor: AuthorizationContext | None) -> StreamableHTTPServerTransport | None:
        owner = _owner(requestor)
        if self._held()[owner] >= self._limits.of_one_caller:
            return None
        admitted = super()._admit_session(requestor)
        if admitted is not None and admitted.mcp_session_id:
            self._uses[admitted.mcp_session_id] = _Use(owner, time.monotonic())
        return admitted

    async def _discard_session(self, session_id: str, transport: StreamableHTTPServerTransport) -> None:
        self._uses.pop(session_id, None)
        await super()._discard_session(session_id, transport)

    async def _make_room(self, owner: str) -> None:
        """End a session where *owner*, or all together, have as many as they may; not one in which something runs."""
        held = self._held()
        if held[owner] < self._limits.of_one_caller:
            if held.total() < self._limits.altogether:
                return
            owner = held.most_common(1)[0][0]
        resting = [(use.requests > _GREETED, use.last, name) for name, use in self._uses.items() if use.owner == owner]
        resting = [each for each in resting if not self._uses[each[2]].running]
        if resting:
            name = min(resting)[2]
            await self._discard_session(name, self._server_instances[name])

    def _held(self) -> Counter[str]:
        return Counter(use.owner for use in self._uses.values())


def _owner(requestor: AuthorizationContext | None) -> str:
    return key_of(requestor["issuer"], requestor["subject"], requestor["client_id"]) if requestor else ""
