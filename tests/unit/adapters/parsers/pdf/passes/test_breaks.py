"""Paragraphs are found by what sets them apart on the page: a space, or a first line that is set in."""

from __future__ import annotations

from dataclasses import replace

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Layout, Run
from prioris_mcp.adapters.parsers.pdf.passes.breaks import part_paragraphs
from prioris_mcp.adapters.parsers.pdf.passes.lines import lines_by_column, place_of
from tests.unit.adapters.parsers.pdf.layouts import page, run

FIRST = ["The first paragraph says that it goes on", "over two lines and then it ends."]
SECOND = ["The second one begins on a line of its", "own and has two lines as well."]
LINES = FIRST + SECOND


def drawn(tops: list[int], lefts: list[int] | None = None, lines: list[str] | None = None) -> list[Run]:
    """Lines of text at these places."""
    places = zip(lines or LINES, tops, lefts or [72] * 9, strict=False)
    return [run(text, top, left=left, width=400 - left) for text, top, left in places]


def narrow(runs: list[Run]) -> list[Run]:
    """The lines as one of two columns has them."""
    return [replace(run, box=run.box._replace(right=run.box.left + 230)) for run in runs]


def parted(runs: list[Run], text: str = "", **more: object) -> list[str]:
    """The texts of the blocks of a page that the library took for one."""
    box = runs[0].box.around(runs[-1].box)
    block = Block("paragraph", text or " ".join(run.text for run in runs), box)
    layout = page((replace(block, **more), runs))  # type: ignore[arg-type] - tests name real fields
    part_paragraphs(layout, lines_by_column(layout.runs))
    return [block.text for block in layout.blocks]


def test_a_space_parts_paragraphs() -> None:
    """More than the usual step from line to line, after a sentence."""
    assert parted(drawn([100, 112, 130, 142])) == [" ".join(FIRST), " ".join(SECOND)]
    assert len(parted(drawn([100, 112, 124, 136]))) == 1


def test_a_first_line_that_is_set_in_begins_a_paragraph() -> None:
    """Also where nothing else parts it, and whether or not the paragraph before was set in."""
    even = [100, 112, 124, 136]
    assert parted(drawn(even, [82, 72, 82, 72])) == [" ".join(FIRST), " ".join(SECOND)]
    assert len(parted(drawn(even, [72, 72, 150, 72]))) == 1


def test_a_sentence_that_goes_on_is_not_parted() -> None:
    """A small space, as a high formula makes it, is none; a wide one parts whatever stands there."""
    lines = [FIRST[0], "over two lines and then it", *SECOND]
    assert len(parted(drawn([100, 112, 130, 142], lines=lines))) == 1
    assert len(parted(drawn([100, 112, 136, 148], lines=lines))) == 2


def test_text_below_a_picture_goes_on() -> None:
    """A space so wide that something stands in it parts only what has ended; below a running head it always does."""
    lines = ["An unfinished line that breaks off", "and goes on far below the picture", "on this page.", "It ends."]
    assert len(parted(drawn([400, 500, 512, 524], lines=lines))) == 1
    assert len(parted(drawn([40, 100, 112, 124], lines=lines))) == 2


def test_each_column_is_read_by_itself() -> None:
    """The neighbour of a line is the one above it, not the one beside it."""
    left, right = narrow(drawn([100, 112, 124, 136], [60] * 4)), narrow(drawn([103, 115, 127, 139], [320] * 4))
    lines = lines_by_column([run for pair in zip(left, right, strict=True) for run in pair])
    assert [line.above.box.left for line in lines if line.above] == [60, 320] * 3
    assert {line.step for line in lines if line.above} == {12}


def test_a_column_may_begin_with_a_paragraph() -> None:
    """Its first line is set in, and the sentence before it has ended."""
    left, right = narrow(drawn([100, 112], lines=FIRST)), narrow(drawn([100, 112], [330, 320], lines=SECOND))
    assert parted([*left, *right]) == [" ".join(FIRST), " ".join(SECOND)]


def test_what_follows_an_item_is_no_part_of_it() -> None:
    """The library lets the last item of a list swallow the paragraph after it."""
    runs = drawn([100, 112, 130, 142])
    block = Block("list_item", " ".join(LINES), runs[0].box.around(runs[-1].box), marker="•")
    layout = Layout([block], runs, 800, has_text=True)
    part_paragraphs(layout, lines_by_column(runs))
    assert [(block.kind, block.marker) for block in layout.blocks] == [("list_item", "•"), ("paragraph", "")]


def test_marks_of_emphasis_do_not_hide_a_line() -> None:
    """They stay with their words; where one spans the place, it is left alone."""
    runs = drawn([100, 112, 130, 142])
    text = f"{FIRST[0]} over two lines and then *it ends.* *The second* one begins on a line of its {SECOND[1]}"
    assert parted(runs, text)[1].startswith("*The second* one")
    spanning = f"{FIRST[0]} over two lines and then *it ends. The second* one begins on a line of its {SECOND[1]}"
    assert parted(runs, spanning) == [spanning]


def test_a_place_is_given_in_the_text_with_marks() -> None:
    """Signs before it that are marks count."""
    assert place_of("b c", "**a** *b* c", 0) == 7
    assert place_of("b c", "**a** *b* c", 3) == 11
    assert place_of("d", "**a** *b* c", 0) is None
