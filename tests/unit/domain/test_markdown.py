"""Windows onto Markdown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prioris_mcp.domain.markdown import HARD_LIMIT, Markdown, Span, Window
from prioris_mcp.errors import InvalidRequestError

pages = st.lists(st.text(max_size=30), min_size=1, max_size=8)


@given(pages)
def test_leaves_partition_the_text(texts):
    """Every character belongs to exactly one page, in order."""
    markdown = Markdown.of_pages(texts)
    assert [markdown.text[leaf.start : leaf.end] for leaf in markdown.leaves] == texts


@given(pages, st.integers(1, 20))
def test_windows_put_together_give_the_text(texts, limit):
    """Reading on at offset + length never skips and never repeats a character."""
    markdown, read, more = Markdown.of_pages(texts), "", True
    while more:
        part = markdown.cut(Window(len(read), limit), 5)
        read, more = read + part.text, part.has_more
    assert read == markdown.text


@given(pages, st.integers(0, 200), st.integers(1, 50))
def test_the_page_range_covers_the_window(texts, offset, limit):
    """First and last page hold the window's first and last character; an empty window is on the page where it lies."""
    markdown = Markdown.of_pages(texts)
    part = markdown.cut(Window(offset, limit), 5)
    if not part.text:
        assert part.page_range == (len(texts) or 1,) * 2
        return
    assert part.page_range
    first, last = (markdown.leaves[number - 1] for number in part.page_range)
    assert first.start <= part.span.start < first.end
    assert last.start < part.span.end <= last.end


def test_a_page_moves_the_offset_to_its_start():
    """With page, offset counts from that page, and the answer counts from the document."""
    part = Markdown.of_pages(["one\n", "two\n", "three\n"]).cut(Window(1, 3, page=2), 5)
    assert (part.text, part.span, part.page_range, part.total_pages) == ("wo\n", Span(5, 3), (2, 2), 3)


def test_past_the_end_is_empty_with_the_true_total():
    """An offset beyond the text is no error."""
    part = Markdown.whole("abc").cut(Window(99), 5)
    assert (part.text, part.total_length, part.has_more, part.total_pages) == ("", 3, False, None)


def test_no_window_is_longer_than_the_hard_limit():
    """Whatever a caller asks for, and whatever the default is."""
    markdown = Markdown.whole("x" * (HARD_LIMIT + 1))
    for window, default in ((Window(limit=10**18), 5), (Window(), 10**9)):
        part = markdown.cut(window, default)
        assert (len(part.text), part.limit, part.has_more) == (HARD_LIMIT, HARD_LIMIT, True)


@pytest.mark.parametrize("wrong", [{"offset": -1}, {"limit": 0}, {"limit": -5}, {"page": 0}])
def test_what_can_never_be_there_is_refused(wrong):
    """The sentence names the argument and its value."""
    (name, value), *_ = wrong.items()
    with pytest.raises(InvalidRequestError, match=f"{name} must be .* got {value}"):
        Window(**wrong)


def test_a_page_that_does_not_exist_says_which_do():
    """A caller learns how many pages there are."""
    with pytest.raises(InvalidRequestError, match="page 3 does not exist: pages run from 1 to 2"):
        Markdown.of_pages(["a", "b"]).cut(Window(page=3), 5)
