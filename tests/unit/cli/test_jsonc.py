"""Members put into and taken out of JSON with comments."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prioris_mcp.cli.setup import jsonc

PATH = ("servers", "ours")
OURS = {"command": "/opt/ours", "args": []}
WITH_COMMENTS = """\
// what I set
{
\t"theme": "dark", /* nice */
\t// my servers
\t"servers": {
\t\t"other": {"command": "x"}, // keep: "servers": {}
\t},
\t"last": [1, 2,],
}
"""
ROOMY = [
    WITH_COMMENTS,
    WITH_COMMENTS.replace("\n", "\r\n"),
    "\ufeff" + WITH_COMMENTS,
    WITH_COMMENTS.replace('},\n\t"last', '}\n\t, "last'),
    '{"servers": {"other": {}}}',
    '{\n    "servers": {\n        "other": {"url": "a // b"} // mine\n    }\n}',
    '{"servers": {"a": 1,\n "b": 2}, "x": null}\n',
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=15,
)


@pytest.mark.parametrize("text", ROOMY)
def test_what_was_put_can_be_dropped_without_a_trace(text):
    """Where the object was there, dropping gives every byte back; comments, line ends and commas included."""
    with_ours = jsonc.put(text, PATH, OURS)
    assert jsonc.get(with_ours, PATH) == OURS
    assert jsonc.drop(with_ours, PATH) == text


@pytest.mark.parametrize("text", ROOMY)
def test_only_lines_are_added(text):
    """What stood there stands there still, in the same order, each comment behind what it belongs to."""
    rest = iter(jsonc.put(text, PATH, OURS))
    assert all(character in rest for character in text)


def test_the_file_s_own_style_is_kept():
    """Tabs and the comma behind the last member where the file has them."""
    assert jsonc.put(WITH_COMMENTS, PATH, OURS).splitlines()[5:11] == [
        '\t\t"other": {"command": "x"}, // keep: "servers": {}',
        '\t\t"ours": {',
        '\t\t\t"command": "/opt/ours",',
        '\t\t\t"args": []',
        "\t\t},",
        "\t},",
    ]


@given(st.dictionaries(st.text(), JSON), st.text(), JSON, st.sampled_from([None, 2, "\t"]))
def test_any_object_takes_any_member(document, key, new, indent):
    """As Python's own json would put it, and it reads back so."""
    text = json.dumps(document, indent=indent)
    assert json.loads(jsonc.put(text, (key,), new)) == {**document, key: new}


@given(st.dictionaries(st.text(), JSON, min_size=1), st.data(), st.sampled_from([None, 2]))
def test_any_member_can_be_dropped(document, data, indent):
    """And what is left is strict JSON if it was before."""
    key = data.draw(st.sampled_from(sorted(document)))
    left = {name: value for name, value in document.items() if name != key}
    assert json.loads(jsonc.drop(json.dumps(document, indent=indent), (key,))) == left


@pytest.mark.parametrize("text", ["", "\n", "\ufeff", "// nothing yet"])
def test_an_empty_file_becomes_an_object(text):
    """What is in it stays in front."""
    made = jsonc.put(text, PATH, OURS)
    assert made.startswith(text)
    assert jsonc.get(made, PATH) == OURS


@pytest.mark.parametrize("text", ["{}", "{\n}", "{ // none\n}", '{"servers": {}}', '{"servers": {/* none */}}'])
def test_an_empty_object_is_filled(text):
    """Also where only a comment is in it."""
    assert jsonc.get(jsonc.put(text, PATH, OURS), PATH) == OURS


def test_a_value_is_replaced_where_it_stands():
    """And an equal one is left as it is written."""
    text = '{"servers": {"ours": {"args":[],"command":"/opt/ours"}, "z": 1}}'
    assert jsonc.put(text, PATH, OURS) == text
    assert jsonc.put(text, (*PATH, "command"), "/new") == text.replace("/opt/ours", "/new")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "line 1 is not JSON"),
        ('{"a": 1}\n}', "line 2 is not JSON"),
        ('{"a" 1}', "line 1 is not JSON"),
        ("{'a': 1}", "line 1 is not JSON"),
        ('{"a": "\n"}', "line 1 is not JSON"),
        ('{"a": "\\x"}', "line 1 is not JSON"),
        ('{"a": 1 /* }', "line 1 is not JSON"),
        ("[]", "what it holds is not an object"),
        ('{"servers": []}', "servers is not an object"),
        ('{"servers": {}, "servers": {}}', "it holds 'servers' twice"),
        ("[" * 100_000, "it is nested too deeply"),
    ],
)
def test_what_cannot_be_understood_is_refused(text, reason):
    """With a reason in words, and never with another exception."""
    with pytest.raises(ValueError, match=reason):
        jsonc.put(text, PATH, OURS)


def test_dropping_what_is_not_there_changes_nothing():
    """Neither member nor object."""
    for text in ("", "{}", '{"servers": {"x": 1}}'):
        assert jsonc.drop(text, PATH) == text
