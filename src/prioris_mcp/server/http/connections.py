"""How long a connection may keep us waiting, and how many there may be: nobody uses up what others need.

Imported where HTTP is served, and nowhere else.
"""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import struct
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal

import h11
from uvicorn import Server as Uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from prioris_mcp.server.http.limits import Patience

_log = logging.getLogger(__name__)
_QUEUE = 1024
_QUIET_SECONDS = 10.0
_AT_ONCE = struct.pack("ii", 1, 0)
_NO_DESCRIPTOR = "out of system resource"

Stage = Literal["head", "body", "idle"]
"""What a connection is waited for: the rest of a request's head or body, or another request."""


class Server(Uvicorn):
    """Uvicorn's, with a longer queue in front of it.

    asyncio takes one number for how many connections may wait in the system, where they cost nothing of ours, and for
    how many are accepted before any is looked at; the first may be larger.
    """

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listening in (each for server in self.servers for each in server.sockets):
            with socket.fromfd(listening.fileno(), listening.family, listening.type) as same:
                same.listen(_QUEUE)


class Room:
    """All connections of a server. One too many takes the place of one that only keeps us waiting."""

    def __init__(self, patience: Patience, clock: Callable[[], float]) -> None:
        self.patience, self._clock = patience, clock
        self._open: dict[Connection, str] = {}
        self._of: Counter[str] = Counter()
        self._said = float("-inf")

    def enter(self, new: Connection, address: str) -> bool:
        """Whether there is room for *new*; whoever has waited longest without a whole request makes some."""
        if self._of[address] >= self.patience.of_one_client and not self._made(address):
            return self._refused("one client has all the connections that it may have")
        crowded = len(self._open) >= self.patience.connections
        if crowded and not any(self._made(each) for each, _ in self._of.most_common()):
            return self._refused("all connections are in use")
        self._open[new] = address
        self._of[address] += 1
        return True

    def leave(self, gone: Connection) -> None:
        """*gone* is closed, or as good as."""
        address = self._open.pop(gone, None)
        if address is not None:
            self._of[address] -= 1
            if not self._of[address]:
                del self._of[address]

    def _made(self, address: str) -> bool:
        """Whether a connection from *address* was closed: one with half a head, without a request, or half a body."""
        for stage in ("head", "idle", "body"):
            for each, its in self._open.items():
                if its == address and each.stage == stage:
                    self.leave(each)
                    each.drop()
                    return True
        return False

    def _refused(self, why: str) -> bool:
        self.say(f"connections are refused: {why}")
        return False

    def say(self, sentence: str) -> None:
        """A warning, but not for each connection of a flood."""
        if self._clock() - self._said >= _QUIET_SECONDS:
            self._said = self._clock()
            _log.warning("%s", sentence)

    def on_loop_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """The loop's handler of failures: that there is no descriptor for a connection is said once in a while."""
        if _NO_DESCRIPTOR in str(context.get("message")):
            self.say("a connection could not be accepted: this process has as many files open as it may")
        else:
            loop.default_exception_handler(context)


class Connection(H11Protocol):
    """Uvicorn's, which waits for ever for the rest of a request, with an end to each wait."""

    def __init__(self, room: Room, **more: Any) -> None:
        super().__init__(**more)
        self._room = room
        self.stage: Stage | None = "head"
        self._timer: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self._room.enter(self, self.client[0] if self.client else ""):
            self._wait()
        else:
            self._end(503, "too many connections; try again in a second")

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        self._room.leave(self)
        self._stop()
        self.resume_writing()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(self._room.patience.body, self.drop)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._unread:
            self._unread.cancel()
            self._unread = None

    def drop(self) -> None:
        """Close it now, whatever it still has to be sent; the system, too, is to keep nothing of that."""
        self._stop()
        if self.transport.get_write_buffer_size():
            with suppress(OSError):
                self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
        self.transport.abort()

    def _look(self) -> None:
        """See what is waited for now; a wait goes on until what it is for has come."""
        stage = self._stage()
        if stage != self.stage:
            self.stage = stage
            self._wait()

    def _stage(self) -> Stage | None:
        if self.conn.their_state is h11.SEND_BODY:
            return "body"
        if self.cycle is not None and not self.cycle.response_complete:
            return None
        # Before the first request nothing has come either, but nobody connects in order to be silent.
        return "head" if self.cycle is None or self.conn.trailing_data[0] else "idle"

    def _wait(self) -> None:
        self._stop()
        if self.stage and not self.transport.is_closing():
            self._timer = self.loop.call_later(getattr(self._room.patience, self.stage), self._give_up)

    def _stop(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        if self.stage == "idle" or (self.cycle is not None and self.cycle.response_started):
            self.drop()
        else:
            self._end(408, "the request did not come in time; send it whole")

    def _end(self, status: int, sentence: str) -> None:
        """Answer in a sentence and close; for this the connection has waited for nothing else to be sent."""
        self.stage = None
        body = json.dumps({"error": sentence, "status": status}).encode()
        head = f"HTTP/1.1 {status} {'Request Timeout' if status == 408 else 'Service Unavailable'}\r\n"
        fields = f"content-type: application/json\r\ncontent-length: {len(body)}\r\nconnection: close\r\n"
        self.transport.write(f"{head}{fields}\r\n".encode() + body)
        self.transport.close()
