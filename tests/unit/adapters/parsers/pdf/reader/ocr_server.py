"""A stand-in for an OCR server, on this machine: it answers by the shape of the picture that it is sent."""

from __future__ import annotations

import json
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[["Picture"], bytes]


@dataclass(frozen=True)
class Picture:
    """What came with one request."""

    width: int
    height: int
    body: bytes = field(repr=False)
    headers: dict[str, str] = field(repr=False, default_factory=dict)


@dataclass
class OcrServer:
    """Its address, what it was asked, and what it answers."""

    url: str
    answer: Answer
    asked: list[Picture] = field(default_factory=list)


def words(*texts: str, confidence: float = 0.95, upright: bool = True) -> bytes:
    """An answer with one line for each text; words that are not *upright* are higher than wide."""
    boxes = [[80, 100 * n, 680, 100 * n + 30] if upright else [100 * n, 80, 100 * n + 30, 680] for n in range(1, 9)]
    lines = [
        {"text": text, "bbox": box, "confidence": confidence} for text, box in zip(texts, boxes, strict=False) if text
    ]
    return json.dumps({"results": lines}).encode()


@contextmanager
def running(answer: Answer) -> Iterator[OcrServer]:
    """A server for the time of the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            start = body.index(b"IHDR") + 4
            picture = Picture(*struct.unpack(">II", body[start : start + 8]), body, dict(self.headers))
            found.asked.append(picture)
            content = found.answer(picture)
            self.send_response(200)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    found = OcrServer(f"http://127.0.0.1:{server.server_port}/ocr?token=k-address", answer)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
