"""What clients are told about the tools, and what the strictest of them take."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from prioris_mcp.server.app import INSTRUCTIONS
from prioris_mcp.server.catalogue import TOOLS
from scripts.generate import pages

LISTING: list[dict[str, Any]] = json.loads(next(text for path, text in pages().items() if path.name == "tools.json"))
MOST_CHARACTERS = 30_000
each_tool = pytest.mark.parametrize("tool", LISTING, ids=lambda tool: tool["name"])


def keys(schema: Any) -> set[str]:
    """Every key at every depth."""
    if isinstance(schema, dict):
        return set(schema).union(*map(keys, schema.values())) if schema else set()
    return set().union(*map(keys, schema)) if isinstance(schema, list) else set()


def test_every_row_of_the_catalogue_is_listed_in_its_order():
    """Clients see the same order each time."""
    assert [tool["name"] for tool in LISTING] == [spec.function.__name__ for spec in TOOLS]


@each_tool
def test_input_schemas_are_plain(tool):
    """An object with described properties, nothing that some client refuses."""
    schema = tool["inputSchema"]
    assert schema["type"] == "object"
    assert schema.get("additionalProperties") is None
    assert not keys(schema) & {"$ref", "$defs", "oneOf", "allOf", "anyOf"}
    assert "null" not in json.dumps(schema)
    for name, field in schema["properties"].items():
        assert re.fullmatch(r"[a-z][a-z0-9_]{0,63}", name)
        assert field["description"], name
        assert "items" in field or field.get("type") != "array"
    assert not {"services", "ctx"} & set(schema["properties"])


@each_tool
def test_every_hint_is_said(tool):
    """Title and all hints that mean something; what reads only is not destructive, and may be repeated anyway."""
    hints = tool["annotations"]
    assert {"readOnlyHint", "destructiveHint", "openWorldHint"} <= set(hints)
    assert ("idempotentHint" in hints) != hints["readOnlyHint"]
    assert tool["title"]
    assert not (hints["readOnlyHint"] and hints["destructiveHint"])


@each_tool
def test_descriptions_are_short_and_say_what_comes_next(tool):
    """Two to five sentences of at most a thousand characters, with a neighbour's name in them."""
    text = tool["description"]
    assert len(text) <= 1000
    assert 2 <= len(re.findall(r"[.:](?:\s|$)", text)) <= 7
    assert [name for name in (other["name"] for other in LISTING) if name != tool["name"] and name in text]


@each_tool
def test_names_fit_every_client(tool):
    """Also with a server prefix in front."""
    assert re.fullmatch(r"[a-z][a-z0-9_]{1,63}", f"mcp__prioris__{tool['name']}")


@each_tool
def test_outputs_are_objects_with_every_field_present(tool):
    """A field that can be null is still always there; what is absent where there is nothing to say is optional."""
    schema = tool["outputSchema"]
    assert schema["type"] == "object"
    optional = {
        "next_cursor_mark",
        "warnings",
        "hits_in_library",
        "unavailable",
        "damaged",
        "pending_documents",
        "read_as",
    }
    assert set(schema["properties"]) - set(schema["required"]) <= optional
    assert "format_" not in keys(schema)


def test_the_listing_is_small():
    """Everything but output schemas is what every conversation pays for."""
    shown = [{key: value for key, value in tool.items() if key != "outputSchema"} for tool in LISTING]
    assert len(json.dumps(shown, ensure_ascii=False, separators=(",", ":"))) <= MOST_CHARACTERS


def test_instructions_begin_with_when_to_use_the_server():
    """And fit where clients cut them."""
    assert INSTRUCTIONS.startswith("Use this server for research papers")
    assert len(INSTRUCTIONS) < 2000
