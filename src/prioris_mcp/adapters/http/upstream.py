"""Show a source to the providers: its own hosts only, its own pace, redirects checked before they are followed."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urljoin, urlsplit, urlunsplit

from prioris_mcp.adapters.http.gateway import Answer, Gateway, Limits
from prioris_mcp.adapters.http.throttle import Throttle
from prioris_mcp.errors import MisdirectedError, ProviderUnavailableError
from prioris_mcp.ports.parsing import Progress

_MOST_REDIRECTS = 3
_SHOWN = 200
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Upstream:
    """Send GET requests to one source."""

    def __init__(
        self,
        label: str,
        hosts: frozenset[str],
        gateway: Gateway,
        throttle: Throttle,
        refused: Callable[[Answer], bool],
    ) -> None:
        """Recognise by *refused* an answer by which the source asks us to slow down."""
        self._label, self._hosts = label, hosts
        self._gateway, self._throttle, self._refused = gateway, throttle, refused

    async def get(self, url: str, limits: Limits, *, leave: bool = False, progress: Progress | None = None) -> Answer:
        """Return the answer to *url*, after at most three redirects among this source's hosts.

        With *leave* return a redirect to any other place; without, treat it as a failure of the source. Return any
        other status as it is, errors included. Raise RateLimitedError, ProviderUnavailableError or FileTooLargeError.
        """
        for _ in range(_MOST_REDIRECTS + 1):
            answer = await self._ask(url, limits, progress)
            if answer.status not in _REDIRECTS:
                return answer
            target = self._next(answer)
            if target is None and leave:
                return answer
            if target is None:
                raise MisdirectedError(
                    f"{self._label} answered HTTP {answer.status} with a redirect to {_host(answer)}, which is not"
                    " one of its own hosts, so nothing was asked there; check the proxy, or report it"
                )
            url = target
        raise ProviderUnavailableError(
            f"{self._label} redirected more than {_MOST_REDIRECTS} times (HTTP {answer.status}); try again later"
        )

    async def _ask(self, url: str, limits: Limits, progress: Progress | None) -> Answer:
        async def send(on_sent: Callable[[], None]) -> Answer:
            return await self._gateway.get(url, limits, label=self._label, on_sent=on_sent, progress=progress)

        return await self._throttle.run(send, self._refused)

    def _next(self, answer: Answer) -> str | None:
        """Return where *answer* sends us, always by https; None where that is not one of the source's own hosts."""
        try:
            parts = urlsplit(urljoin(answer.url, answer.headers.get("location", "")))
            own = parts.scheme in ("https", "http") and parts.netloc.lower() in self._hosts
        except ValueError:
            return None
        return urlunsplit(parts._replace(scheme="https", fragment="")) if own else None


def _host(answer: Answer) -> str:
    """Return where a redirect leads, without what may stand in its query: that can be a secret of ours."""
    try:
        parts = urlsplit(urljoin(answer.url, answer.headers.get("location", "")))
        return repr(urlunsplit((parts.scheme, parts.netloc, parts.path, "", ""))[:_SHOWN])
    except ValueError:
        return "an address that is none"
