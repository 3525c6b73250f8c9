"""Europe PMC, DOIs and identifiers, over the real process and the simulated upstream."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.e2e.conftest import Launch
from tests.e2e.process import Server
from tests.replay import StandIn

SEARCH = "research_europepmc_search"
METADATA = "research_europepmc_fetch_metadata"
FETCH = "research_europepmc_fetch_full_text"
PARSE = "research_europepmc_parse_full_text"
RESOLVE = "research_resolve_identifier"


@pytest.fixture
def server(launch: Launch) -> Server:
    """A server in a home of its own."""
    found = launch()
    found.initialize()
    return found


def queries(standin: StandIn) -> list[str]:
    """The queries that Europe PMC was asked."""
    return [asked.query["query"] for asked in standin.asked if "query" in asked.query]


def test_spellings_of_one_article_reach_one_document(server: Server, standin: StandIn) -> None:
    """By PMID, PMCID, DOI and page address: one download, one stored document, and the truth about storage."""
    spellings = ["26551875", "PMC4767193", "10.1000/DEMO.2016.1", "https://europepmc.org/articles/pmc4767193"]
    results = [server.ok(FETCH, identifier=spelling) for spelling in spellings]
    assert [result["served_from_storage"] for result in results] == [False, True, True, True]
    assert {result["resource_uri"] for result in results} == {"research://europepmc/PMC:PMC4767193/xml/fulltext"}
    assert len([target for target in standin.targets() if target.endswith("/fullTextXML")]) == 1
    assert len(queries(standin)) == 1
    read = [server.ok(PARSE, identifier=spelling)["markdown"] for spelling in spellings]
    assert len(set(read)) == 1
    assert read[0].startswith("# Uptake of")
    assert len(server.ok("research_list_fetched")["entries"]) == 2


def test_a_stored_article_needs_no_network(server: Server, standin: StandIn) -> None:
    """Under every spelling, and as a resource."""
    server.ok(FETCH, identifier="PMC4767193")
    standin.reset()
    for spelling in ("MED:26551875", "doi:10.1000/demo.2016.1", "PMC:4767193"):
        server.ok(PARSE, identifier=spelling)
    assert "<article" in server.read("research://europepmc/MED:26551875/xml/fulltext")["text"]
    assert standin.asked == []


def test_every_spelling_goes_with_the_document(server: Server) -> None:
    """After a delete by PMID, no spelling finds it."""
    server.ok(FETCH, identifier="PMC4767193")
    server.ok(PARSE, identifier="PMC4767193")
    entry = {"provider": "europepmc", "identifier": "26551875", "format": "xml", "artefact": "all"}
    assert server.ok("research_delete_fetched", entries=[entry])["deleted"] == [entry]
    for spelling in ("PMC4767193", "26551875", "10.1000/demo.2016.1"):
        assert server.fails(PARSE, identifier=spelling)[0] == "not_found"


@pytest.mark.parametrize(
    ("identifier", "code", "words"),
    [
        ("PMC12175493", "format_unavailable", "does not host|open-access"),
        ("AGR:IND608974682", "format_unavailable", "does not host"),
        ("PMC9000001", "format_unavailable", "front matter only"),
        ("MED:99999999", "not_found", "Europe PMC knows no article MED:99999999; check .* research_europepmc_search"),
        ("10.1000/unknown", "not_found", "knows no article"),
        ("2106.09685", "invalid_request", "research_arxiv_"),
        ("nonsense", "invalid_request", "not a Europe PMC identifier"),
        ("MED:1) OR (SRC:MED", "invalid_request", "not a Europe PMC identifier"),
    ],
)
def test_what_has_no_full_text_says_why(server: Server, identifier: str, code: str, words: str) -> None:
    """In a sentence; nothing is stored."""
    found, sentence = server.fails(FETCH, identifier=identifier)
    assert found == code
    assert re.search(words, sentence), sentence
    assert server.ok("research_list_fetched")["total"] == 0


def test_preprints_have_a_full_text_of_their_own(server: Server) -> None:
    """Under the number of their record."""
    assert server.ok(FETCH, identifier="PPR1036674")["resource_uri"].startswith("research://europepmc/PPR:PPR1036674/")


def test_metadata_in_order_and_in_plain_text(server: Server, standin: StandIn) -> None:
    """Any spelling, each answered; markup is gone and its meaning kept; malformed ones are never sent."""
    asked = ["PMC12175493", "x y", "10.1000/demo.2016.1", "MED:1", "PMID: 26551875"]
    found = server.ok(METADATA, identifiers=asked)
    first, second, third = found["results"]
    assert [record["identifier"] for record in found["results"]] == ["PMC:PMC12175493", "MED:26551875", "MED:26551875"]
    assert found["not_found"] == ["x y", "MED:1"]
    assert second == third
    assert second["title"] == "Uptake of H2O by made-up cells"
    assert second["abstract"] == ("Background: Cells take up water (P<0.001 for 10^7 cells). Results: They do & did.")
    assert [author["full_name"] for author in second["authors"]] == ["Hartley M", "The Demo Consortium"]
    assert (second["full_text_available"], first["full_text_available"]) == (True, True)
    (query,) = queries(standin)
    assert "PMCID:PMC12175493" in query
    assert "(EXT_ID:26551875 AND SRC:MED)" in query
    assert "x y" not in query


def test_large_batches_are_split_and_whole(server: Server, standin: StandIn) -> None:
    """A hundred and twenty identifiers: none is lost to a default page size."""
    asked = [f"MED:{number}" for number in range(31000000, 31000120)]
    found = server.ok(METADATA, identifiers=asked)
    assert [record["identifier"] for record in found["results"]] == asked
    assert len(queries(standin)) >= 3
    assert all(int(request.query["pageSize"]) >= 2 for request in standin.asked)


def test_pages_follow_the_cursor_to_the_end(server: Server, standin: StandIn) -> None:
    """The cursor goes back as it came, encoded once; the last page has none."""
    seen: list[str] = []
    arguments: dict[str, Any] = {"query": "filler article", "page_size": 50}
    while True:
        page = server.ok(SEARCH, **arguments)
        seen += [record["identifier"] for record in page["results"]]
        if "next_cursor_mark" not in page:
            break
        arguments["cursor_mark"] = page["next_cursor_mark"]
    assert len(seen) == len(set(seen)) == page["hit_count"] == 120
    assert {request.query["synonym"] for request in standin.asked} == {"false"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"query": "  "}, "nothing to search for"),
        ({"query": "x", "page_size": 0}, "page_size must be 1 to 1000"),
        ({"query": "x", "page_size": 1001}, "page_size must be 1 to 1000"),
        ({"query": "x", "cursor_mark": ""}, "cursor_mark must be"),
    ],
)
def test_what_cannot_be_asked_is_not_sent(server: Server, standin: StandIn, arguments: Any, words: str) -> None:
    """Checked here."""
    code, sentence = server.fails(SEARCH, **arguments)
    assert code == "invalid_request"
    assert words in sentence
    assert standin.asked == []


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ('{"errCode":404,"errMsg":"No search criteria provided."}', "invalid_request"),
        ('{"errCode":500,"errMsg":"Solr is down"}', "provider_unavailable"),
        ('{"version":"6.10"}', "invalid_request"),
        ("<html>maintenance</html>", "provider_unavailable"),
        ("", "provider_unavailable"),
        ("[]", "provider_unavailable"),
    ],
)
def test_errors_dressed_as_answers_are_errors(server: Server, standin: StandIn, body: str, code: str) -> None:
    """Never an empty list."""
    standin.fault("body", host="www.ebi.ac.uk", body=body)
    assert server.fails(SEARCH, query="cells")[0] == code


@pytest.mark.parametrize(
    ("identifier", "kind", "result", "asked"),
    [
        ("2106.09685v1", "pdf", ("arxiv", "2106.09685v1", "https://arxiv.org/pdf/2106.09685v1"), 0),
        (
            "https://arxiv.org/abs/2106.09685",
            "HTML",
            ("arxiv", "2106.09685v2", "https://arxiv.org/html/2106.09685v2"),
            1,
        ),
        ("10.48550/arXiv.2106.09685", "pdf", ("arxiv", "2106.09685v2", "https://arxiv.org/pdf/2106.09685v2"), 2),
        ("doi:10.48550/arXiv.2106.09685v1", "pdf", ("arxiv", "2106.09685v1", "https://arxiv.org/pdf/2106.09685v1"), 1),
    ],
)
def test_arxiv_identifiers_resolve(
    server: Server, standin: StandIn, identifier: str, kind: str, result: tuple[str, str, str], asked: int
) -> None:
    """With no more requests than needed; DOIs go to doi.org first, without their version."""
    found = server.ok(RESOLVE, identifier=identifier, format=kind)["result"]
    assert (found["provider"], found["identifier"], found["resolved_url"]) == result
    assert "full_text_available" not in found
    assert len(standin.asked) == asked
    assert not any("v1" in target for target in standin.targets("doi.org"))


def test_europe_pmc_identifiers_resolve(server: Server, standin: StandIn) -> None:
    """Also a DOI that leads to one of its pages."""
    for identifier in ("PMC4767193", "10.1000/demo.2016.1"):
        found = server.ok(RESOLVE, identifier=identifier, format="xml")["result"]
        assert (found["provider"], found["identifier"], found["full_text_available"]) == (
            "europepmc",
            "PMC:PMC4767193",
            True,
        )
        assert found["resolved_url"].endswith("/PMC4767193/fullTextXML")
    assert standin.targets("doi.org") == ["/10.1000/demo.2016.1"]


@pytest.mark.parametrize(
    ("identifier", "kind", "code", "words", "asked"),
    [
        ("10.1103/PhysRevB.102.165125", "pdf", "unsupported_provider", "link.aps.org", 1),
        ("10.1126/foo", "pdf", "not_found", "DOI not registered", 1),
        ("10.9999", "pdf", "invalid_request", "not an identifier", 0),
        ("abc", "pdf", "unsupported_provider", "no source", 0),
        ("XYZ:123", "xml", "unsupported_provider", "MED, PMC, PPR", 0),
        ("20260729-1430-a3f2", "pdf", "unsupported_provider", "research_localfile_", 0),
        ("https://arxiv.org@evil.example/abs/2106.09685", "pdf", "unsupported_provider", "address", 0),
        ("", "pdf", "invalid_request", "not an identifier", 0),
        ("2106.09685v1", "xml", "invalid_request", "arxiv offers pdf and html", 0),
        ("PMC4767193", "pdf", "invalid_request", "europepmc offers xml", 0),
        ("10.1002/(SICI)1097-4636(199823)43:2<119::AID-JBM5>3.0.CO;2-J", "pdf", "not_found", "not registered", 1),
    ],
)
def test_what_does_not_resolve(
    server: Server, standin: StandIn, identifier: str, kind: str, code: str, words: str, asked: int
) -> None:
    """The right category, with exactly the requests that were needed."""
    found, sentence = server.fails(RESOLVE, identifier=identifier, format=kind)
    assert (found, len(standin.asked)) == (code, asked), sentence
    assert words in sentence


@pytest.mark.parametrize(
    ("location", "code"),
    [
        ("http://169.254.169.254/latest/meta-data/", "unsupported_provider"),
        ("https://arxiv.org@evil.example/abs/2106.09685", "unsupported_provider"),
        ("http://arxiv.org.evil.example/abs/2106.09685", "unsupported_provider"),
        ("https://arxiv.org:8443/abs/2106.09685", "unsupported_provider"),
        ("file:///etc/passwd", "unsupported_provider"),
        ("https://doi.org/10.1000/x", "provider_unavailable"),
    ],
)
def test_redirects_of_a_doi_are_read_and_never_followed(
    server: Server, standin: StandIn, location: str, code: str
) -> None:
    """No request to where they point; a circle at doi.org ends."""
    standin.fault("redirect", host="doi.org", location=location, times=-1)
    assert server.fails(RESOLVE, identifier="10.1000/x", format="pdf")[0] == code
    assert {asked.host for asked in standin.asked} == {"doi.org"}
    assert len(standin.asked) <= 4


def test_arxiv_dois_work_without_doi_org(server: Server, standin: StandIn) -> None:
    """Their text says which paper they mean."""
    standin.fault("status", host="doi.org", status=503, times=-1)
    assert (
        server.ok(RESOLVE, identifier="10.48550/arXiv.2106.09685v1", format="pdf")["result"]["identifier"]
        == "2106.09685v1"
    )
    assert server.fails(RESOLVE, identifier="10.1000/demo.2016.1", format="xml")[0] == "provider_unavailable"
