"""Send every request to a source from one place, bounded in time and size.

httpx2 is used because FastMCP has loaded it already; it honours the proxy and CA variables of the environment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import anyio
import httpx2

from prioris_mcp.errors import FileTooLargeError, ProviderUnavailableError
from prioris_mcp.ports.parsing import Progress

_STEP = 2**19
"""Number of bytes between two reports of progress."""
_FIRST_REFUSAL = 400
_LONGEST_REFUSAL = 2**18
_SENT = "send_request_headers.complete"


@dataclass(frozen=True, slots=True)
class Answer:
    """Hold what a source answered, read to its end."""

    url: str
    status: int
    headers: Mapping[str, str]
    """Hold values by name, in lower case."""
    body: bytes
    """Hold the unpacked bytes."""

    def text(self) -> str:
        """Return the body as text, whatever its encoding claims to be."""
        return self.body.decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Limits:
    """Limit what one request may cost."""

    seconds: float
    """Most time from the first byte sent to the last byte read."""
    bytes: int
    """Most bytes of the unpacked body."""


_FAILURES: tuple[tuple[tuple[type[Exception], ...], str], ...] = (
    ((httpx2.ConnectTimeout, httpx2.PoolTimeout), "could not be reached in time"),
    ((httpx2.TimeoutException,), "was silent for too long"),
    ((httpx2.ProxyError,), "could not be reached through the proxy"),
    ((httpx2.ConnectError,), "could not be reached"),
    ((httpx2.DecodingError,), "sent an answer that cannot be unpacked"),
    ((httpx2.RemoteProtocolError, httpx2.ReadError), "broke off its answer"),
)
"""Say what happened, by the first row that fits."""


class Gateway:
    """Keep one connection pool for all sources, opened at first use."""

    def __init__(self, *, user_agent: str, timeout: float, verify: bool, hide: Callable[[str], str] = str) -> None:
        """Count a source as silent after *timeout* seconds without a byte.

        Let *hide* take secrets out of refusals before anybody can quote a part of them.
        """
        self._hide = hide
        self._user_agent = user_agent
        self._timeout = timeout
        self._verify = verify
        self._client: httpx2.AsyncClient | None = None

    async def get(
        self,
        url: str,
        limits: Limits,
        *,
        label: str,
        on_sent: Callable[[], None] = lambda: None,
        progress: Progress | None = None,
    ) -> Answer:
        """Send one GET, follow no redirect, and return the answer. Call *on_sent* when its head is on the wire.

        Report to *progress* the bytes of a large body on the way, where the source says how many there will be.

        Raise ProviderUnavailableError, saying what went wrong, where no whole answer came, and FileTooLargeError where
        the body is larger than *limits* allows.
        """

        async def trace(event: str, _info: Mapping[str, Any]) -> None:
            if event.endswith(_SENT):
                on_sent()

        try:
            with anyio.fail_after(limits.seconds):
                async with self._open().stream("GET", url, extensions={"trace": trace}) as response:
                    body = await _read(response, limits.bytes, label, progress)
                    if response.status_code >= _FIRST_REFUSAL:
                        body = self._quotable(body)
                    headers = {name.lower(): value for name, value in response.headers.items()}
                    return Answer(url, response.status_code, headers, body)
        except TimeoutError as exc:
            raise ProviderUnavailableError(
                f"{label} did not finish its answer within {limits.seconds:g} s; try again later"
            ) from exc
        except (httpx2.HTTPError, httpx2.InvalidURL) as exc:
            raise ProviderUnavailableError(f"{label} {_in_words(exc)}; try again later") from exc

    def _quotable(self, body: bytes) -> bytes:
        """Return as much of a refusal's *body*, which may repeat the request, as somebody may want to read."""
        text = body[:_LONGEST_REFUSAL].decode("utf-8", "replace")
        hidden = self._hide(text)
        return body[:_LONGEST_REFUSAL] if hidden == text else hidden.encode()

    def _open(self) -> httpx2.AsyncClient:
        if self._client is None:
            self._client = httpx2.AsyncClient(
                headers={"User-Agent": self._user_agent, "Accept": "*/*"},
                timeout=self._timeout,
                verify=self._verify,
                follow_redirects=False,
                trust_env=True,
            )
        return self._client

    async def aclose(self) -> None:
        """Close all connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None


def _in_words(exc: Exception) -> str:
    """Return what went wrong between us and a source, as a sentence goes on after its name."""
    words = next((words for kinds, words in _FAILURES if isinstance(exc, kinds)), "could not be asked")
    return f"{words} ({exc})" if str(exc) else words


async def _read(response: httpx2.Response, most: int, label: str, progress: Progress | None) -> bytes:
    body, told, total = bytearray(), 0, _length(response)
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > most:
            raise FileTooLargeError(
                f"{label} sent more than {most} bytes, and nothing was kept; raise"
                " PRIORIS_MCP_MAX_DOWNLOAD_BYTES to take it"
            )
        if progress and total >= len(body) >= told + _STEP:
            told = len(body)
            await progress(told, total)
    return bytes(body)


def _length(response: httpx2.Response) -> int:
    """Return how many bytes there will be; 0 where that is not known, as for a body that is packed."""
    said = response.headers.get("content-length", "")
    return int(said) if said.isascii() and said.isdecimal() and "content-encoding" not in response.headers else 0
