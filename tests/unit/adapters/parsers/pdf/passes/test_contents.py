"""Tables of contents keep each title with its page."""

from __future__ import annotations

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Layout, Run
from prioris_mcp.adapters.parsers.pdf.passes.contents import set_contents
from tests.unit.adapters.parsers.pdf.layouts import box, page, run

TITLES = ["Preface", "1 One", "1.1 Two", "1.2 Three . . . . .", "A title that needs", "two lines", "2 Four", "Index"]
NUMBERS = ["v", "1", "2", "5", "", "7", "9", "11"]


def contents(titles: list[str], numbers: list[str]) -> Layout:
    """A page with a heading, and below it titles and numbers that the library put into blocks of their own."""
    runs: list[Run] = []
    for at, (title, number) in enumerate(zip(titles, numbers, strict=True)):
        runs.append(run(title, 100 + 12 * at, width=200))
        if number:
            runs.append(run(number, 100 + 12 * at, left=500 - 5 * len(number), width=5 * len(number)))
    listed = Block("paragraph", " ".join(titles), box(72, 100, 200, 12 * len(titles)))
    apart = Block("paragraph", " ".join(numbers), box(490, 100, 10, 12 * len(titles)))
    return page(("heading", run("Contents", 60)), (listed, runs), (apart, []), ("paragraph", run("Below", 400)))


def test_each_title_keeps_its_page() -> None:
    """Titles of two lines are joined, leaders go, and the blocks around the list stay."""
    layout = contents(TITLES, NUMBERS)
    set_contents(layout)
    assert [block.kind for block in layout.blocks] == ["heading", "table", "paragraph"]
    rows = [(row[0].text, row[1].text) for row in layout.blocks[1].rows[1:]]
    assert rows[:4] == [("Preface", "v"), ("1 One", "1"), ("1.1 Two", "2"), ("1.2 Three", "5")]
    assert rows[4:] == [("A title that needs two lines", "7"), ("2 Four", "9"), ("Index", "11")]


def test_other_columns_of_numbers_stay() -> None:
    """Numbers that do not rise, few entries, or lines without a number are no table of contents."""
    falling = [str(90 - 7 * at) for at in range(8)]
    for titles, numbers in [
        (TITLES, falling),
        (TITLES[:4], NUMBERS[:4]),
        (TITLES, ["1", *[""] * 7]),
        (["title"] * 20, [str(at) if at % 3 == 0 else "" for at in range(20)]),
    ]:
        layout = contents(titles, numbers)
        set_contents(layout)
        assert [block.kind for block in layout.blocks] == ["heading", "paragraph", "paragraph", "paragraph"]
