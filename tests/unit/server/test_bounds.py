"""Every parameter of every tool has a bound, which is stated and holds."""

from __future__ import annotations

import pytest

from prioris_mcp.errors import InvalidRequestError
from prioris_mcp.server.arguments import bounds
from prioris_mcp.server.arguments.repair import understood
from prioris_mcp.server.schemas import Figures
from tests.unit.server.test_listing import LISTING

BOUNDED = [
    pytest.param(tool["inputSchema"], name, id=f"{tool['name']}, {name}")
    for tool in LISTING
    for name, field in tool["inputSchema"]["properties"].items()
    if field.get("type") in ("string", "array") and "enum" not in field and "contentEncoding" not in field
]


@pytest.mark.parametrize(("schema", "name"), BOUNDED)
def test_one_more_than_a_parameter_takes_is_refused(schema, name):
    """Before anything reads it; what is as large as that passes here."""
    field = schema["properties"][name]
    if field["type"] == "string":
        most, of = field["maxLength"], lambda count: "x" * count
    else:
        most, of = field["maxItems"], lambda count: [f"t{number}" for number in range(count)]
    bounds.check(field, of(most), name)
    with pytest.raises(InvalidRequestError, match=f"{name} has {most + 1} (characters|entries), and takes at most"):
        understood(schema, {name: of(most + 1)})


@pytest.mark.parametrize(
    "value",
    ["x" * 1_000_001, ["x" * 1_000_001], [["x" * 600_000], {"a": "y" * 400_001}], {"x" * 1_000_001: 1}],
    ids=["written as text", "one entry", "nested", "a key"],
)
def test_a_list_is_bounded_as_a_whole(value):
    """However its characters are spread, and in whatever form a client writes it."""
    kind = {"type": "object" if isinstance(value, dict) else "array"}
    with pytest.raises(InvalidRequestError, match=r"has 10000[0-9]+ characters"):
        bounds.check(kind, value, "anchors")
    bounds.check(kind, ["x" * 1_000_000], "anchors")


def test_files_have_limits_of_their_own():
    """Base64 is bounded by the size of the file, which is another kind of failure."""
    fields = [field for tool in LISTING for field in tool["inputSchema"]["properties"].values()]
    encoded = [field for field in fields if field.get("contentEncoding") == "base64"]
    assert len(encoded) == 2
    for field in encoded:
        bounds.check(field, "x" * 10_000_000, "content_base64")


def test_descriptions_say_what_is_configured():
    """At every depth, and nothing in braces is left."""
    figures = Figures(window=50, matches=2, works=7, file_bytes=3 * 2**19)
    told = figures.told({"a": [{"description": "default {window}, {matches}, {works}; {file} at most"}]})
    assert told == {"a": [{"description": "default 50, 2, 7; 1.5 MiB at most"}]}
    assert "{" not in "".join(
        field["description"] for tool in LISTING for field in tool["inputSchema"]["properties"].values()
    ).replace("{} clears", "").replace("{note_id}", "")
