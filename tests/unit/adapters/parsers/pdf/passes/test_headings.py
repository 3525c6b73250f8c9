"""Headings of a PDF: what is one, and how deep it stands."""

from __future__ import annotations

import pytest

from prioris_mcp.adapters.parsers.pdf.blocks import Layout, common_size
from prioris_mcp.adapters.parsers.pdf.passes.headings import settle_headings
from tests.unit.adapters.parsers.pdf.layouts import BOLD, page, run, shown

BODY = ("paragraph", run("Body text of this page. " * 30, 400))
NEXT = ("paragraph", run("The text below goes on.", 140))


def headings(*pages: Layout) -> list[tuple[int, str]]:
    """Level and text of the headings."""
    settle_headings(pages, common_size(run for layout in pages for run in layout.runs))
    return [(part.level, part.text) for layout in pages for part in layout.blocks if part.kind == "heading"]


def alone(text: str, kind: str = "heading", size: float = 10, font: str = BOLD, width: float = 120) -> Layout:
    """A page with one line that may be a heading, with space around it."""
    return page((kind, run(text, 110, size=size, font=font, width=width)), NEXT, BODY)


@pytest.mark.parametrize(
    "text",
    ["A", "a b", "Figure 3. A cat", "Table IV", "see below", "Author, A., Author, B.,", "me@example.org", "word " * 31],
)
def test_no_titles(text: str) -> None:
    """Labels, captions, broken lines, addresses and whole sentences are no titles."""
    assert headings(alone(text)) == []


def test_smaller_than_the_body_is_no_heading() -> None:
    """Bold words in a figure or below a table become a bold paragraph."""
    layout = alone("Source of data", size=8)
    assert headings(layout) == []
    assert layout.blocks[0].bold


def test_plain_line_of_body_size_is_no_heading() -> None:
    """Neither bold nor large nor numbered: text."""
    assert headings(alone("Some Person", font="Serif-Roman")) == []
    assert headings(alone("Some Person", font="Serif-Roman", size=13))
    assert headings(alone("3 Some Title", font="Serif-Roman"))


def test_numbered_bold_line_is_a_heading() -> None:
    """The library misses headings whose bold font it does not know by name."""
    assert headings(alone("4.1 Language Definition", "paragraph")) == [(2, "4.1 Language Definition")]
    assert headings(alone("4.1 Language Definition", "paragraph", font="Serif-Roman")) == []
    assert headings(alone("4.1 It ends as a sentence does.", "paragraph")) == []


def test_first_line_of_a_paragraph_is_no_heading() -> None:
    """A bold line as wide as the text right below it was broken, not ended."""
    layout = page(
        ("heading", run("Person, A. 2009. A title that", 110, font=BOLD, width=230)),
        ("paragraph", run("Goes on here", 121, width=230)),
        BODY,
    )
    assert headings(layout) == []


def test_line_before_the_middle_of_a_sentence_is_no_heading() -> None:
    """What follows a heading does not begin in the middle of a sentence."""
    layout = page(
        ("heading", run("Agents Agents combine models with", 110, font=BOLD)),
        ("paragraph", run("memory and tools", 140)),
        BODY,
    )
    assert headings(layout) == []


def test_title_over_two_lines_is_one_heading() -> None:
    """Lines of one size, close and wide, are joined; a numbered one begins anew."""
    layout = page(
        ("heading", run("A Study of Long Titles and of", 50, size=18, font=BOLD)),
        ("heading", run("Their Second Lines", 72, size=18, font=BOLD, left=150, width=240)),
        ("heading", run("1 Introduction", 92, size=18, font=BOLD)),
        NEXT,
        BODY,
    )
    assert headings(layout) == [(1, "A Study of Long Titles and of Their Second Lines"), (2, "1 Introduction")]


def test_levels_follow_numbers_then_sizes() -> None:
    """Numbers give the depth; others take that of numbered headings of their size, or follow by size."""
    lines = [("Main Title", 20.0), ("1 One", 14.0), ("1.2 Two", 12.0), ("1.2.3 Three", 12.0), ("References", 14.0)]
    parts = [
        ("heading", run(text, 50 + 60 * at, size=size, font=BOLD, width=99)) for at, (text, size) in enumerate(lines)
    ]
    assert [level for level, _ in headings(page(*parts, BODY))] == [1, 2, 3, 4, 2]


def test_sizes_between_those_of_numbered_headings() -> None:
    """What is larger than all numbered headings is as high as they are; what is smaller than some is below them."""
    lines = [("Title", 20.0), ("Contents", 17.0), ("1 One", 14.0), ("Between", 13.0), ("Lower", 12.0)]
    parts = [
        ("heading", run(text, 50 + 60 * at, size=size, font=BOLD, width=99)) for at, (text, size) in enumerate(lines)
    ]
    assert [level for level, _ in headings(page(*parts, BODY))] == [1, 2, 2, 3, 3]


def test_sizes_alone_give_levels() -> None:
    """Without numbers each smaller size is one level lower."""
    lines = [("Title", 20.0), ("Methods", 14.0), ("Samples", 12.0), ("Results", 14.0)]
    parts = [
        ("heading", run(text, 50 + 60 * at, size=size, font=BOLD, width=99)) for at, (text, size) in enumerate(lines)
    ]
    assert [level for level, _ in headings(page(*parts, BODY))] == [1, 2, 3, 2]


def test_no_headings_at_all() -> None:
    """A document without headings stays as it is."""
    layout = page(BODY)
    assert headings(layout) == [] and shown(layout)[0][0] == "paragraph"
    assert headings() == []


def test_words_in_a_picture_are_not_the_title() -> None:
    """The first large heading is, whatever is larger below it; what is hardly larger than the text is none."""
    logo = alone("Paper Search", size=18)
    assert headings(alone("An Agent for Search", size=13), logo)[0] == (1, "An Agent for Search")
    assert headings(alone("A Group of Authors", size=11), alone("Paper Search", size=14))[1] == (1, "Paper Search")


def test_a_title_may_be_set_wide() -> None:
    """In two lines with much space between; what is marked as authors are is no part of it, and no heading."""
    body = ("paragraph", run("Body text of this page. " * 30, 400, width=460))
    first, second = (
        run("A Title That Fills its Line and", 100, size=20),
        run("Goes On", 142, size=20, left=170, width=200),
    )
    authors = run("Ada Lovelace,† Alan Turing‡", 200, size=14)
    assert headings(page(("heading", first), ("heading", second), ("heading", authors), body)) == [
        (1, "A Title That Fills its Line and Goes On")
    ]
    author = run("Ada Lovelace∗", 142, size=20, left=170, width=200)
    assert headings(page(("heading", first), ("heading", author), body))[0] == (1, first.text)
