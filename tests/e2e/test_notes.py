"""Notes, over the real process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.conftest import LORA, Launch, environment, launching
from tests.e2e.notes import CREATE, DELETE, READ, SEARCH, UPDATE, put
from tests.e2e.process import FETCH, PARSE, Home, RpcError, Server
from tests.replay import StandIn

FIELDS = [
    "id",
    "provider",
    "canonical_identifier",
    "format",
    "text",
    "anchors",
    "author_name",
    "tags",
    "metadata",
    "created_at",
    "updated_at",
]
ANCHOR = {
    "location": {"page_number": 3, "section_heading": "Method", "paragraph_index": None},
    "selectors": {"exact_text_quote": "low rank", "prefix_context": None, "suffix_context": None},
}
FULL = {
    "provider": "arxiv",
    "identifier": LORA,
    "format": "pdf",
    "text": "# Ranks\r\n\r\nnaïve ½ 😀 \u0000 end ",
    "anchors": [ANCHOR, {"location": None, "selectors": ANCHOR["selectors"]}],
    "author_name": "Ada",
    "tags": ["b", "a"],
    "metadata": {"z": "1", "a": ""},
}
UNKNOWN = "0" * 16


@pytest.fixture(scope="module")
def shared(upstream: StandIn, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for tests that do not count notes."""
    with launching(Home(tmp_path_factory.mktemp("notes")), environment(upstream)) as start:
        server = start()
        server.initialize()
        yield server


def test_a_note_comes_back_as_it_was(shared: Server) -> None:
    """Every field, from create, read and search alike, in the specified order."""
    made = shared.ok(CREATE, **FULL)
    assert list(made) == FIELDS
    expected = {name: value for name, value in FULL.items() if name != "identifier"}
    assert {name: made[name] for name in expected} == expected
    assert made["canonical_identifier"] == LORA
    assert made["created_at"] == made["updated_at"] and made["created_at"].endswith("+00:00")
    assert shared.ok(READ, note_id=made["id"]) == made
    assert shared.ok(SEARCH, tags_all=["b", "a"])["fts"]["notes"] == [made]


def test_defaults_are_those_of_the_specification(shared: Server) -> None:
    """Nothing but a document and a text: no format, no author, nothing else."""
    made = put(shared, "plain")
    assert [made[name] for name in ("format", "anchors", "author_name", "tags", "metadata")] == [
        None,
        [],
        None,
        [],
        None,
    ]


@pytest.mark.parametrize(
    ("provider", "identifier", "canonical"),
    [
        ("arxiv", "2106.09685", "2106.09685"),
        ("arxiv", "https://arxiv.org/pdf/2106.09685v2.pdf", LORA),
        ("arxiv", "arXiv:hep-th/9901001", "hep-th/9901001"),
        ("arxiv", "10.48550/arXiv.2106.09685", "2106.09685"),
        ("europepmc", "PMC4767193", "PMC:PMC4767193"),
        ("europepmc", "pmid:26551875", "MED:26551875"),
        ("europepmc", "https://doi.org/10.1000/DEMO.2016.1", "10.1000/demo.2016.1"),
        ("localfile", "20260729-1430-a3f2", "20260729-1430-a3f2"),
    ],
)
def test_no_network_without_a_format(
    shared: Server, standin: StandIn, provider: str, identifier: str, canonical: str
) -> None:
    """Every spelling is understood, for papers that nobody fetched, and nobody is asked."""
    made = shared.ok(CREATE, provider=provider, identifier=identifier, text="x")
    assert made["canonical_identifier"] == canonical
    assert standin.asked == []
    assert made["id"] in [
        note["id"] for note in shared.ok(SEARCH, provider=provider, canonical_identifier=identifier)["fts"]["notes"]
    ]
    assert standin.asked == []


def test_a_format_pins_the_identifier(launch: Launch, standin: StandIn) -> None:
    """The newest version is asked for once; a version that is named, and a stored article, need no network."""
    server = launch()
    assert put(server, identifier="2106.09685", format="pdf")["canonical_identifier"] == LORA
    assert len(standin.asked) == 1
    server.ok("research_europepmc_fetch_full_text", identifier="PMC4767193")
    standin.reset()
    assert put(server, identifier="2106.09685v1", format="html")["canonical_identifier"] == "2106.09685v1"
    for more in ({"format": "xml"}, {}):
        made = server.ok(CREATE, provider="europepmc", identifier="26551875", text="x", **more)
        assert made["canonical_identifier"] == "PMC:PMC4767193"
    assert server.ok(SEARCH, provider="europepmc", canonical_identifier="10.1000/demo.2016.1")["fts"]["total"] == 2
    assert standin.asked == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"provider": "openalex"}, "'arxiv', 'europepmc' or 'localfile'"),
        ({"identifier": "PMC4767193"}, "not an arXiv identifier"),
        ({"provider": "localfile", "identifier": " "}, "which file"),
        ({"provider": "localfile", "identifier": "20260729-1430-a3f2", "format": "xml"}, "pdf"),
        ({"format": "xml"}, "pdf and html"),
        ({"format": "doc"}, "format"),
        ({"text": " \n"}, "text"),
        ({"anchors": [{}]}, "anchor"),
        ({"anchors": [{"location": {"page_number": None}, "selectors": {}}]}, "anchor"),
        ({"anchors": [{"page": 3}]}, "anchors"),
        ({"tags": [""]}, "tag"),
        ({"metadata": {"a": [1]}}, "metadata"),
    ],
)
def test_what_is_wrong_is_refused(shared: Server, change: dict[str, Any], said: str) -> None:
    """As invalid_request that says what; nothing is kept."""
    before = shared.ok(SEARCH, limit=1)["fts"]["total"]
    code, sentence = shared.fails(CREATE, **{"provider": "arxiv", "identifier": LORA, "text": "x", **change})
    assert (code, said in sentence) == ("invalid_request", True), sentence
    assert shared.ok(SEARCH, limit=1)["fts"]["total"] == before


