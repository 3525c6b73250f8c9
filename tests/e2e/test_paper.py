"""Papers found and fetched through the whole program."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.e2e.conftest import LORA, SAMPLE, Launch, downloads
from tests.e2e.process import FETCH, METADATA, NEWEST, PARSE, SEARCH, Home, Server
from tests.replay import StandIn
from tests.replay.papers import papers

pytestmark = pytest.mark.usefixtures("standin")


# -- finding


def test_search_finds(library: Server) -> None:
    """A search gives the paper with authors in order, its newest version, and the count of all matches."""
    found = library.ok(SEARCH, query='ti:"low-rank adaptation"')
    assert found["total_results"] == 1
    record = found["results"][0]
    assert (record["arxiv_id"], record["authors"][0]["name"]) == (LORA, "Edward J. Hu")
    assert record["title"] == papers()["2106.09685"].title


def test_search_pages(library: Server) -> None:
    """Two pages of a search are the two halves of the page that holds both."""
    both = library.ok(SEARCH, query="cat:cs.CL", max_results=4)["results"]
    halves = [library.ok(SEARCH, query="cat:cs.CL", max_results=2, start=start)["results"] for start in (0, 2)]
    assert len(both) == 4
    assert halves[0] + halves[1] == both


def test_two_exclusions_are_bracketed(library: Server, standin: StandIn) -> None:
    """Two excluded classes are sent in brackets, without which arXiv would bring one of them back."""
    found = library.ok(NEWEST, include_categories=["cs.CL"], exclude_categories=["cs.LG", "cs.AI"], n=20)
    (asked,) = standin.asked
    assert asked.query["search_query"] == "cat:cs.CL ANDNOT (cat:cs.LG OR cat:cs.AI)"
    assert found["results"]
    assert not any({"cs.LG", "cs.AI"} & set(record["categories"]) for record in found["results"])


def test_list_is_newest_first(library: Server) -> None:
    """The papers submitted last come first, and no more than were asked for."""
    dates = [record["published"] for record in library.ok(NEWEST, include_categories=["cs.CL"], n=5)["results"]]
    assert len(dates) == 5
    assert dates == sorted(dates, reverse=True)


def test_many_identifiers_cost_two_requests(library: Server, standin: StandIn) -> None:
    """Of 130 identifiers the well-formed ones are asked for in two requests, each with its max_results."""
    known, unknown = list(papers()), [f"9912.{n:05}" for n in range(130 - len(papers()) - 2)]
    wanted = [*unknown, "no identifier", *known, "2106.096"]
    answer = library.ok(METADATA, arxiv_ids=wanted)
    assert len(wanted) == 130
    assert [record["arxiv_id"] for record in answer["results"]] == [paper.name for paper in papers().values()]
    assert answer["not_found"] == [*unknown, "no identifier", "2106.096"]
    sent = [(asked.query["id_list"].split(","), asked.query["max_results"]) for asked in standin.asked]
    assert [(len(ids), most) for ids, most in sent] == [(100, "100"), (28, "28")]
    assert sorted(sent[0][0] + sent[1][0]) == sorted(unknown + known)


def test_categories_are_sorted_and_single(library: Server) -> None:
    """The list of subject classes names each once, by code, leaves archives with subclasses out, and keeps names."""
    content = library.read("research://arxiv/categories")
    listed = json.loads(content["text"])["categories"]
    codes = [entry["code"] for entry in listed]
    assert content["mimeType"] == "application/json"
    assert codes == sorted(set(codes))
    assert {"code": "cs.CL", "name": "Computation and Language"} in listed
    assert {"hep-th", "gr-qc", "astro-ph.CO"} <= set(codes)
    assert not {"cs", "astro-ph", "physics"} & set(codes)


# -- fetching


def test_fetch_names_what_it_stored(library: Server) -> None:
    """The answer to a fetch names the version, the size and the resource of what is stored."""
    answer = library.ok(FETCH, arxiv_id="1512.03385", format="pdf")
    assert answer == {
        "location": "arxiv/1512.03385v1/pdf/document",
        "format": "pdf",
        "size_bytes": len(SAMPLE),
        "served_from_storage": False,
        "resource_uri": "research://arxiv/1512.03385v1/pdf/fulltext",
    }


def test_second_fetch_is_served_from_storage(library: Server, standin: StandIn) -> None:
    """What is stored is not asked for again."""
    answer = library.ok(FETCH, arxiv_id=LORA, format="pdf")
    assert (answer["served_from_storage"], answer["size_bytes"], standin.asked) == (True, len(SAMPLE), [])


def test_withdrawn_paper_is_unavailable(library: Server, standin: StandIn) -> None:
    """The PDF of a withdrawn version is format_unavailable, with arXiv's own reason."""
    code, sentence = library.fails(FETCH, arxiv_id="1511.07473", format="pdf")
    assert (code, "has been withdrawn" in sentence) == ("format_unavailable", True)
    assert downloads(standin) == ["/pdf/1511.07473v2"]


