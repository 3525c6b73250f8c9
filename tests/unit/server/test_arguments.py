"""What models send, and what they meant."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from prioris_mcp.domain.notes.note import Location
from prioris_mcp.errors import InvalidRequestError
from prioris_mcp.models.notes import AnchorLocation
from prioris_mcp.server.arguments.repair import REMARKS, understood
from scripts.generate import pages

PAPERS = {
    "properties": {"arxiv_ids": {"type": "array", "items": {"type": "string"}}},
    "required": ["arxiv_ids"],
}
PAPER = {
    "properties": {
        "arxiv_id": {"type": "string"},
        "format": {"type": "string", "enum": ["pdf", "html"]},
        "offset": {"type": "integer"},
        "text": {"type": "string"},
        "metadata": {"type": "object"},
        "entries": {"type": "array", "items": {"type": "object"}},
        "formats": {"type": "array", "items": {"type": "string", "enum": ["pdf", "html"]}},
    },
    "required": ["arxiv_id"],
}
NAMED = {"properties": {"note_id": {"type": "string"}, "provider": {"type": "string", "enum": ["arxiv"]}}}


@pytest.mark.parametrize(
    ("schema", "sent", "meant"),
    [
        (PAPERS, {"arxiv_ids": "2106.09685"}, {"arxiv_ids": ["2106.09685"]}),
        (PAPERS, {"arxiv_ids": '["2106.09685"]'}, {"arxiv_ids": ["2106.09685"]}),
        (PAPERS, {"arxiv_ids": '["2106.09685"'}, {"arxiv_ids": ['["2106.09685"']}),
        (PAPERS, {"id": "2106.09685"}, {"arxiv_ids": ["2106.09685"]}),
        (PAPERS, {"arxiv_ids": ""}, {"arxiv_ids": []}),
        (PAPER, {"identifier": "x"}, {"arxiv_id": "x"}),
        (PAPER, {"arxiv_id": "x", "format": "HTML "}, {"arxiv_id": "x", "format": "html"}),
        (PAPER, {"arxiv_id": "x", "format": "", "offset": None}, {"arxiv_id": "x"}),
        (PAPER, {"arxiv_id": "x", "offset": " 5 "}, {"arxiv_id": "x", "offset": 5}),
        (PAPER, {"arxiv_id": "x", "offset": "5.5"}, {"arxiv_id": "x", "offset": "5.5"}),
        (PAPER, {"arxiv_id": "x", "format": "docx"}, {"arxiv_id": "x", "format": "docx"}),
        (PAPER, {"arxiv_id": None, "text": ""}, {"arxiv_id": None, "text": ""}),
        (PAPER, {"arxiv_id": "x", "metadata": '{"a": "b"}'}, {"arxiv_id": "x", "metadata": {"a": "b"}}),
        (PAPER, {"arxiv_id": "x", "metadata": "[1]"}, {"arxiv_id": "x", "metadata": "[1]"}),
        (PAPER, {"arxiv_id": "x", "entries": {"a": 1}}, {"arxiv_id": "x", "entries": [{"a": 1}]}),
        (PAPER, {"arxiv_id": "x", "entries": '{"a": 1}'}, {"arxiv_id": "x", "entries": [{"a": 1}]}),
        (PAPER, {"arxiv_id": "x", "formats": ["PDF", "x"]}, {"arxiv_id": "x", "formats": ["pdf", "x"]}),
        (PAPER, {"arxiv_id": "x", "entries": "[" * 5000}, {"arxiv_id": "x", "entries": ["[" * 5000]}),
        ({}, {}, {}),
    ],
)
def test_slips_are_understood(schema, sent, meant):
    """What can mean only one thing is that; everything else is left for the tool to refuse."""
    found = understood(schema, sent)
    assert (found.arguments, found.dropped) == (meant, [])


@pytest.mark.parametrize(
    ("schema", "sent", "kept", "dropped"),
    [
        (PAPER, {"arxiv_id": "x", "reason": "y"}, {"arxiv_id": "x"}, ["reason"]),
        (PAPER, {"arxiv_id": "x", "id": "y"}, {"arxiv_id": "x"}, ["id"]),
        (NAMED, {"id": "y", "provider": " "}, {}, ["id"]),
    ],
)
def test_what_no_tool_knows_is_dropped(schema, sent, kept, dropped):
    """By name, so that it can be logged; a second name for an identifier does not replace the first."""
    found = understood(schema, sent)
    assert (found.arguments, found.dropped) == (kept, dropped)
    assert [warning.partition(":")[0] for warning in found.warnings] == [name for name in dropped if name != "reason"]


TOOLS: dict[str, dict[str, Any]] = {
    tool["name"]: tool["inputSchema"]
    for tool in json.loads(next(text for path, text in pages().items() if path.name == "tools.json"))
}
each_tool = pytest.mark.parametrize("name", TOOLS)
NOTHING = ["", " ", "null", "None", "undefined", ["null"], None, [None]]
SEARCHES = [name for name, schema in TOOLS.items() if {"query", "keyword"} & set(schema["properties"])]
LIMITS = {"limit", "max_results", "page_size", "n"}


@each_tool
def test_what_means_nothing_is_left_out(name):
    """Of every optional parameter that is no text of the caller's own, whatever a client writes for it."""
    schema = TOOLS[name]
    own = {"text", "query", "keyword", "cursor_mark"} | set(schema.get("required", []))
    optional = [parameter for parameter in schema["properties"] if parameter not in own]
    for nothing in NOTHING:
        assert understood(schema, dict.fromkeys(optional, nothing)).arguments == {}, nothing


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("word", ["query", "q", "text", "keyword", "keywords", "search_query", "Query"])
def test_one_word_for_one_thing_in_every_search(name, word):
    """Whichever of the two a tool has."""
    (own,) = {"query", "keyword"} & set(TOOLS[name]["properties"])
    assert understood(TOOLS[name], {word: "x"}).arguments == {own: "x"}


