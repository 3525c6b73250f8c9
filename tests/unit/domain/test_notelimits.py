"""What one note may hold: the largest is taken, one more is not."""

from __future__ import annotations

import pytest

from prioris_mcp.domain.notes.limits import (
    MOST_ANCHORS,
    MOST_BESIDE,
    MOST_FIELDS,
    MOST_TAG,
    MOST_TAGS,
    MOST_TEXT,
    check_change,
    check_content,
)
from prioris_mcp.domain.notes.note import Anchor, Content, Location, NoteChange, Selectors
from prioris_mcp.errors import InvalidRequestError

PAGE = Anchor(Location(1))


def quote(length):
    return Anchor(selectors=Selectors(exact_text_quote="x" * length))


def headed(length):
    return Anchor(Location(section_heading="x" * length))


LIMITS = [
    ({"text": "x" * MOST_TEXT}, {"text": "x" * (MOST_TEXT + 1)}, "text has 200001"),
    ({"tags": ("x" * MOST_TAG,)}, {"tags": ("x" * (MOST_TAG + 1),)}, "a tag has"),
    ({"tags": tuple(map(str, range(MOST_TAGS)))}, {"tags": tuple(map(str, range(MOST_TAGS + 1)))}, "tags has 101"),
    ({"anchors": (PAGE,) * MOST_ANCHORS}, {"anchors": (PAGE,) * (MOST_ANCHORS + 1)}, "anchors has 201"),
    ({"anchors": (quote(MOST_BESIDE),)}, {"anchors": (quote(MOST_BESIDE), quote(1))}, "anchors and metadata have more"),
    (
        {"metadata": {str(n): "" for n in range(MOST_FIELDS)}},
        {"metadata": {str(n): "" for n in range(MOST_FIELDS + 1)}},
        "metadata has 101",
    ),
    ({"metadata": {"a": "x" * (MOST_BESIDE - 1)}}, {"metadata": {"a": "x" * MOST_BESIDE}}, "together"),
    ({"metadata": {"x" * MOST_BESIDE: ""}}, {"metadata": {"x" * (MOST_BESIDE + 1): ""}}, "together"),
    ({"anchors": (headed(MOST_BESIDE),)}, {"anchors": (headed(MOST_BESIDE + 1),)}, "together"),
]


@pytest.mark.parametrize(("most", "more", "sentence"), LIMITS)
def test_one_more_than_a_note_holds_is_refused(most, more, sentence):
    """In one sentence with the number, for a new note and for a change alike."""
    content = lambda fields: check_content(Content(**{"text": "x"} | fields))  # noqa: E731
    change = lambda fields: check_change(NoteChange(**fields))  # noqa: E731
    for check in (content, change):
        check(most)
        with pytest.raises(InvalidRequestError, match=sentence):
            check(more)
