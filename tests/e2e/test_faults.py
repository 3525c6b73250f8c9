"""Every way in which arXiv can misbehave: the right category, nothing stored, and a next fetch that succeeds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.e2e.conftest import SAMPLE, environment, launching, pdf_of, uri
from tests.e2e.process import FETCH, Home, RpcError, Server
from tests.e2e.terminal import listed
from tests.replay import StandIn
from tests.replay.arxiv_feed import error as error_feed
from tests.replay.papers import papers

UNAVAILABLE, LIMITED, TOO_LARGE = "provider_unavailable", "rate_limited", "file_too_large"
INVALID, NO_FORMAT = "invalid_request", "format_unavailable"
MOST_BYTES = 100_000
SETTINGS = {
    "PRIORIS_MCP_HTTP_TIMEOUT_SECONDS": "1",
    "PRIORIS_MCP_RATE_LIMIT_BACKOFF_BUDGET_SECONDS": "1",
    "PRIORIS_MCP_MAX_DOWNLOAD_BYTES": str(MOST_BYTES),
}
PLACES = {"api": ("export.arxiv.org", "/api/*"), "pdf": ("arxiv.org", "/pdf/*")}
CAUSE = re.compile(r"\b(?:reached|silent|broke off|unpacked|within \d|asked)\b|HTTP [1-5]\d\d\b")
BROKEN_GZIP = {"status": 200, "body": "plain", "headers": {"Content-Encoding": "gzip"}}
CLASS = re.compile(r"[a-z](?:Error|Timeout|Exception)\b")
PAGE = "<html><body><h1>{}</h1></body></html>"


@dataclass(frozen=True)
class Case:
    """One fault, and the category with which a fetch has to fail where the API or the download has it."""

    name: str
    kind: str
    api: str | None
    pdf: str | None
    args: dict[str, Any] = field(default_factory=dict)
    times: int | None = None


def _status(status: int, api: str | None, pdf: str | None, body: str = "", **headers: str) -> Case:
    return Case(f"status {status}", "status", api, pdf, {"status": status, "body": body, "headers": headers})


def _redirect(name: str, location: str) -> Case:
    return Case(f"redirect to {name}", "redirect", UNAVAILABLE, UNAVAILABLE, {"location": location})


def _body(name: str, api: str | None, pdf: str | None, body: str | bytes, times: int = 1) -> Case:
    return Case(name, "body", api, pdf, {"body": body}, times)


CASES = [
    _status(500, UNAVAILABLE, UNAVAILABLE, PAGE.format("Internal Server Error")),
    _status(502, UNAVAILABLE, UNAVAILABLE),
    _status(503, UNAVAILABLE, UNAVAILABLE, PAGE.format("Service Unavailable"), **{"Retry-After": "5"}),
    _status(403, UNAVAILABLE, UNAVAILABLE, PAGE.format("Access denied")),
    _status(404, UNAVAILABLE, NO_FORMAT, PAGE.format("No document")),
    _status(204, UNAVAILABLE, UNAVAILABLE),
    Case("feed under status 500", "status", UNAVAILABLE, UNAVAILABLE, {"status": 500, "body": error_feed("x").body}),
    Case("garbage", "garbage", UNAVAILABLE, UNAVAILABLE),
    Case("reset", "reset", UNAVAILABLE, UNAVAILABLE),
    Case("truncate", "truncate", UNAVAILABLE, UNAVAILABLE),
    Case("silence", "silence", UNAVAILABLE, UNAVAILABLE),
    Case("drip", "drip", UNAVAILABLE, UNAVAILABLE, {"interval": 0.1}),
    Case("huge", "huge", TOO_LARGE, TOO_LARGE, {"size": MOST_BYTES + 1}),
    Case("huge, unannounced", "huge", TOO_LARGE, TOO_LARGE, {"size": MOST_BYTES + 1, "chunked": True}),
    Case("gzip bomb", "gzip_bomb", TOO_LARGE, TOO_LARGE, {"size": 1 << 24}),
    Case("broken gzip", "status", UNAVAILABLE, UNAVAILABLE, BROKEN_GZIP),
    _body("page instead of the answer", UNAVAILABLE, UNAVAILABLE, PAGE.format("Please wait")),
    _body("empty body", UNAVAILABLE, UNAVAILABLE, b""),
    _body("neither XML nor PDF", UNAVAILABLE, UNAVAILABLE, b"\x00\xff plain words"),
    _body("XML that is no feed", UNAVAILABLE, UNAVAILABLE, "<?xml version='1.0'?><feed/>"),
    _body("error feed under status 200", INVALID, UNAVAILABLE, error_feed("no such field").body),
    _body("rate exceeded under status 200", LIMITED, LIMITED, "Rate exceeded.", times=-1),
    Case("rate limit for ever", "rate_limit", LIMITED, LIMITED, times=-1),
    Case("rate limit for an hour", "rate_limit", LIMITED, LIMITED, {"retry_after": 3600}),
    Case("redirect loop", "redirect_loop", UNAVAILABLE, UNAVAILABLE),
    _redirect("another host", "https://evil.example/2106.09685"),
    _redirect("a private address", "http://127.0.0.1:9/2106.09685"),
    _redirect("link-local metadata", "http://169.254.169.254/latest/meta-data"),
    _redirect("a host in the user's place", "https://arxiv.org@evil.example/pdf/2106.09685"),
    _redirect("another port", "https://arxiv.org:8443/pdf/2106.09685"),
    _redirect("a look-alike", "https://arxiv.org.evil.example/pdf/2106.09685"),
    _redirect("a file", "file:///etc/passwd"),
    _redirect("nowhere", "https://[::1/"),
]
TABLE = [
    pytest.param(case, place, code, id=f"{place}-{case.name}")
    for case in CASES
    for place, code in (("api", case.api), ("pdf", case.pdf))
    if code
]


@dataclass(frozen=True)
class Outcome:
    """How a fetch failed."""

    identifier: str
    code: str
    sentence: str
    hosts: set[str]
    """Who was asked."""


class Bench:
    """One server for all cases; each takes a paper that no other has used."""

    def __init__(self, server: Server, env: dict[str, str]) -> None:
        self.server, self._env = server, env
        self.stored: set[str] = set()
        self._outcomes: dict[tuple[str, str], Outcome] = {}
        standing = (paper for paper in papers().values() if not paper.withdrawn)
        self._unused = (f"{paper.id}v{n}" for paper in standing for n in range(1, len(paper.dates) + 1))

    def outcome(self, standin: StandIn, case: Case, place: str) -> Outcome:
        """How a fetch fails with that fault at that place; every case is run once."""
        if (case.name, place) not in self._outcomes:
            host, path = PLACES[place]
            identifier = next(self._unused)
            standin.fault(case.kind, host=host, path=path, times=case.times, **case.args)
            code, sentence = self.server.fails(FETCH, arxiv_id=identifier, format="pdf")
            hosts = {asked.host for asked in standin.asked}
            self._outcomes[case.name, place] = Outcome(identifier, code, sentence, hosts)
            standin.reset()
        return self._outcomes[case.name, place]

    def listed(self) -> set[str]:
        """What the command line says is in the library."""
        return {entry["identifier"] for entry in listed(self.server.home, self._env)}

    def fetches(self, identifier: str) -> None:
        """A fetch succeeds, and what is stored is whole."""
        answer = self.server.ok(FETCH, arxiv_id=identifier, format="pdf")
        self.stored.add(identifier)
        assert answer["served_from_storage"] is False
        assert pdf_of(self.server, identifier) == SAMPLE


@pytest.fixture(scope="module")
def bench(upstream: StandIn, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """A server with little patience."""
    env = {**environment(upstream), **SETTINGS}
    with launching(Home(tmp_path_factory.mktemp("faults")), env) as start:
        yield Bench(start(), env)


def test_failures_store_nothing(bench: Bench, standin: StandIn) -> None:
    """After a failure of every kind the command line lists nothing that did not succeed."""
    failed = {bench.outcome(standin, *row.values[:2]).identifier for row in TABLE}
    assert len(failed) == len(TABLE)
    assert bench.listed() == bench.stored


@pytest.mark.parametrize(("case", "place", "code"), TABLE)
def test_fault(bench: Bench, standin: StandIn, case: Case, place: str, code: str) -> None:
    """A fault fails the fetch with its category, and nobody but arXiv is asked."""
    outcome = bench.outcome(standin, case, place)
    assert outcome.code == code
    assert outcome.hosts <= {"export.arxiv.org", "arxiv.org"}


@pytest.mark.parametrize(("case", "place", "code"), TABLE)
def test_next_fetch_succeeds(bench: Bench, standin: StandIn, case: Case, place: str, code: str) -> None:
    """After a fault nothing of the paper is there, and the next fetch of it succeeds."""
    identifier = bench.outcome(standin, case, place).identifier
    with pytest.raises(RpcError, match="Resource not found"):
        bench.server.read(uri(identifier, "pdf", "fulltext"))
    bench.fetches(identifier)


@pytest.mark.parametrize(("case", "place", "code"), [row for row in TABLE if UNAVAILABLE in row.values])
def test_cause_is_named(bench: Bench, standin: StandIn, case: Case, place: str, code: str) -> None:
    """The sentence of provider_unavailable says what happened, or names an HTTP status; it names no class."""
    sentence = bench.outcome(standin, case, place).sentence
    assert CAUSE.search(sentence), sentence
    assert not CLASS.search(sentence), sentence
