"""Sections of a document."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from prioris_mcp.domain import chunks
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat

KEY = DocumentKey(ProviderName("arxiv"), "2106.09685v2", SourceFormat.PDF)


def titles(text):
    return [chunk.heading for chunk in chunks.split(KEY, text)]


def test_a_section_runs_to_the_next_of_its_level_or_above():
    """Nested sections have their own rows, inside the span of the one around them."""
    text = "lead\n# A\na\n## B\nb\n### C\nc\n## D\nd\n# E\ne"
    found = chunks.split(KEY, text)
    assert [(chunk.path, text[chunk.span.start : chunk.span.end]) for chunk in found] == [
        (("A",), "# A\na\n## B\nb\n### C\nc\n## D\nd\n"),
        (("A", "B"), "## B\nb\n### C\nc\n"),
        (("A", "B", "C"), "### C\nc\n"),
        (("A", "D"), "## D\nd\n"),
        (("E",), "# E\ne"),
    ]


def test_only_atx_headings_outside_code_count():
    """Fences of either kind hide headings; hashes without a blank, and deep indents, are no headings."""
    text = (
        "# A\n```\n# no\n~~~\n# no\n```\n~~~~\n# no\n~~~\n# no\n~~~~\n#no\n    # no\n####### no\n   ## B ##\n# C #x\n#"
    )
    assert titles(text) == ["A", "B", "C #x", ""]


def test_an_inline_span_of_backticks_opens_no_fence():
    """A line that begins with code and goes on is text."""
    assert titles("```x``` y\n# A") == ["A"]


@given(st.text(alphabet="#ab `~\n", max_size=200))
def test_spans_nest_and_begin_with_their_heading(text):
    """Whatever the text, a section starts at a heading, ends in the text, and lies inside its parent."""
    found = chunks.split(KEY, text)
    for chunk in found:
        assert text[chunk.span.start : chunk.span.end].lstrip(" ").startswith("#")
        assert chunk.span.end <= len(text)
    for before, after in itertools.pairwise(found):
        assert before.span.start < after.span.start
        assert after.span.end <= before.span.end or after.span.start >= before.span.end


def test_ids_depend_on_key_and_place_alone():
    """The same bytes give the same ids; another document gives others."""
    text = "# A\nx\n# A\nx\n"
    ids = [chunk.id for chunk in chunks.split(KEY, text)]
    assert ids == [chunk.id for chunk in chunks.split(KEY, text)]
    assert len(set(ids)) == 2
    other = DocumentKey(ProviderName("arxiv"), "2106.09685v1", SourceFormat.PDF)
    assert not set(ids) & {chunk.id for chunk in chunks.split(other, text)}


def test_a_long_document_is_split_in_linear_time():
    """A hundred thousand headings take one pass each way, not a pass per heading."""
    assert len(titles("## x\n" * 100_000)) == 100_000
