"""Notes as Markdown files: nothing is lost, and what editors make of them is understood."""

from __future__ import annotations

from dataclasses import replace

import pytest
import yaml
from hypothesis import example, given

from prioris_mcp.adapters.notefiles import frontmatter
from prioris_mcp.domain.notes.note import Anchor, Location
from prioris_mcp.errors import InvalidRequestError
from tests.notes import all_notes, long_note, note

SMALL = note(10, "The text.\n", tags=("a", "b"), anchors=(Anchor(Location(3)),))
EDITED = """\ufeff---
aliases:
  - rank paper
id: 000000000000000a
provider: arxiv
canonical_identifier: 2106.09680
format:
created_at: 2026-01-01T00:00:10.000000+00:00
updated_at: 2026-01-01T01:00:10+01:00
tags:
  - 2024
  - yes
anchors:
  - location:
      page_number: 3
author_name: ~
metadata: { project: thesis, year: 2024 }
cssclasses: []
---
Text.
"""


@given(all_notes)
@example(long_note(1, 5000))
def test_a_note_survives_its_file(kept):
    """Every field byte for byte, whatever it holds."""
    assert frontmatter.read(frontmatter.written(kept)) == kept
    assert frontmatter.read(frontmatter.written(kept).encode().decode()) == kept


@given(all_notes)
def test_any_yaml_reader_opens_it(kept):
    """The front matter is YAML to the plain safe loader, with the same values; the id is seen at a glance."""
    text = frontmatter.written(kept)
    facts = yaml.safe_load(text.split("\n---\n", 1)[0].removeprefix("---\n"))
    assert (facts["id"], facts["tags"], facts["metadata"]) == (kept.id, list(kept.content.tags), kept.content.metadata)
    assert facts["created_at"] == str(kept.created_at)
    assert frontmatter.id_in(text) == kept.id


def test_what_it_looks_like():
    """A person can read it."""
    assert frontmatter.written(SMALL).splitlines()[:7] == [
        "---",
        'id: "000000000000000a"',
        'provider: "arxiv"',
        'canonical_identifier: "2106.09685v2"',
        'format: "pdf"',
        "author_name: null",
        'tags: ["a", "b"]',
    ]


def test_what_an_editor_made_of_it_is_understood():
    """Block style, missing quotes, fields of its own, a byte order mark: numbers and dates stay what was written."""
    kept = frontmatter.read(EDITED)
    assert (kept.id, kept.subject.identifier, kept.subject.format) == ("000000000000000a", "2106.09680", None)
    assert kept.content.tags == ("2024", "yes")
    assert kept.content.metadata == {"project": "thesis", "year": "2024"}
    assert kept.content.anchors == (Anchor(Location(3)),)
    assert (kept.content.author_name, kept.content.text) == (None, "Text.\n")
    assert kept.created_at == kept.updated_at == note(10).created_at
    assert frontmatter.id_in(EDITED) == "000000000000000a"


def test_line_ends_of_another_system_are_understood():
    """A file that came back with CRLF throughout says what it said; one with CRLF in its text alone keeps these."""
    assert frontmatter.read(frontmatter.written(SMALL).replace("\n", "\r\n")) == SMALL
    own = replace(SMALL, content=replace(SMALL.content, text="one\r\ntwo\n"))
    assert frontmatter.read(frontmatter.written(own)) == own


@pytest.mark.parametrize(
    ("tags", "found"),
    [
        ("[a, null]", ("a",)),
        ("[null]", ()),
        ("\n  -\n  - a\n  -", ("a",)),
        ("[[misc]]", ("misc",)),
        ("[[a, [b]], c]", ("a", "b", "c")),
        ('["#python", "#c#", "#"]', ("python", "c#", "#")),
        ("'#one two, #three,, four '", ("one two", "three", "four")),
        ('""', ()),
        ("one", ("one",)),
        ("~", ()),
    ],
)
def test_tags_are_understood_as_editors_write_them(tags, found):
    """An empty item is nothing, a list in a list its items, a text is parted at commas, and a leading # is a sign."""
    assert frontmatter.read(frontmatter.written(SMALL).replace('["a", "b"]', tags)).content.tags == found


@pytest.mark.parametrize("name", ["created_at", "updated_at"])
def test_a_time_leaves_room_for_later_ones(name):
    """The last year there is has none: every change must be later than the one before."""
    text = frontmatter.written(SMALL)
    line = next(line for line in text.splitlines() if line.startswith(name))
    for late in ("9999-12-31T23:59:59.999999", "9999-01-01"):
        with pytest.raises(InvalidRequestError, match=f"{name} must lie before the year 9999"):
            frontmatter.read(text.replace(line, f"{name}: {late}"))
    assert frontmatter.read(text.replace(line, f"{name}: 9998-12-31"))


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ("a: &a [x, x]\nb: *a\n", "aliases"),
        ("a: &a " + "[" * 10 + "x" + "]" * 10 + "\n" + "".join(f"b{n}: [*a, *a, *a]\n" for n in range(9)), "aliases"),
        ("x: " + "y" * 1_100_000 + "\n", "more than 1000000 characters"),
    ],
)
def test_front_matter_cannot_grow_by_reading_it(head, reason):
    """Neither by names that stand for more, nor by its size: nothing is made of it."""
    with pytest.raises(InvalidRequestError, match=reason):
        frontmatter.read(frontmatter.written(SMALL).replace("---\n", f"---\n{head}", 1))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("---\nid", "id"), "front matter"),
        (('id: "000000000000000a"', "id: ../x"), "id must be"),
        (('provider: "arxiv"', "provider: x"), "provider must be one of arxiv"),
        (('"2106.09685v2"', "PMC123"), "not an arXiv identifier"),
        (('format: "pdf"', "format: doc"), "format must be one of pdf"),
        (('tags: ["a", "b"]', "tags: {a: b}"), "tags must be a string"),
        (('tags: ["a", "b"]', "tags: [{a: b}]"), "a tag must be a string"),
        (('tags: ["a", "b"]', "tags: [a"), "no YAML"),
        (("metadata: null", "metadata: [a]"), "metadata must be"),
        (("metadata: null", "metadata: {a: [b]}"), "a value of metadata"),
        (("metadata: null", "metadata: !!python/object/apply:os.getcwd []"), "no YAML"),
        (('"page_number": 3', '"page_number": x'), "page_number must be a whole number"),
        (('"page_number": 3', '"page_number": null'), "an anchor must say something"),
        (('updated_at: "', 'updated_at: "x'), "updated_at must be"),
        (("The text.\n", " \n"), "text must hold"),
    ],
)
def test_what_cannot_be_understood_is_said(change, reason):
    """In a sentence."""
    text = frontmatter.written(SMALL)
    assert change[0] in text
    with pytest.raises(InvalidRequestError, match=reason):
        frontmatter.read(text.replace(change[0], change[1], 1))


def test_an_id_in_the_text_is_none():
    """Only front matter counts."""
    assert frontmatter.id_in("---\nx: 1\n---\nid: 000000000000000a\n") is None
    assert frontmatter.id_in("id: 000000000000000a\n") is None
    assert frontmatter.id_in("") is None