@each_tool
@pytest.mark.parametrize("word", ["limit", "max_results", "page_size", "n", "maxResults", "top_k"])
def test_how_many_is_understood_where_a_tool_can_be_told(name, word):
    """Under the name that it has; else the caller learns that it is ignored."""
    own = LIMITS & set(TOOLS[name]["properties"])
    found = understood(TOOLS[name], {word: 7})
    assert found.arguments == dict.fromkeys(own, 7)
    assert bool(found.warnings) == (not own)


@pytest.mark.parametrize(
    ("name", "sent", "kept"),
    [
        ("research_notes_create", {"tag": "todo"}, {"tags": ["todo"]}),
        ("research_notes_create", {"tags": "a, b"}, {"tags": ["a", "b"]}),
        ("research_notes_create", {"tags": "a"}, {"tags": ["a"]}),
        ("research_notes_create", {"labels": ["a, b", 7]}, {"tags": ["a, b", "7"]}),
        ("research_notes_create", {"metadata": {"n": 3, "x": 1.5, "b": True, "s": "t", "z": None}},
         {"metadata": {"n": "3", "x": "1.5", "b": "true", "s": "t"}}),
        ("research_notes_create", {"metadata": []}, {}),
        ("research_notes_create", {"author_name": "null", "tags": ["null"], "text": "null"}, {"text": "null"}),
        ("research_notes_search", {"tag": "todo"}, {"tags_all": ["todo"]}),
        ("research_notes_search", {"text": "x"}, {"keyword": "x"}),
        ("research_notes_search", {"since": "2026", "page_size": 5}, {"date_from": "2026", "limit": 5}),
        ("research_notes_read", {"id": "x"}, {"note_id": "x"}),
        (
            "research_delete_fetched",
            {"entries": {"provider": "ArXiv", "id": "x", "format": "null", "artefact": "all", "why": "y"}},
            {"entries": [{"provider": "arxiv", "identifier": "x", "artefact": "all", "why": "y"}]},
        ),
        (
            "research_notes_create",
            {"anchors": [{"location": None, "selectors": {"exact_text_quote": "none"}}]},
            {"anchors": [{"selectors": {"exact_text_quote": "none"}}]},
        ),
        ("research_notes_update", {"tags": [], "metadata": {}}, {"tags": [], "metadata": {}}),
        ("research_discovery", {"year_from": 2020, "until_year": "2024"}, {"from_year": 2020, "to_year": 2024}),
        ("research_discovery", {"querry": "x"}, {"query": "x"}),
        ("research_europepmc_fetch_metadata", {"pmids": [26551875]}, {"identifiers": ["26551875"]}),
        ("research_europepmc_fetch_full_text", {"pmid": 26551875}, {"identifier": "26551875"}),
        ("research_arxiv_search", {"sortBy": "relevance", "offset": 3}, {"sort_by": "relevance", "start": 3}),
        ("research_arxiv_list_top_n", {"category": "cs.CL, cs.LG"}, {"include_categories": ["cs.CL", "cs.LG"]}),
    ],
)  # fmt: skip
def test_near_names_and_values_are_understood(name, sent, kept):
    """By every tool that has what they mean; nothing is ignored."""
    found = understood(TOOLS[name], sent)
    assert (found.arguments, found.warnings) == (kept, [])


