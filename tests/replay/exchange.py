"""One request with its true answer, and the means of sending that answer or a spoilt one."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from tests.replay.asked import Asked
from tests.replay.wire import Request, Response, blocks, chunk, header_list, render_head

POLL = 0.01


@dataclass
class Exchange:
    """What a fault works on."""

    request: Request
    answer: Response
    asked: Asked
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    reusable: bool = True  # whether the connection may carry another request

    async def send(self, response: Response) -> None:
        """Send a whole, well-formed answer."""
        await self.begin(response, None if response.chunked else len(response.body))
        if self.request.method != "HEAD":
            await self.write_body(response)

    async def begin(self, response: Response, length: int | None) -> None:
        """Send the head only, announcing `length` bytes, or chunks when it is None."""
        self.asked.status = response.status
        await self.write(render_head(response.status, header_list(response, length)))

    async def write_body(self, response: Response) -> None:
        """Send the body in its framing."""
        for piece in blocks(response.body):
            await self.write(chunk(piece) if response.chunked else piece)
        if response.chunked:
            await self.write(b"0\r\n\r\n")

    async def write(self, data: bytes) -> None:
        """Send bytes as they are, waiting while the client is slow."""
        self.writer.write(data)
        await self.writer.drain()

    async def pause(self, seconds: float) -> None:
        """Wait, but not for a client that has hung up.

        Raises:
            ConnectionError: the client went away while we waited.
        """
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self.reader.at_eof() or self.writer.is_closing():
                raise ConnectionResetError("the client went away")
            await asyncio.sleep(min(POLL, left))
