"""The stand-in as a proxy: what it records and refuses."""

from __future__ import annotations

import asyncio
import re
import ssl
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from tests.replay import StandIn, running
from tests.replay.wire import Request, Response
from tests.unit.replay.asking import API, PDF, client_of, feed

pytestmark = pytest.mark.anyio


async def test_requests_are_recorded_as_sent(standin: StandIn, client: httpx2.AsyncClient) -> None:
    """A record holds the exact target, the decoded query, the headers and both times."""
    await client.get(f"{API}?search_query=ti%3Aattention+x&max_results=1", headers={"User-Agent": "Me/1"})
    (asked,) = standin.asked
    assert (asked.scheme, asked.host, asked.method) == ("https", "export.arxiv.org", "GET")
    assert asked.target == "/api/query?search_query=ti%3Aattention+x&max_results=1"
    assert asked.path == "/api/query"
    assert asked.query == {"search_query": "ti:attention x", "max_results": "1"}
    assert asked.headers["user-agent"] == "Me/1"
    assert (asked.status, asked.refused) == (200, False)
    assert asked.done is not None and asked.at <= asked.done


async def test_an_unknown_host_is_refused_and_recorded(standin: StandIn, client: httpx2.AsyncClient) -> None:
    """Nothing is forwarded: a tunnel to a strange host gets a 502 and leaves a record."""
    with pytest.raises(httpx2.ProxyError):
        await client.get("https://example.org/secret")
    plain = await client.get("http://169.254.169.254/latest")
    assert plain.status_code == 502
    assert [(asked.host, asked.refused, asked.status) for asked in standin.asked] == [
        ("example.org", True, 502),
        ("169.254.169.254", True, 502),
    ]


async def test_an_unknown_page_is_refused(standin: StandIn, client: httpx2.AsyncClient) -> None:
    """A page that a simulation does not have is a 404 that is marked in the record."""
    assert (await client.get("https://arxiv.org/list/cs.CL")).status_code == 404
    assert standin.asked[0].refused


async def test_gaps_and_overlaps(standin: StandIn, client: httpx2.AsyncClient) -> None:
    """Spacing and concurrency are measured over all hosts under a name."""
    standin.latency = 0.05
    await client.get(API, params={"id_list": "1512.03385"})
    await client.get("https://arxiv.org/pdf/1512.03385v1")
    assert standin.overlaps() == 0
    assert len(standin.gaps()) == 1 and standin.gaps()[0] >= 0.05
    assert standin.gaps("export.arxiv.org") == []
    await asyncio.gather(client.get(PDF), client.get(PDF))
    assert standin.overlaps() == 1
    assert standin.targets("export.arxiv.org") == ["/api/query?id_list=1512.03385"]
    standin.reset()
    assert standin.asked == [] and standin.targets() == []


async def test_a_hasty_client_is_rate_limited() -> None:
    """With a minimum spacing, a request that comes too soon gets the bare 429 of arXiv."""
    async with StandIn(min_spacing={"arxiv.org": 0.2}) as standin, client_of(standin) as client:
        first = await feed(client, id_list="1512.03385")
        second = await client.get(PDF)
        await asyncio.sleep(0.25)
        third = await feed(client, id_list="1512.03385")
    assert [answer.status_code for answer in (first, second, third)] == [200, 429, 200]
    assert second.content == b"Rate exceeded." and second.headers["content-type"] == "text/html"
    assert "retry-after" not in second.headers


async def test_an_abandoned_request_ends(standin: StandIn, client: httpx2.AsyncClient) -> None:
    """A request whose client gave up is no longer in flight, so a retry is not an overlap."""
    standin.fault("silence")
    with pytest.raises(httpx2.ReadTimeout):
        await client.get(PDF, timeout=0.1)
    await asyncio.sleep(0.1)
    assert (await client.get(PDF)).status_code == 200
    assert standin.overlaps() == 0
    assert standin.asked[0].status is None and standin.asked[0].done is not None


async def test_more_hosts_can_be_played() -> None:
    """The table of handlers is all that a further simulation needs."""

    def doi(request: Request) -> Response:
        return Response(302, b"", headers={"Location": f"https://publisher.example{request.path}"})

    async with StandIn(handlers={"doi.org": doi}) as standin, client_of(standin) as client:
        answer = await client.get("https://doi.org/10.1/x")
    assert answer.headers["location"] == "https://publisher.example/10.1/x"


def test_the_threaded_flavour_is_driven_synchronously() -> None:
    """From a plain test, faults are ordered and records are read without a loop."""
    with running() as standin:
        trust = ssl.create_default_context(cafile=str(standin.ca_file))
        folder = standin.ca_file.parent
        standin.fault("status", path="/pdf/*", status=503)
        with httpx2.Client(proxy=standin.proxy, verify=trust, trust_env=False) as client:
            codes = [client.get(PDF).status_code for _ in range(2)]
        assert codes == [503, 200] and len(standin.gaps()) == 1
    assert not folder.exists()


def test_the_environment_is_enough(tmp_path: Path) -> None:
    """A child process that knows only the environment reaches the stand-in."""
    code = f"import httpx2; print(len(httpx2.get({PDF!r}).content))"
    with running() as standin:
        ran = subprocess.run(
            [sys.executable, "-c", code], env=standin.env(), cwd=tmp_path, capture_output=True, check=False
        )
        assert ran.returncode == 0, ran.stderr.decode()
        assert standin.targets() == ["/pdf/2106.09685v2"]


def test_the_command_serves_until_it_is_told_to_stop() -> None:
    """`python -m tests.replay` prints the variables and ends cleanly on a signal."""
    command = [sys.executable, "-m", "tests.replay", "--latency", "0.1"]
    root = Path(__file__).parents[3]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline().strip() for _ in range(7)]
        process.terminate()
        assert process.wait(5) == 0
    assert re.fullmatch(r"export HTTPS_PROXY=http://127\.0\.0\.1:\d+", lines[0])
    assert lines[6].startswith("export SSL_CERT_FILE=")
