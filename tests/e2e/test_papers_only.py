"""Only a paper is stored: whatever else a source answers with success is refused by its category."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import product

import pytest

from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.settings import Settings
from prioris_mcp.wiring import open_services
from prioris_mcp.wiring.stores import open_stores
from tests.e2e.conftest import SAMPLE, environment, launching
from tests.e2e.process import FETCH, Home, Server
from tests.replay import StandIn
from tests.replay.papers import DATA

pytestmark = pytest.mark.anyio
LIST = "research_list_fetched"
ARTICLE = "research_europepmc_fetch_full_text"
JATS = (DATA / "xml" / "PMC4767193.xml").read_bytes()
PAGE = "<!DOCTYPE html><html><head><title>{0}</title></head><body><h1>{0}</h1>{1}</body></html>"
FORM = "<form action='/verify'><input name='x'><button>Go on</button></form>"
NOTICES = {
    "captcha": PAGE.format("Are you a robot?", FORM),
    "maintenance": PAGE.format("Down for maintenance", "<article><body><p>Until noon.</p></body></article>"),
    "login": PAGE.format("Sign in to read on", FORM),
    "portal": PAGE.format("Welcome to the hotel", "<p>%PDF-1.7 files are not served.</p>"),
    "json": '{"error": "not now"}',
}
PLACES = {"html": "/html/*", "pdf": "/pdf/*"}


@pytest.fixture(scope="module")
def server(upstream: StandIn, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests here, which is refused for no longer than a second."""
    env = {**environment(upstream), "PRIORIS_MCP_RATE_LIMIT_BACKOFF_BUDGET_SECONDS": "1"}
    with launching(Home(tmp_path_factory.mktemp("papers")), env) as start:
        yield start()


@pytest.mark.parametrize(("name", "kind"), list(product(NOTICES, PLACES)))
def test_a_notice_is_no_paper_of_arxiv(server: Server, standin: StandIn, name: str, kind: str) -> None:
    """A retry may help, nothing is stored, and the paper itself comes with the next fetch."""
    identifier = "1706.03762v7"
    standin.fault("body", host="arxiv.org", path=PLACES[kind], body=NOTICES[name])
    code, sentence = server.fails(FETCH, arxiv_id=identifier, format=kind)
    assert code == "provider_unavailable" and sentence.endswith("try again later")
    assert server.ok(LIST)["total"] == 0
    assert server.ok(FETCH, arxiv_id=identifier, format=kind)["served_from_storage"] is False
    server.ok("research_delete_fetched", entries=[_entry("arxiv", identifier, kind)])


@pytest.mark.parametrize("name", NOTICES)
def test_a_notice_is_no_article_of_europe_pmc(server: Server, standin: StandIn, name: str) -> None:
    """Although a web page can hold an element that is called article."""
    standin.fault("body", path="*/fullTextXML", body=NOTICES[name])
    assert server.fails(ARTICLE, identifier="PMC4767193")[0] == "provider_unavailable"
    assert server.ok(LIST)["total"] == 0


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (PAGE.format("No HTML for '1706.03762v7'", ""), "format_unavailable"),
        (PAGE.format("Rate exceeded", "<p>Please wait.</p>"), "rate_limited"),
    ],
)
def test_a_page_that_says_why_gives_that_category(server: Server, standin: StandIn, body: str, code: str) -> None:
    """Also where it comes as a success."""
    standin.fault("body", host="arxiv.org", path="/html/*", body=body, times=-1)
    assert server.fails(FETCH, arxiv_id="1706.03762v7", format="html")[0] == code
    assert server.ok(LIST)["total"] == 0


@pytest.mark.parametrize(
    ("path", "body", "call"),
    [
        ("/pdf/*", SAMPLE[: len(SAMPLE) // 2], (FETCH, {"arxiv_id": "2106.09685v2", "format": "pdf"})),
        (
            "/html/*",
            (DATA / "html" / "2106.09685.html").read_bytes()[:5000],
            (FETCH, {"arxiv_id": "2106.09685v2", "format": "html"}),
        ),
        ("*/fullTextXML", JATS[: len(JATS) - 200], (ARTICLE, {"identifier": "PMC4767193"})),
    ],
    ids=["pdf", "html", "xml"],
)
def test_a_paper_that_breaks_off_is_not_stored(
    server: Server, standin: StandIn, path: str, body: bytes, call: tuple[str, dict[str, str]]
) -> None:
    """Its end tells, also where the connection does not."""
    standin.fault("body", path=path, body=body)
    name, arguments = call
    code, sentence = server.fails(name, **arguments)
    assert code == "provider_unavailable" and "breaks off" in sentence
    assert server.ok(LIST)["total"] == 0


def test_an_upload_whose_chunks_were_refused_is_not_stored(server: Server) -> None:
    """A caller that sends them in any order, and ends all the same, learns what to do."""
    session = server.ok("research_localfile_begin_upload")["session_id"]
    pieces = [SAMPLE[at : at + 5000] for at in range(0, len(SAMPLE), 5000)]
    for index in (0, 2, 3, 1):
        chunk = base64.b64encode(pieces[index]).decode()
        server.call("research_localfile_upload_chunk", {"session_id": session, "index": index, "chunk_base64": chunk})
    code, sentence = server.fails("research_localfile_finalize_upload", session_id=session)
    assert code == "invalid_request" and "a part is missing" in sentence
    assert server.ok(LIST)["total"] == 0


def _entry(provider: str, identifier: str, kind: str) -> dict[str, str]:
    return {"provider": provider, "identifier": identifier, "format": kind, "artefact": "all"}


@pytest.mark.parametrize(
    ("key", "content"),
    [
        (DocumentKey(ProviderName("arxiv"), "2106.09685v2", SourceFormat.HTML), NOTICES["captcha"].encode()),
        (DocumentKey(ProviderName("arxiv"), "2106.09685v2", SourceFormat.PDF), SAMPLE[:300]),
        (DocumentKey(ProviderName("europepmc"), "PMC:PMC4767193", SourceFormat.XML), NOTICES["maintenance"].encode()),
    ],
    ids=["html", "pdf", "xml"],
)
async def test_what_an_older_version_stored_is_asked_for_anew(
    settings: Settings, standin: StandIn, key: DocumentKey, content: bytes
) -> None:
    """Once: the paper itself is in its place then, and is served from the library."""
    with ExitStack() as lifetimes:
        await open_stores(settings, lifetimes).library.write_document(key, content, original_identifier="x")
    async with open_services(settings) as services:
        assert await services.library.document(key) == content
        found = [await services.fetch(key.provider, key.identifier, key.format) for _ in range(2)]
        assert [item.served_from_storage for item in found] == [False, True]
        assert await services.library.document(key) != content
