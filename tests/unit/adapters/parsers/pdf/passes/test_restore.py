"""No line of the text is lost where the library leaves it out of its blocks."""

from __future__ import annotations

from collections.abc import Sequence

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Layout
from prioris_mcp.adapters.parsers.pdf.passes.lines import lines_by_column
from prioris_mcp.adapters.parsers.pdf.passes.restore import restore_lines
from tests.unit.adapters.parsers.pdf.layouts import run

LINES = [
    "The beginning of a page is taken for a head",
    "and left out, although a sentence goes on there",
    "that nobody should have to do without when",
    "they read what the authors have to say.",
]


def restored(kept: Sequence[int], *, lines: Sequence[str] = LINES, pages: int = 1, gap: int = 0) -> list[list[str]]:
    """The texts of pages whose library's blocks hold only the *kept* lines; *gap*: points below the first line."""
    layouts = []
    for _ in range(pages):
        runs = [run(text, 100 + 12 * at + (gap if at else 0)) for at, text in enumerate(lines)]
        box = runs[kept[0]].box.around(runs[kept[-1]].box)
        text = " ".join(lines[at] for at in kept)
        layouts.append(Layout([Block("paragraph", text, box)], runs, 800, has_text=True))
    restore_lines(layouts, [lines_by_column(layout.runs) for layout in layouts], 10.0)
    return [[block.text for block in layout.blocks] for layout in layouts]


def test_a_line_is_put_back_where_it_stands() -> None:
    """At the beginning, in the middle and at the end of a paragraph."""
    whole = [[" ".join(LINES)]]
    assert restored([1, 2, 3]) == restored([0, 1, 3]) == restored([0, 1, 2]) == whole


def test_several_lines_in_a_row_are_put_back() -> None:
    """Each after the one before."""
    assert restored([0]) == [[" ".join(LINES)]]


def test_a_sentence_that_ended_stays_a_paragraph_of_its_own() -> None:
    """The end of an entry before the first of a page, say."""
    lines = ["Publishers of a city, with many pages.", "[27] The next one of the references begins", "here."]
    assert restored([1, 2], lines=lines) == [[lines[0], " ".join(lines[1:])]]


def test_a_running_head_stays_out() -> None:
    """It is left out on every page, or stands apart from the text."""
    text = [" ".join(LINES[1:])]
    assert restored([1, 2, 3], pages=2) == [text, text]
    assert restored([1, 2, 3], gap=20) == [text]


def test_what_the_blocks_hold_in_another_form_is_not_lost() -> None:
    """Words that a line end cut are joined there."""
    lines = ["The signs of an implemen-", "tation that is long enough for two lines"]
    runs = [run(text, 100 + 12 * at) for at, text in enumerate(lines)]
    text = "The signs of an implementation that is long enough for two lines"
    layout = Layout([Block("paragraph", text, runs[0].box.around(runs[1].box))], runs, 800, has_text=True)
    restore_lines([layout], [lines_by_column(runs)], 10.0)
    assert [block.text for block in layout.blocks] == [text]


def test_lines_between_blocks_become_a_paragraph() -> None:
    """Below the text that stands above them."""
    lines = [*LINES, "Keywords: what the library did not see; and more of that", "kind; on two lines."]
    runs = [run(text, 100 + 12 * at + 20 * (at > 3)) for at, text in enumerate(lines)]
    block = Block("paragraph", " ".join(LINES), runs[0].box.around(runs[3].box))
    layout = Layout([block, Block("heading", "Next")], runs, 800, has_text=True)
    restore_lines([layout], [lines_by_column(runs)], 10.0)
    assert [block.text for block in layout.blocks] == [" ".join(LINES), " ".join(lines[4:]), "Next"]
