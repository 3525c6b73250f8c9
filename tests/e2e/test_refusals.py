"""What the server does when arXiv asks it to slow down."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.e2e.conftest import SPACING, downloads, environment, launching
from tests.e2e.process import FETCH, METADATA, Home, Server, failure
from tests.replay import StandIn

BUDGET = 2
PAUSE = 0.1
SETTINGS = {
    "PRIORIS_MCP_RESPONSE_CACHE_TTL": "0",
    "PRIORIS_MCP_RATE_LIMIT_BACKOFF_BUDGET_SECONDS": str(BUDGET),
    SPACING: str(PAUSE),
}
UNUSED = (f"1706.03762v{n}" if n < 8 else f"1412.6980v{n - 7}" for n in range(1, 17))
PLACES = {"api": ("export.arxiv.org", "/api/*"), "pdf": ("arxiv.org", "/pdf/*")}


@pytest.fixture(scope="module")
def server(upstream: StandIn, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests here."""
    env = {**environment(upstream), **SETTINGS}
    with launching(Home(tmp_path_factory.mktemp("refusals")), env) as start:
        yield start()


@pytest.fixture
def paper() -> str:
    """A paper that was not fetched before."""
    return next(UNUSED)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("retry_after", [None, 0, "0", "soon", "-1", "Thu, 01 Jan 1970 00:00:00 GMT"])
def test_one_refusal_is_waited_out(
    server: Server, standin: StandIn, paper: str, place: str, retry_after: float | str | None
) -> None:
    """A refusal whose Retry-After is missing or says nothing is waited out, and then all is well."""
    host, path = PLACES[place]
    standin.fault("rate_limit", host=host, path=path, retry_after=retry_after)
    assert server.ok(FETCH, arxiv_id=paper, format="pdf")["served_from_storage"] is False
    assert len(standin.asked) == 3
    assert min(standin.gaps()) >= PAUSE


def test_pauses_grow(server: Server, standin: StandIn) -> None:
    """Every further refusal doubles the pause."""
    standin.fault("rate_limit", times=3)
    server.ok(METADATA, arxiv_ids=["2106.09685"])
    assert [gap >= least for gap, least in zip(standin.gaps(), (PAUSE, 2 * PAUSE, 4 * PAUSE), strict=True)] == [
        True
    ] * 3


def test_short_retry_after_is_kept(server: Server, standin: StandIn) -> None:
    """A Retry-After within the budget is waited for."""
    standin.fault("rate_limit", retry_after=1)
    server.ok(METADATA, arxiv_ids=["2106.09685"])
    assert len(standin.asked) == 2
    assert standin.gaps()[0] >= 1


def test_long_retry_after_fails_at_once(server: Server, standin: StandIn) -> None:
    """A Retry-After beyond the budget fails at once, and the sentence names it."""
    standin.fault("rate_limit", retry_after=3600)
    code, sentence = server.fails(METADATA, arxiv_ids=["2106.09685"])
    assert (code, "3600 s" in sentence) == ("rate_limited", True)
    assert len(standin.asked) == 1


def test_rate_limited_may_be_retried(server: Server, standin: StandIn) -> None:
    """The category of a refusal tells a program that another try may help."""
    standin.fault("rate_limit", retry_after=3600)
    result = server.call(METADATA, {"arxiv_ids": ["2106.09685"]})
    assert result["_meta"]["prioris-mcp/error"] == {"code": "rate_limited", "retryable": True}


def test_queue_fails_within_the_budget(server: Server, standin: StandIn) -> None:
    """While arXiv refuses everybody, ten calls that came together all fail within the budget of one."""
    standin.fault("rate_limit", times=-1)
    started = time.monotonic()
    answers = [server.begin(METADATA, arxiv_ids=[f"2106.{n:05}"]) for n in range(10)]
    codes = [failure(answer.result(30))[0] for answer in answers]
    assert codes == ["rate_limited"] * 10
    assert time.monotonic() - started < 4 * BUDGET


def test_sentence_of_a_refusal_says_what_to_do(server: Server, standin: StandIn) -> None:
    """A call that ran out of its budget says that arXiv refuses, and to try again."""
    standin.fault("rate_limit", times=-1)
    _, sentence = server.fails(METADATA, arxiv_ids=["2106.09685"])
    assert "arXiv refuses requests" in sentence and "try again" in sentence


def test_refused_download_is_not_repeated_elsewhere(server: Server, standin: StandIn, paper: str) -> None:
    """A refused download asks for the same file again, and for nothing else."""
    standin.fault("rate_limit", path="/pdf/*", times=2)
    server.ok(FETCH, arxiv_id=paper, format="pdf")
    assert downloads(standin) == [f"/pdf/{paper}"] * 3