def test_an_update_changes_what_it_names(shared: Server) -> None:
    """Left out or null is unchanged, empty clears; document, format and author stay; time moves forward."""
    made = shared.ok(CREATE, **FULL)
    changed = shared.ok(UPDATE, note_id=made["id"], text="new text", tags=None)
    assert changed == {**made, "text": "new text", "updated_at": changed["updated_at"]}
    assert changed["updated_at"] > made["updated_at"]
    cleared = shared.ok(UPDATE, note_id=made["id"], anchors=[], tags=[], metadata={})
    assert cleared == {**changed, "anchors": [], "tags": [], "metadata": {}, "updated_at": cleared["updated_at"]}
    assert shared.ok(UPDATE, note_id=made["id"]) == cleared
    for fixed in ("provider", "canonical_identifier", "format", "author_name"):
        same = shared.ok(UPDATE, note_id=made["id"], **{fixed: "arxiv"})
        assert fixed in same.pop("warnings")[0]
        assert same == cleared
    for wrong in ({"text": ""}, {"anchors": [{}]}, {"tags": [" "]}):
        assert shared.fails(UPDATE, note_id=made["id"], **wrong)[0] == "invalid_request"
    assert shared.ok(READ, note_id=made["id"]) == cleared


def test_unknown_ids_are_not_found(shared: Server) -> None:
    """For reading and changing; deleting one is no failure; the sentence says where ids come from."""
    for tool in (READ, UPDATE):
        code, sentence = shared.fails(tool, note_id=UNKNOWN)
        assert (code, "research_notes_search" in sentence) == ("not_found", True)
    for odd in ("", "../x", "x" * 2000, "\u0000"):
        assert shared.fails(READ, note_id=odd)[0] == "not_found"
        assert shared.ok(DELETE, note_id=odd) == {"result": False}


def test_a_deleted_note_is_gone(shared: Server) -> None:
    """True once, false ever after; no tool and no resource finds it."""
    made = put(shared, "unforgettable")
    assert shared.ok(SEARCH, keyword="unforgettable")["fts"]["total"] == 1
    assert [shared.ok(DELETE, note_id=made["id"]) for _ in range(2)] == [{"result": True}, {"result": False}]
    assert shared.fails(READ, note_id=made["id"])[0] == "not_found"
    assert shared.ok(SEARCH, keyword="unforgettable")["fts"]["total"] == 0
    with pytest.raises(RpcError, match="not found"):
        shared.read(f"notes://{made['id']}/export")


def test_an_export_is_the_whole_note(shared: Server) -> None:
    """File name, front matter without the text, and the text to the letter; always as the note is now."""
    made = shared.ok(CREATE, **FULL)
    content = shared.read(f"notes://{made['id']}/export")
    assert content["mimeType"] == "application/json"
    export = json.loads(content["text"])
    assert export == {
        "suggested_filename": f"ranks-{made['id']}.md",
        "frontmatter": {name: made[name] for name in FIELDS if name != "text"},
        "markdown_body": FULL["text"],
    }
    changed = shared.ok(UPDATE, note_id=made["id"], text="changed")
    export = json.loads(shared.read(f"notes://{made['id']}/export")["text"])
    assert (export["markdown_body"], export["frontmatter"]["updated_at"]) == ("changed", changed["updated_at"])


@pytest.mark.parametrize("note_id", [UNKNOWN, "x" * 500])
def test_an_export_of_nothing_is_not_found(shared: Server, note_id: str) -> None:
    """Plainly."""
    with pytest.raises(RpcError, match="not found") as caught:
        shared.read(f"notes://{note_id}/export")
    assert caught.value.data["prioris-mcp/error"]["code"] == "not_found"


def test_an_article_keeps_its_notes_under_every_spelling(launch: Launch) -> None:
    """Those written before it was fetched, under a PMID, a DOI or a PMCID, are found by each of these afterwards."""
    server = launch()
    spellings = ["MED:26551875", "10.1000/demo.2016.1", "PMC4767193"]
    for spelling in spellings:
        server.ok(CREATE, provider="europepmc", identifier=spelling, text=f"about {spelling}")
    server.ok("research_europepmc_fetch_full_text", identifier="PMC4767193")
    for spelling in [*spellings, "PMID 26551875", "https://doi.org/10.1000/DEMO.2016.1"]:
        found = server.ok(SEARCH, provider="europepmc", canonical_identifier=spelling)["fts"]
        assert (found["total"], spelling) == (3, spelling)


def test_a_find_in_one_document_finds_the_notes_about_it(launch: Launch) -> None:
    """Also those written before it was fetched, about the paper as such, and in no format."""
    server = launch()
    server.ok(CREATE, provider="arxiv", identifier="2106.09685", text="quokkas are small")
    server.ok(CREATE, provider="arxiv", identifier="2106.09685v2", format="pdf", text="quokkas are quick")
    server.ok(CREATE, provider="arxiv", identifier="2106.09685v1", text="quokkas of another version")
    server.ok(FETCH, arxiv_id="2106.09685v2", format="pdf")
    server.ok(PARSE, arxiv_id="2106.09685v2", format="pdf", limit=1)
    where = {"provider": "arxiv", "identifier": "2106.09685v2", "format": "pdf"}
    found = server.ok("research_find", query="quokkas", notes=True, **where)
    texts = {hit["snippet"] for hit in found["hits"] if hit["note_id"]}
    assert texts == {"quokkas are small", "quokkas are quick"}
