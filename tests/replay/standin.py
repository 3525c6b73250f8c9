"""The stand-in itself: an HTTPS proxy on loopback that answers everything and forwards nothing."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import ssl
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import trustme

from tests.replay.asked import Asked, Ledger, under
from tests.replay.exchange import Exchange
from tests.replay.faults import FOR_EVER, RATE_EXCEEDED, Fault, FaultQueue
from tests.replay.hosts import HANDLERS, Handler
from tests.replay.wire import Head, Request, Response, origin_form, read_body, read_head, render_head

JITTER = 0.02  # seconds by which a request may seem early on a busy machine
GONE = (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ssl.SSLError, TimeoutError)
REFUSED = Response(502, b"The stand-in does not know this host.\n", "text/plain")
NO_PAGE = Response(404, b"The stand-in does not know this page.\n", "text/plain")


class StandIn:
    """A proxy that plays the upstream services; use it with `async with`, or see `running`.

    Its methods may be called from any thread.

    Args:
        port: the port to listen on; 0 takes any free one.
        latency: seconds before each answer.
        min_spacing: for a host suffix, the seconds that must pass between two starts;
            a request that comes sooner is answered 429.
        handlers: the simulated hosts, if other than those of `hosts.HANDLERS`.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        latency: float = 0.0,
        min_spacing: Mapping[str, float] | None = None,
        handlers: Mapping[str, Handler] | None = None,
    ) -> None:
        self.port = port
        self.latency = latency
        self.min_spacing = dict(min_spacing or {})
        self._handlers = HANDLERS if handlers is None else handlers
        self._ledger = Ledger()
        self._faults = FaultQueue()
        self._authority = trustme.CA()
        self._contexts: dict[str, ssl.SSLContext] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._folder = Path()

    # -- life cycle

    async def __aenter__(self) -> Self:
        self._folder = Path(tempfile.mkdtemp(prefix="stand-in-"))
        self._authority.cert_pem.write_to_path(str(self.ca_file))
        self._server = await asyncio.start_server(self._client, "127.0.0.1", self.port, limit=1 << 20)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        shutil.rmtree(self._folder, ignore_errors=True)

    # -- what tests use

    @property
    def ca_file(self) -> Path:
        """The certificate to trust."""
        return self._folder / "ca.pem"

    @property
    def proxy(self) -> str:
        """The address of the proxy."""
        return f"http://127.0.0.1:{self.port}"

    def env(self) -> dict[str, str]:
        """The environment variables that send a program here."""
        proxies = dict.fromkeys(("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"), self.proxy)
        return {**proxies, "NO_PROXY": "", "no_proxy": "", "SSL_CERT_FILE": str(self.ca_file)}

    @property
    def asked(self) -> list[Asked]:
        """The requests so far, in the order in which they arrived."""
        return self._ledger.all()

    def gaps(self, host_suffix: str = "arxiv.org") -> list[float]:
        """Seconds from the start of each request to the start of the next."""
        return self._ledger.gaps(host_suffix)

    def overlaps(self, host_suffix: str = "arxiv.org") -> int:
        """How many requests started while another was in flight."""
        return self._ledger.overlaps(host_suffix)

    def targets(self, host: str | None = None) -> list[str]:
        """The targets asked for, of one host or of all."""
        return self._ledger.targets(host)

    def fault(self, kind: str, *, host: str = "*", path: str = "*", times: int | None = None, **arguments: Any) -> None:
        """Order a fault; `host` and `path` are globs, -1 `times` is for ever, and a loop is so by itself."""
        default = FOR_EVER if kind == "redirect_loop" else 1
        self._faults.add(Fault(kind, host, path, default if times is None else times, arguments))

    def reset(self) -> None:
        """Forget the requests so far and the faults still ordered."""
        self._faults.clear()
        self._ledger.clear()

    # -- connections

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            with contextlib.suppress(*GONE, asyncio.CancelledError):  # only __aexit__ cancels
                await self._serve(reader, writer)
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await read_head(reader)
        if head is None:
            return
        if head.method != "CONNECT":
            await self._plain(head, reader, writer)
        elif (host := head.target.rpartition(":")[0]) in self._handlers:
            await self._tunnel(host, reader, writer)
        else:
            self._note("https", host, head, status=REFUSED.status, refused=True, done=time.monotonic())
            writer.write(render_head(REFUSED.status, [("Content-Length", "0")]))
            await writer.drain()

    async def _tunnel(self, host: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(render_head(200, []))
        await writer.drain()
        await writer.start_tls(self._context(host))
        while head := await read_head(reader):
            if not await self._exchange("https", host, head, reader, writer):
                return

    async def _plain(self, head: Head | None, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head:
            host, target = origin_form(head.target)
            head = Head(head.method, target, head.headers)
            if not await self._exchange("http", host, head, reader, writer):
                return
            head = await read_head(reader)

    def _context(self, host: str) -> ssl.SSLContext:
        if host not in self._contexts:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.set_alpn_protocols(["http/1.1"])
            self._authority.issue_cert(host).configure_cert(context)
            self._contexts[host] = context
        return self._contexts[host]

    # -- answers

    async def _exchange(
        self, scheme: str, host: str, head: Head, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Answer one request; false when the connection has to be closed."""
        too_soon = self._too_soon(host)
        asked = self._note(scheme, host, head)
        try:
            body = await read_body(reader, head.headers)
            request = Request(head.method, scheme, host, head.target, head.headers, body)
            answer = self._answer(request, asked)
            exchange = Exchange(request, RATE_EXCEEDED if too_soon else answer, asked, reader, writer)
            await self._reply(exchange)
        finally:
            asked.done = time.monotonic()
        return exchange.reusable and head.headers.get("connection", "").lower() != "close"

    def _answer(self, request: Request, asked: Asked) -> Response:
        handler = self._handlers.get(request.host)
        answer = handler(request) if handler else REFUSED
        asked.refused = answer is None or answer is REFUSED
        return answer or NO_PAGE

    async def _reply(self, exchange: Exchange) -> None:
        fault = self._faults.take(exchange.request)
        if self.latency:
            await exchange.pause(self.latency)
        if fault:
            await fault.apply(exchange)
        else:
            await exchange.send(exchange.answer)

    def _too_soon(self, host: str) -> bool:
        now = time.monotonic()
        return any(
            now - asked.at < seconds - JITTER
            for suffix, seconds in self.min_spacing.items()
            if under(host, suffix)
            for asked in self._ledger.to(suffix)[-1:]
        )

    def _note(self, scheme: str, host: str, head: Head, **more: Any) -> Asked:
        now = time.monotonic()
        return self._ledger.add(Asked(now, scheme, host, head.target, head.headers, head.method, **more))
