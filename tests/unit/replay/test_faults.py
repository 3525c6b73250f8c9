"""The faults that the stand-in can inject."""

from __future__ import annotations

import time
from pathlib import Path

import httpx2
import pytest

from tests.replay import StandIn
from tests.replay.faults import KINDS
from tests.unit.replay.asking import API, PDF, entries, feed

pytestmark = pytest.mark.anyio


async def test_faults_are_used_oldest_first_and_run_out(standin: StandIn, client: httpx2.AsyncClient) -> None:
    """Faults match by host and path and are spent in the order in which they were given."""
    standin.fault("status", host="export.arxiv.org", path="/api/*", times=2, status=503)
    standin.fault("status", status=500)
    codes = [(await feed(client, id_list="1512.03385")).status_code for _ in range(4)]
    assert codes == [503, 503, 500, 200]


def test_a_misspelt_fault_is_an_error() -> None:
    """A wrong kind or argument fails where it is written, not later."""
    with pytest.raises(ValueError, match="unknown fault"):
        StandIn().fault("explode")
    with pytest.raises(TypeError):
        StandIn().fault("delay", secnods=1)


async def test_plain_answers(standin: StandIn, client: httpx2.AsyncClient) -> None:
    """The faults status, rate_limit, body and redirect send what they were told to send."""
    standin.fault("status", status=503, body="busy", content_type="text/plain", headers={"Retry-After": "0"})
    standin.fault("rate_limit", retry_after=5)
    standin.fault("rate_limit")
    standin.fault("body", body="Rate exceeded.", content_type=None)
    standin.fault("redirect", location="http://169.254.169.254/", status=307)
    busy, later, limited, other, moved = [await client.get(PDF) for _ in range(5)]
    assert (busy.status_code, busy.text, busy.headers["retry-after"]) == (503, "busy", "0")
    assert (later.status_code, later.headers["retry-after"]) == (429, "5")
    assert "retry-after" not in limited.headers
    assert (other.status_code, other.text, other.headers.get("content-type")) == (200, "Rate exceeded.", None)
    assert (moved.status_code, moved.headers["location"]) == (307, "http://169.254.169.254/")


async def test_redirect_loop(standin: StandIn, client: httpx2.AsyncClient) -> None:
    """A loop has no end."""
    standin.fault("redirect_loop", path="/pdf/*")
    with pytest.raises(httpx2.TooManyRedirects):
        await client.get(PDF, follow_redirects=True)


async def test_delay(standin: StandIn, client: httpx2.AsyncClient) -> None:
    """A delay changes nothing but the time."""
    standin.fault("delay", seconds=0.2)
    began = time.monotonic()
    assert (await client.get(PDF)).content.startswith(b"%PDF-")
    assert time.monotonic() - began >= 0.2


@pytest.mark.parametrize("kind", ["reset", "truncate", "garbage"])
@pytest.mark.parametrize("url", [PDF, f"{API}?id_list=1512.03385"])
async def test_broken_connections(standin: StandIn, client: httpx2.AsyncClient, kind: str, url: str) -> None:
    """A broken answer is an error of transport, with or without an announced length, and passes."""
    standin.fault(kind)
    with pytest.raises(httpx2.TransportError):
        await client.get(url)
    assert (await client.get(url)).status_code == 200


async def test_drip(standin: StandIn, client: httpx2.AsyncClient) -> None:
    """A dripping answer never lets a read time out but takes its time."""
    standin.fault("drip", chunk=500, interval=0.05)
    began = time.monotonic()
    answer = await client.get(f"{API}?id_list=1512.03385", timeout=0.5)
    assert entries(answer) == ["1512.03385v1"]
    assert time.monotonic() - began >= 0.15


@pytest.mark.parametrize("chunked", [False, True])
async def test_huge(standin: StandIn, client: httpx2.AsyncClient, chunked: bool) -> None:
    """A huge answer begins like the true one, and announces its size unless it is chunked."""
    standin.fault("huge", size=300_000, chunked=chunked)
    answer = await client.get(PDF)
    assert len(answer.content) == 300_000 and answer.content.startswith(b"%PDF-")
    assert ("content-length" in answer.headers) is not chunked


async def test_gzip_bomb(standin: StandIn, client: httpx2.AsyncClient) -> None:
    """A few bytes on the wire unpack to many."""
    standin.fault("gzip_bomb", size=5_000_000)
    answer = await client.get(PDF)
    assert len(answer.content) == 5_000_000 and int(answer.headers["content-length"]) < 10_000


def test_every_fault_is_tested() -> None:
    """No fault kind is missing from this folder."""
    text = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert [kind for kind in KINDS if f'"{kind}"' not in text] == []