@pytest.mark.parametrize(
    ("name", "sent", "warning"),
    [
        ("research_arxiv_search", {"year_from": 2020}, "year_from: no such argument, ignored; there is query, max"),
        ("research_arxiv_search", {"query": "x", "q": "y"}, "q: no such argument, ignored; "),
        ("research_find", {"query": "x", "tag": "y"}, "tag: no such argument, ignored; "),
        ("research_notes_search", {"tags_of": "y"}, "tags_of: no such argument, ignored; did you mean tags_"),
    ],
)  # fmt: skip
def test_what_a_tool_cannot_do_is_said(name, sent, warning):
    """With what it may have meant."""
    (said,) = understood(TOOLS[name], sent).warnings
    assert said.startswith(warning)


@each_tool
@pytest.mark.parametrize("value", [True, False])
def test_a_truth_value_is_no_number(name, value):
    """In one sentence, at every parameter that takes a whole number."""
    for parameter, schema in TOOLS[name]["properties"].items():
        if schema.get("type") == "integer":
            with pytest.raises(InvalidRequestError, match=f"^{parameter} must be a whole number, got"):
                understood(TOOLS[name], {parameter: value})


@pytest.mark.parametrize("place", [{"page_number": True}, {"paragraph_index": False}])
def test_a_truth_value_is_no_place_either(place):
    """In an anchor."""
    with pytest.raises(ValidationError, match="must be a whole number, got"):
        AnchorLocation(**place)


@pytest.mark.parametrize("place", [(-5, None), (0, None), (10**300, None), (None, -1), (None, 10**7)])
def test_places_that_no_document_has_are_refused(place):
    """Pages count from 1, paragraphs from 0."""
    page, paragraph = place
    with pytest.raises(InvalidRequestError, match=r"must be [01] to 1000000"):
        Location.given(page, None, paragraph)
    assert Location.given(1, "x", 0) == Location(1, "x", 0)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(
    sorted({name for schema in TOOLS.values() for name in schema["properties"]} | {"q", "tag", "id"})
)


@given(st.sampled_from(sorted(TOOLS)), st.dictionaries(NAMES | st.text(max_size=12), JSON, max_size=6))
def test_any_arguments_are_understood_refused_or_named(name, sent):
    """What is kept is a parameter of the tool, and what is ignored has its warning."""
    schema = TOOLS[name]
    try:
        found = understood(schema, sent)
    except InvalidRequestError:
        return
    assert set(found.arguments) <= set(schema["properties"])
    assert set(found.dropped) <= set(sent) - set(schema["properties"])
    assert len(found.warnings) == len(set(found.dropped) - REMARKS)
    assert understood(schema, found.arguments).arguments == found.arguments
