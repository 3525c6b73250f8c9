"""A source's hosts, and what happens when it points elsewhere."""

from __future__ import annotations

import time

import anyio
import pytest

from prioris_mcp.adapters.http.gateway import Answer, Limits
from prioris_mcp.adapters.http.throttle import Throttle
from prioris_mcp.adapters.http.upstream import Upstream
from prioris_mcp.adapters.memory.coordination import MemoryGates
from prioris_mcp.domain.pacing import Pace
from prioris_mcp.errors import ProviderUnavailableError

pytestmark = pytest.mark.anyio
LIMITS = Limits(1, 1000)


class Gateway:
    """Answers each address from a table, and notes what was asked."""

    def __init__(self, **locations: str) -> None:
        self.locations = {f"https://own.example/{path}": location for path, location in locations.items()}
        self.asked: list[str] = []

    async def get(self, url, limits, *, label, on_sent, progress=None):
        self.asked.append(url)
        on_sent()
        location = self.locations.get(url)
        return Answer(url, 302, {"location": location}, b"") if location else Answer(url, 200, {}, b"found")


def upstream(gateway: Gateway) -> Upstream:
    throttle = Throttle("own", "Own", MemoryGates(), Pace(0, 0, 1), 5, time.time)
    return Upstream("Own", frozenset({"own.example", "also.example"}), gateway, throttle, lambda answer: False)


@pytest.mark.parametrize("location", ["/b", "https://also.example/b", "http://own.example/b", "//own.example/b#x"])
async def test_redirects_among_own_hosts_are_followed_by_https(location):
    """Relative ones too; plain http is never asked."""
    gateway = Gateway(a=location)
    assert (await upstream(gateway).get("https://own.example/a", LIMITS)).body == b"found"
    assert gateway.asked[-1] in ("https://own.example/b", "https://also.example/b")


@pytest.mark.parametrize(
    "location",
    [
        "https://evil.example/",
        "http://169.254.169.254/latest/meta-data/",
        "https://own.example@evil.example/",
        "https://user@own.example/",
        "https://own.example:8443/",
        "https://own.example.evil.example/",
        "ftp://own.example/",
        "file:///etc/passwd",
        "https://[::1",
    ],
)
async def test_other_places_are_never_asked(location):
    """The failure names where the source pointed."""
    gateway = Gateway(a=location)
    with pytest.raises(ProviderUnavailableError, match="nothing was asked there"):
        await upstream(gateway).get("https://own.example/a", LIMITS)
    assert [url for url in gateway.asked if not url.startswith("https://own.example/")] == []


async def test_a_redirect_loop_ends():
    """After three redirects."""
    gateway = Gateway(a="/a")
    with anyio.fail_after(2), pytest.raises(ProviderUnavailableError, match="more than 3 times"):
        await upstream(gateway).get("https://own.example/a", LIMITS)
    assert len(gateway.asked) == 4
