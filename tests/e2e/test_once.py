"""Work that many ask for at once is done once: within one server and among several on one library."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import anyio
import pytest

from prioris_mcp.app.services import Services
from prioris_mcp.domain.documents import ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Markdown, Window
from prioris_mcp.ports.parsing import Progress
from prioris_mcp.settings import Settings
from prioris_mcp.wiring import open_services
from tests.e2e.conftest import LORA, SAMPLE, Launch, downloads, pdf_of
from tests.e2e.process import FETCH, PARSE, structured
from tests.e2e.waiting import until
from tests.replay import StandIn

SPELLINGS = (
    "2106.09685",
    LORA,
    "arXiv:2106.09685v2",
    "  2106.09685V2 ",
    "https://arxiv.org/abs/2106.09685",
    "http://www.arxiv.org/pdf/2106.09685v2.pdf",
    "arxiv.org/html/2106.09685v2",
)


class CountingParser:
    """Counts its documents, and takes long enough for others to come meanwhile."""

    version = "counting-1"

    def __init__(self) -> None:
        self.count = 0

    async def parse(self, content: bytes, progress: Progress | None = None, files_at: str = "") -> Markdown:
        """The size of *content*."""
        self.count += 1
        await anyio.sleep(0.2)
        return Markdown.of_pages([f"{len(content)} bytes"])


@pytest.fixture
def parser() -> CountingParser:
    """A parser for all libraries of a test."""
    return CountingParser()


@pytest.fixture
async def pair(settings: Settings, parser: CountingParser) -> AsyncIterator[tuple[Services, Services]]:
    """Two programs' services over one library that holds LoRA, in one process so that one parser counts for both."""
    parsers = {SourceFormat.PDF: parser}
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(open_services(settings, parsers=parsers))
        two = await stack.enter_async_context(open_services(settings, parsers=parsers))
        await one.fetch(ProviderName("arxiv"), LORA, SourceFormat.PDF)
        yield one, two


async def _parse_all(*services: Services) -> None:
    async with anyio.create_task_group() as group:
        for some in services:
            group.start_soon(some.parse, ProviderName("arxiv"), LORA, SourceFormat.PDF, Window())


def test_concurrent_fetches_download_once(launch: Launch, standin: StandIn) -> None:
    """Two calls that fetch one paper at the same time cause one download, and both succeed."""
    standin.fault("delay", path="/pdf/*", seconds=0.3)
    server = launch()
    answers = [server.begin(FETCH, arxiv_id=LORA, format="pdf") for _ in range(2)]
    results = [structured(answer.result(30)) for answer in answers]
    assert sorted(result["served_from_storage"] for result in results) == [False, True]
    assert downloads(standin) == [f"/pdf/{LORA}"]


def test_two_servers_download_once(launch: Launch, standin: StandIn) -> None:
    """Two servers on one library that fetch one paper at the same time cause one download, and both succeed."""
    standin.fault("delay", path="/pdf/*", seconds=0.5)
    servers = [launch(), launch()]
    for server in servers:
        server.request("tools/list")
    answers = [server.begin(FETCH, arxiv_id=LORA, format="pdf") for server in servers]
    results = [structured(answer.result(30)) for answer in answers]
    assert sorted(result["served_from_storage"] for result in results) == [False, True]
    assert downloads(standin) == [f"/pdf/{LORA}"]


def test_spellings_are_one_paper(launch: Launch, standin: StandIn) -> None:
    """All usual spellings of one identifier, asked for at once, cause one download."""
    server = launch()
    answers = [server.begin(FETCH, arxiv_id=spelling, format="pdf") for spelling in SPELLINGS]
    places = {structured(answer.result(30))["resource_uri"] for answer in answers}
    assert places == {f"research://arxiv/{LORA}/pdf/fulltext"}
    assert downloads(standin) == [f"/pdf/{LORA}"]


def test_formats_are_two_documents(launch: Launch, standin: StandIn) -> None:
    """A paper's PDF and HTML, fetched at the same time, are both downloaded."""
    server = launch()
    answers = [server.begin(FETCH, arxiv_id=LORA, format=kind) for kind in ("pdf", "html")]
    assert [structured(answer.result(30))["format"] for answer in answers] == ["pdf", "html"]
    assert sorted(downloads(standin, "/")[-2:]) == [f"/html/{LORA}", f"/pdf/{LORA}"]


def test_failed_fetch_lets_the_other_try(launch: Launch, standin: StandIn) -> None:
    """Where the first of two concurrent fetches fails, the second asks again and succeeds."""
    standin.fault("status", path="/pdf/*", status=503)
    server = launch()
    answers = [server.begin(FETCH, arxiv_id=LORA, format="pdf") for _ in range(2)]
    assert sorted(answer.result(30)["isError"] for answer in answers) == [False, True]
    assert len(downloads(standin)) == 2


@pytest.mark.parametrize("reap", [True, False], ids=["reaped", "zombie"])
def test_killed_fetch_lets_the_other_try(launch: Launch, standin: StandIn, tmp_path: Path, reap: bool) -> None:
    """After a server was killed during its download, another one on the same library downloads within seconds."""
    standin.fault("silence", path="/pdf/*")
    killed, other = (launch({"PRIORIS_MCP_STATE_DIR": str(tmp_path / name)}) for name in ("killed", "other"))
    killed.begin(FETCH, arxiv_id=LORA, format="pdf")
    until(lambda: len(downloads(standin)) == 1)
    killed.kill(reap=reap)
    answer = other.begin(FETCH, arxiv_id=LORA, format="pdf")
    assert structured(answer.result(10))["served_from_storage"] is False
    assert pdf_of(other, LORA) == SAMPLE


@pytest.mark.anyio
async def test_concurrent_parses_are_one(pair: tuple[Services, Services], parser: CountingParser) -> None:
    """Two calls that parse one paper at the same time parse it once."""
    await _parse_all(pair[0], pair[0])
    assert parser.count == 1


@pytest.mark.anyio
async def test_two_programs_parse_once(pair: tuple[Services, Services], parser: CountingParser) -> None:
    """Two programs on one library that parse one paper at the same time parse it once."""
    await _parse_all(*pair)
    assert parser.count == 1


def test_two_servers_parse_to_one_entry(launch: Launch) -> None:
    """Two servers on one library that parse one paper at the same time both give its text."""
    servers = [launch(), launch()]
    servers[0].ok(FETCH, arxiv_id=LORA, format="pdf")
    servers[1].request("tools/list")
    answers = [server.begin(PARSE, arxiv_id=LORA, format="pdf") for server in servers]
    one, two = (structured(answer.result(60)) for answer in answers)
    assert one == two
    assert one["total_length"] > 10_000
