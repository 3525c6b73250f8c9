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
from prioris_mcp.domain.remembering import Remembered
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


def test_what_is_remembered_is_forgotten_in_time():
    """After its seconds, or when too much has come since."""
    now = [0.0]
    remembered = Remembered(10, lambda: now[0], most=2)
    remembered.put("a", 1)
    remembered.put("b", 2)
    assert remembered.get("a") == 1
    remembered.put("c", 3)
    assert (remembered.get("a"), remembered.get("b"), remembered.get("c")) == (1, None, 3)
    now[0] = 10
    assert remembered.get("a") is None


def test_what_is_heavy_makes_room_for_itself():
    """The limit is on the weight of all together, and what weighs more than that is not kept."""
    remembered = Remembered(10, lambda: 0.0, most=10)
    remembered.put("a", 1, 4)
    remembered.put("b", 2, 4)
    remembered.put("b", 3, 6)
    assert (remembered.get("a"), remembered.get("b")) == (1, 3)
    remembered.put("c", 4, 5)
    assert (remembered.get("a"), remembered.get("b"), remembered.get("c")) == (None, None, 4)
    remembered.put("d", 5, 11)
    assert (remembered.get("c"), remembered.get("d")) == (None, None)


def test_nothing_is_remembered_for_no_seconds():
    """A cache time of 0 turns it off."""
    remembered = Remembered(0, lambda: 0.0)
    remembered.put("a", 1)
    assert remembered.get("a") is None
