"""Titles within paragraphs, and bold words that open one."""

from __future__ import annotations

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Run
from prioris_mcp.adapters.parsers.pdf.passes.run_ins import mend_run_ins, part_titles
from tests.unit.adapters.parsers.pdf.layouts import BOLD, block, box, page, run, shown


def paragraph(*runs: Run) -> tuple[Block, list[Run]]:
    """A paragraph of several lines."""
    top, bottom = runs[0].box.top, runs[-1].box.bottom
    return Block("paragraph", " ".join(run.text for run in runs), box(72, top, 400, bottom - top)), list(runs)


def test_bold_line_within_a_paragraph_is_parted() -> None:
    """A short bold line with space below it is a title of its own."""
    layout = page(
        paragraph(
            run("The end of one section.", 100),
            run("5.1 Search", 118, width=60, font=BOLD),
            run("The next one begins", 136),
            run("and goes on", 148),
            run("and on", 160),
            run("and on.", 172),
        )
    )
    part_titles(layout)
    assert shown(layout) == [
        ("paragraph", "The end of one section."),
        ("heading", "5.1 Search"),
        ("paragraph", "The next one begins and goes on and on and on."),
    ]


def test_a_bold_line_without_words_is_no_title() -> None:
    """Spaces can be bold as well."""
    layout = page(paragraph(run("One line", 100), run(" ", 118, width=60, font=BOLD), run("another", 136)))
    part_titles(layout)
    assert [kind for kind, _ in shown(layout)] == ["paragraph"]


def test_bold_words_within_a_paragraph_stay() -> None:
    """Emphasis with the usual step below it, or beside plain words, is no title."""
    runs = [run("One line", 100), run("bold words", 112, width=60, font=BOLD), run("another", 124), run("last", 136)]
    beside = [run("Note", 100, width=30, font=BOLD), run("that this", 100, left=110), run("goes on", 120)]
    for lines in (runs, beside):
        layout = page(paragraph(*lines))
        part_titles(layout)
        assert len(layout.blocks) == 1


def opening(*runs: Run) -> list[tuple[str, str]]:
    """What becomes of a bold first line before plain text."""
    first = Block("paragraph", " ".join(run.text for run in runs), box(72, 100, 400, 10), bold=True)
    layout = page((first, list(runs)), ("paragraph", run("the rest of it.", 112)))
    mend_run_ins(layout)
    return shown(layout)


def test_opening_words_alone_stay_bold() -> None:
    """The library makes the whole first line bold and cuts the rest off."""
    runs = run("Dropout.", 100, width=50, font=BOLD), run("We apply it to", 100, left=130, width=300)
    assert opening(*runs) == [("paragraph", "**Dropout.** We apply it to the rest of it.")]


def test_line_that_is_bold_throughout_loses_its_mark() -> None:
    """Where the bold words end is not known, and the sentence is whole."""
    assert opening(run("Dropout We apply it to", 100, font=BOLD)) == [
        ("paragraph", "Dropout We apply it to the rest of it.")
    ]


def test_bold_paragraph_apart_stays() -> None:
    """A bold line with space below it is left as it is."""
    layout = page((block(run("Keywords: a, b", 100), bold=True), []), ("paragraph", run("Text", 140)))
    mend_run_ins(layout)
    assert len(layout.blocks) == 2


def test_a_bold_line_goes_on_in_the_next_column() -> None:
    """Where a sentence does, though the rest stands higher."""
    text = "Acknowledgements We are grateful to everybody who has"
    first = Block("paragraph", text, box(72, 700, 200, 10), bold=True)
    layout = page((first, []), ("paragraph", run("helped us with it.", 100, left=300, width=200)))
    mend_run_ins(layout)
    assert shown(layout) == [("paragraph", f"{text} helped us with it.")]
