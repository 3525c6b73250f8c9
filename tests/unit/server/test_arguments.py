"""What models send, and what they meant."""

from __future__ import annotations

import pytest

from prioris_mcp.server.arguments import understood

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