def test_paper_without_html_is_unavailable(library: Server) -> None:
    """The HTML of a paper that has none is format_unavailable, and the sentence names the other format."""
    code, sentence = library.fails(FETCH, arxiv_id="1412.6980", format="html")
    assert (code, "format='pdf'" in sentence) == ("format_unavailable", True)


@pytest.mark.parametrize("identifier", ["9912.34567", "2106.09685v9", "hep-th/9912345"])
def test_unknown_paper_is_not_found(library: Server, standin: StandIn, identifier: str) -> None:
    """A well-formed identifier that arXiv does not know is not_found, and no document is asked for."""
    assert library.fails(FETCH, arxiv_id=identifier, format="pdf")[0] == "not_found"
    assert downloads(standin) == []


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        (SEARCH, {"query": "?"}, "invalid_request"),
        (SEARCH, {"query": "x", "max_results": 2001}, "invalid_request"),
        (NEWEST, {"include_categories": [], "n": 1}, "invalid_request"),
        (METADATA, {"arxiv_ids": []}, "invalid_request"),
        (FETCH, {"arxiv_id": "LoRA", "format": "pdf"}, "invalid_request"),
        (FETCH, {"arxiv_id": LORA, "format": "docx"}, "invalid_request"),
        (FETCH, {"format": "pdf"}, "invalid_request"),
        (PARSE, {"arxiv_id": LORA, "format": "pdf", "page": "one"}, "invalid_request"),
        ("research_arxiv_delete", {}, "invalid_request"),
    ],
)
def test_failures_have_a_category(library: Server, tool: str, arguments: dict[str, Any], code: str) -> None:
    """Every failing call has its category in `_meta` and begins with the specified words."""
    found, sentence = library.fails(tool, **arguments)
    assert found == code
    assert sentence.startswith(f"Error calling tool '{tool}': ")


def test_an_older_paper_comes_from_ar5iv(launch: Launch, standin: StandIn) -> None:
    """Where arXiv has no page of it: said once, stored as any other; not asked where that is not wanted."""
    server = launch()
    server.initialize()
    fetched = server.ok(FETCH, arxiv_id="1602.03837", format="html")
    assert fetched["warnings"] == ["arXiv has no html of this; it is ar5iv.labs.arxiv.org's"]
    assert server.ok(PARSE, arxiv_id="1602.03837", format="html")["markdown"].startswith("# Observation of")
    again = server.ok(FETCH, arxiv_id="1602.03837", format="html")
    assert again["served_from_storage"] and "warnings" not in again
    assert [asked.host for asked in standin.asked if asked.path.startswith("/html/")] == [
        "arxiv.org",
        "ar5iv.labs.arxiv.org",
    ]
    alone = launch({"PRIORIS_MCP_AR5IV": "false"}, home=Home(server.home.root.parent / "alone"))
    alone.initialize()
    assert alone.fails(FETCH, arxiv_id="1602.03837", format="html")[0] == "format_unavailable"
