"""Notes as values: what they refuse, when they were, and what their files are called."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prioris_mcp.domain.documents import ProviderName
from prioris_mcp.domain.instants import Instant
from prioris_mcp.domain.notes.files import file_name
from prioris_mcp.domain.notes.note import (
    Anchor,
    AuthorFilter,
    Content,
    Location,
    NoteChange,
    NoteFilter,
    Selectors,
    canonical,
)
from prioris_mcp.errors import InvalidRequestError
from tests.notes import all_notes, note


@pytest.mark.parametrize("text", ["", " ", "\r\n\t\u3000"])
def test_a_note_says_something(text):
    """A text of white space is refused, for a new note and for a change alike."""
    for make in (Content, NoteChange):
        with pytest.raises(InvalidRequestError, match="text"):
            make(text)


@pytest.mark.parametrize("parts", [(), (Location(),), (None, Selectors()), (Location(), Selectors())])
def test_an_anchor_says_something(parts):
    """One with nothing in it is refused."""
    with pytest.raises(InvalidRequestError, match="anchor"):
        Anchor(*parts)


def test_what_cannot_be_stored_is_replaced():
    """Lone surrogates become U+FFFD wherever they stand; NUL and everything else is kept."""
    content = Content(
        "a\ud800b\x00",
        (Anchor(Location(section_heading="\udfff"), Selectors("\ud83d")),),
        "\ud800",
        ("\ud800",),
        {"\ud800": "\udc00"},
    )
    assert content.text == "a\ufffdb\x00"
    assert content.anchors == (Anchor(Location(section_heading="\ufffd"), Selectors("\ufffd")),)
    assert (content.author_name, content.tags, content.metadata) == ("\ufffd", ("\ufffd",), {"\ufffd": "\ufffd"})


def test_tags_are_a_set_in_order():
    """Each once, as written; a blank one is refused; a blank author is the user."""
    assert Content("x", tags=("b", "a", "b", "A")).tags == ("b", "a", "A")
    assert Content("x", author_name=" ").author_name is None
    for make in (lambda: Content("x", tags=(" ",)), lambda: NoteChange(tags=("",)), lambda: NoteFilter(tags_any=("",))):
        with pytest.raises(InvalidRequestError, match="tag"):
            make()


def test_author_filter_and_name_need_each_other():
    """A name with any other filter, and named without a name, are refused."""
    for author, name in ((AuthorFilter.ANY, "Ada"), (AuthorFilter.MINE, "Ada"), (AuthorFilter.NAMED, None)):
        with pytest.raises(InvalidRequestError, match="author_name"):
            NoteFilter(author=author, author_name=name)
    assert NoteFilter(author_name="").author_name is None


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("2026-07-29T12:00:00Z", "2026-07-29T14:00:00+02:00"),
        ("2026-07-29T12:00:00", "2026-07-29T12:00:00Z"),
        ("2026-07-29", "2026-07-29T00:00:00Z"),
        ("20260729T120000Z", "2026-07-29t12:00:00z"),
        ("2026-07-29T23:30:00-01:00", "2026-07-30T00:30:00Z"),
        (" 2026-07-29 12:00 ", "2026-07-29T12:00:00.000000+00:00"),
    ],
)
def test_times_are_compared_as_instants(text, same):
    """Whatever the offset and the spelling; without an offset it is UTC."""
    assert Instant.parse(text, "x") == Instant.parse(same, "x")


def test_a_date_covers_its_day():
    """As an end it means the last microsecond; a time is exact."""
    assert str(Instant.parse_end("2026-07-29", "x")) == "2026-07-29T23:59:59.999999+00:00"
    assert Instant.parse_end("2026-07-29T10:00Z", "x") == Instant.parse("2026-07-29T10:00Z", "x")
    assert str(Instant.parse_end("9999-12-31T23:00-12:00", "x")) == "9999-12-31T23:59:59.999999+00:00"


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "29.07.2026", "2026-07-29T25:00", "1" * 500])
def test_what_is_no_time_is_refused(text):
    """With the parameter's name."""
    with pytest.raises(InvalidRequestError, match="date_from must be"):
        Instant.parse(text, "date_from")


@given(st.datetimes(timezones=st.timezones() | st.none()))
def test_an_instant_survives_its_text(moment):
    """Written and read again it is the same, at the ends of the calendar too."""
    instant = Instant.of(moment)
    assert Instant.parse(str(instant), "x") == instant


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("# LoRA: Low-Rank Adaptation\nmore", "lora-low-rank-adaptation"),
        ("\n\n  Über naïve Größen  ", "uber-naive-großen"),
        ("注意", "注意"),
        ("Заметка о статье", "заметка-о-статье"),
        ("हिन्दी में", "हिन्दी-में"),
        ("Ελληνικά!", "ελληνικά"),
        ("مقالة", "مقالة"),
        ("한국어 메모", "한국어-메모"),
        ("🙂 ...", "note"),
        ("語" * 100, "語" * 60),
        ("CON", "con"),
        ("../../etc/passwd\x00", "etc-passwd"),
        ("word " * 40, "word-word-word-word-word-word-word-word-word-word-word-word"),
        ("x" * 200, "x" * 60),
    ],
)
def test_file_names_are_readable(text, name):
    """The first line, and the id."""
    assert file_name(note(10, text)) == f"{name}-000000000000000a.md"


@given(all_notes)
def test_file_names_are_safe_everywhere(kept):
    """Whatever the text: only letters, digits and hyphens, not too long, and never a name that Windows keeps."""
    name = file_name(kept)
    assert re.fullmatch(r"[^\s-][^\s]{0,59}-[0-9a-f]{16}\.md", name)
    assert all(letter in "-." or unicodedata.category(letter)[0] in "LNM" for letter in name)
    assert len(name.encode()) <= 255


@pytest.mark.parametrize(
    ("provider", "text", "expected"),
    [
        (ProviderName("arxiv"), "https://arxiv.org/abs/2106.09685v2", "2106.09685v2"),
        (ProviderName("arxiv"), "10.48550/arXiv.2106.09685", "2106.09685"),
        (ProviderName("europepmc"), "pmc4767193", "PMC:PMC4767193"),
        (ProviderName("localfile"), "20260729-1430-A3F2", "20260729-1430-a3f2"),
    ],
)
def test_identifiers_have_one_spelling(provider, text, expected):
    """As far as that is known without asking anyone."""
    assert canonical(provider, text) == canonical(provider, expected) == expected
