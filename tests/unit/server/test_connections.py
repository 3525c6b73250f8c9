"""How long a connection is waited for, and which one gives way: told without sockets, in time that passes at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import anyio
import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from prioris_mcp.server.http.connections import Connection, Room
from prioris_mcp.server.http.limits import Patience
from tests.patient import PatientLoop

pytestmark = pytest.mark.anyio
PATIENCE = Patience(connections=4, of_one_client=3, head=10, body=20, idle=60)
HALF_A_HEAD = b"POST /mcp HTTP/1.1\r\nHost: x\r\n"
HALF_A_BODY = HALF_A_HEAD + b"Content-Length: 9\r\n\r\nabc"


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, Callable[[], PatientLoop]]]:
    """A loop in which waiting takes no time."""
    return "asyncio", {"loop_factory": PatientLoop}


class Wire(asyncio.Transport):
    """One end of a connection from *address*, of which everything is kept that was sent."""

    def __init__(self, address: str = "10.0.0.1") -> None:
        super().__init__({"peername": (address, 1), "sockname": ("127.0.0.1", 2)})
        self.sent = b""
        self.closed_at: float | None = None

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.sent += bytes(data)

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return self.closed_at is not None

    def close(self) -> None:
        if self.closed_at is None:
            self.closed_at = asyncio.get_running_loop().time()

    abort = close


async def served(scope, receive, send) -> None:
    """Answers nothing before a request is whole, and then at once."""
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})


@pytest.fixture
async def room() -> Room:
    return Room(PATIENCE, asyncio.get_running_loop().time)


def connected(room: Room, *said: bytes, address: str = "10.0.0.1") -> tuple[Connection, Wire]:
    """A connection that has sent so much."""
    loop, wire = asyncio.get_running_loop(), Wire(address)
    config = Config(served, lifespan="off", log_config=None, timeout_keep_alive=10**6)
    connection = Connection(room, config=config, server_state=ServerState(), app_state={}, _loop=loop)
    connection.connection_made(wire)
    for piece in said:
        connection.data_received(piece)
    return connection, wire


async def lasted(wire: Wire) -> float:
    """Seconds from now until it was closed."""
    started = asyncio.get_running_loop().time()
    with anyio.fail_after(1_000):
        while wire.closed_at is None:
            await anyio.sleep(0.5)
    return wire.closed_at - started


PARTS = pytest.mark.parametrize(
    ("said", "more", "seconds"),
    [((), b"POST /mcp?q=a", 10), ((HALF_A_HEAD,), b"X-Long: aaaaaaaaaaa", 10), ((HALF_A_BODY,), b"defgh", 20)],
    ids=["nothing", "head", "body"],
)


@PARTS
async def test_a_request_that_stops_is_given_up(room, said, more, seconds):
    """After the time of the part that is missing, with a sentence."""
    _, wire = connected(room, *said, more)
    assert await lasted(wire) == pytest.approx(seconds, abs=0.6)
    assert wire.sent.startswith(b"HTTP/1.1 408 Request Timeout\r\n")


@PARTS
async def test_a_byte_more_is_no_reason_to_wait_longer(room, said, more, seconds):
    """One that comes every second does not keep a connection open."""
    connection, wire = connected(room, *said)
    started = asyncio.get_running_loop().time()
    for byte in more[: seconds - 1]:
        connection.data_received(bytes([byte]))
        await anyio.sleep(1)
    await lasted(wire)
    assert wire.closed_at == pytest.approx(started + seconds, abs=0.6)


async def test_a_connection_without_a_request_is_given_up(room):
    """As one with half a head is."""
    _, wire = connected(room)
    assert await lasted(wire) == pytest.approx(PATIENCE.head, abs=0.6)


async def test_a_connection_between_requests_is_closed_without_a_word(room):
    """After a time of its own."""
    _, wire = connected(room, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert await lasted(wire) == pytest.approx(PATIENCE.idle, abs=0.6)
    assert wire.sent.startswith(b"HTTP/1.1 204 ")
    assert b"408" not in wire.sent


async def test_half_an_upload_gives_way_last(room):
    """Before it those without a head, and those between two requests."""
    body = connected(room, HALF_A_BODY)[1]
    head = connected(room, HALF_A_HEAD)[1]
    late = connected(room)[1]
    connected(room, HALF_A_HEAD)
    assert (body.is_closing(), head.is_closing(), late.is_closing()) == (False, True, False)


async def test_one_client_takes_no_room_of_another(room):
    """One too many takes the place of another of the same address."""
    other = connected(room, HALF_A_HEAD, address="10.0.0.2")[1]
    mine = [connected(room, HALF_A_HEAD)[1] for _ in range(5)]
    assert not other.is_closing()
    assert [wire.is_closing() for wire in mine] == [True, True, False, False, False]
