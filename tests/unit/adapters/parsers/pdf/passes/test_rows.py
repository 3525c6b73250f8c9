"""Tables get back what the library has left outside: rows above and below, names beside, rows within rows."""

from __future__ import annotations

from collections.abc import Sequence

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Box, Cell, Layout, Run, hull
from prioris_mcp.adapters.parsers.pdf.passes.lines import lines_by_column
from prioris_mcp.adapters.parsers.pdf.passes.rows import complete_rows
from prioris_mcp.adapters.parsers.pdf.passes.stacks import part_stacks
from prioris_mcp.adapters.parsers.pdf.passes.stubs import join_stubs
from tests.unit.adapters.parsers.pdf.layouts import block, box, run, shown

COLUMNS = (200, 280, 360)
STEP = 15


def row(top: float, *texts: str, lefts: Sequence[float] = COLUMNS) -> list[Run]:
    """Words side by side."""
    return [run(text, top, left=left, width=30) for text, left in zip(texts, lefts, strict=True) if text]


def table(*rows: list[Run]) -> Block:
    """A table as the library gives it, a cell for each run."""
    cells = [[Cell(each.text, each.box) for each in runs] for runs in rows]
    return Block("table", box=_around([each for runs in rows for each in runs]), rows=cells)


def _around(runs: Sequence[Run]) -> Box:
    return hull(each.box for each in runs)


def text(*runs: Run, more: str = "") -> Block:
    """A paragraph of some runs, and what follows them in it."""
    return Block("paragraph", " ".join([each.text for each in runs]) + more, _around(runs))


def rows_of(found: Block) -> list[list[str]]:
    return [[cell.text for cell in cells] for cells in found.rows]


BODY = [row(100 + STEP * at, f"{at}.1", f"{at}.2", f"{at}.3") for at in range(3)]


def test_a_head_above_and_a_row_below_come_into_the_table() -> None:
    """Each piece stands in a column; what stands behind the row in its block stays, below the table."""
    head, last = row(85, "Alpha", "Beta", "Gamma"), row(100 + 3 * STEP, "3.1", "", "3.3")
    runs = [*head, *(each for own in BODY for each in own), *last]
    found = table(*BODY)
    layout = Layout([text(*head), found, text(*last, more=" All figures are ours.")], runs, 800)
    complete_rows(layout, lines_by_column(runs))
    assert rows_of(found) == [
        ["Alpha", "Beta", "Gamma"],
        *([each.text for each in own] for own in BODY),
        ["3.1", "", "3.3"],
    ]
    assert shown(layout) == [("table", ""), ("paragraph", "All figures are ours.")]


def test_a_name_above_several_columns_is_repeated() -> None:
    """It stands in their middle; one above the first column may stand beside it, one above all is no head."""
    lefts = (100, 200, 240, 300, 340)
    body = [row(100 + STEP * at, "Name", *"1234", lefts=lefts) for at in range(3)]
    head = row(85, "Kind", "Before", "After", lefts=(100, 220, 320))
    caption = [run("Names and figures", 65, left=180, width=110)]
    runs = [*caption, *head, *(each for own in body for each in own)]
    found = table(*body)
    layout = Layout([text(*caption), text(*head), found], runs, 800)
    complete_rows(layout, lines_by_column(runs))
    assert rows_of(found)[0] == ["Kind", "Before", "Before", "After", "After"]
    assert shown(layout) == [("paragraph", "Names and figures"), ("table", "")]


def test_a_title_between_head_and_table_is_a_row() -> None:
    """Where a head is above it; alone it may be anything, and stays."""
    title, head = run("First group", 85, left=200, width=50), row(70, "Alpha", "Beta", "Gamma")
    body = [each for own in BODY for each in own]
    found = table(*BODY)
    layout = Layout([text(*head), block(title, "heading"), found], [*head, title, *body], 800)
    complete_rows(layout, lines_by_column(layout.runs))
    assert rows_of(found)[:2] == [["Alpha", "Beta", "Gamma"], ["First group", "", ""]]
    assert shown(layout) == [("table", "")]
    alone = Layout([block(title, "heading"), table(*BODY)], [title, *body], 800)
    complete_rows(alone, lines_by_column(alone.runs))
    assert shown(alone) == [("heading", "First group"), ("table", "")]


def test_few_words_are_not_cut_out_of_a_sentence() -> None:
    """Two names above a table may stand in the text as well, where they are meant."""
    head = row(85, "Alpha", "Beta", "")
    sentence = Block("paragraph", "We compare Alpha Beta with others.", box(72, 20, 300, 10))
    found = table(*BODY)
    layout = Layout([sentence, found], [*head, *(each for own in BODY for each in own)], 800)
    complete_rows(layout, lines_by_column(layout.runs))
    assert shown(layout) == [("paragraph", "We compare Alpha Beta with others."), ("table", "")]
    assert len(found.rows) == len(BODY)


def test_a_piece_that_stands_once_is_taken_once() -> None:
    """Two units above a table, of which the text holds one: neither comes into the table."""
    head = row(85, "(mg)", "(mg)", "")
    body = [each for own in BODY for each in own]
    for blocks, rows in ((head[:1], len(BODY)), (head, len(BODY) + 1)):
        found = table(*BODY)
        layout = Layout([*map(block, blocks), found], [*head, *body], 800)
        complete_rows(layout, lines_by_column(layout.runs))
        assert len(found.rows) == rows


def test_text_beside_a_table_stays() -> None:
    """A caption, a line far above, one whose pieces are in no column of their own, and lines of sentences."""
    for above in (
        [run("Table 1. What was found", 85, left=200, width=190)],
        row(60, "Alpha", "Beta", "Gamma"),
        row(85, "Alpha", "Beta", "Gamma", lefts=(200, 265, 305)),
        row(85, "Some words of a line", "and of another one here", "and of a third one here"),
        row(85, "linkage;", "two", "are:"),
    ):
        found = table(*BODY)
        layout = Layout([text(*above), found], [*above, *(each for own in BODY for each in own)], 800)
        complete_rows(layout, lines_by_column(layout.runs))
        assert len(found.rows) == len(BODY)
        assert len(layout.blocks) == 2


def test_names_beside_a_table_are_its_first_column() -> None:
    """They are cut out of a paragraph with a caption before and a note behind them."""
    names = [run(name, 100 + STEP * at, left=72, width=40) for at, name in enumerate(["One", "Two", "Three"])]
    runs = [each for name, own in zip(names, BODY, strict=True) for each in (name, *own)]
    found = table(*BODY)
    caption = block(run("Table 1. Names: *One Two Three* A note.", 80))
    layout = Layout([caption, found], runs, 800)
    join_stubs(layout, lines_by_column(runs))
    assert [cells[0] for cells in rows_of(found)] == ["One", "Two", "Three"]
    assert {len(cells) for cells in found.rows} == {4}
    assert shown(layout) == [("paragraph", "Table 1. Names:"), ("table", ""), ("paragraph", "A note.")]


def test_a_name_between_two_rows_belongs_to_both() -> None:
    """It stands in each; the library has made a row or a paragraph of it."""
    body = [row(100 + STEP * at, f"{at}.1", f"{at}.2", f"{at}.3") for at in range(6)]
    names = [run(name, 107 + 2 * STEP * at, left=72, width=40) for at, name in enumerate(["One", "Two", "Three"])]
    runs = sorted([*names, *(each for own in body for each in own)], key=lambda each: each.box.top)
    found = table(*body)
    found.rows.insert(3, [Cell("Two", names[1].box), Cell(""), Cell("")])
    layout = Layout([block(names[0]), found, block(names[2])], runs, 800)
    join_stubs(layout, lines_by_column(runs))
    assert [cells[0] for cells in rows_of(found)] == ["One", "One", "Two", "Two", "Three", "Three"]
    assert shown(layout) == [("table", "")]


def test_the_other_column_of_a_page_names_no_rows() -> None:
    """Its lines are full, and most stand on no line of the table; nothing is taken out of the text."""
    full = [run(f"a line of running text {at}", 100 + STEP * at, left=72, width=120) for at in range(3)]
    askew = [run(f"line {at}", 104 + STEP * at, left=72, width=40) for at in range(3)]
    for beside in (full, askew):
        found = table(*BODY)
        layout = Layout([text(*beside), found], [*beside, *(each for own in BODY for each in own)], 800)
        join_stubs(layout, lines_by_column(layout.runs))
        assert {len(cells) for cells in found.rows} == {3}
        assert len(layout.blocks) == 2


def test_names_that_the_text_does_not_hold_stay_out() -> None:
    """Nothing is shown twice."""
    names = [run(name, 100 + STEP * at, left=72, width=40) for at, name in enumerate(["One", "Two", "Three"])]
    found = table(*BODY)
    layout = Layout([found], [*names, *(each for own in BODY for each in own)], 800)
    join_stubs(layout, lines_by_column(layout.runs))
    assert {len(cells) for cells in found.rows} == {3}


def stacked(*groups: list[list[Run]]) -> Block:
    """A table whose rows each hold a group of lines, in two columns: the first words, and all others."""
    rows = []
    for group in groups:
        sides = [[line[0] for line in group], [each for line in group for each in line[1:]]]
        rows.append([Cell(" ".join(each.text for each in side), _around(side)) for side in sides])
    return Block("table", box=Box(0, 0, 500, 500), rows=rows)


def test_stacked_rows_are_parted() -> None:
    """Lines become rows and what stands apart columns; the head stays one row."""
    lines = [row(100 + STEP * at, "Name", f"{at}.5 a", f"{at}.7") for at in range(5)]
    head = [row(70, "Measure", "First", "Second"), row(82, "", "n = 20", "n = 15")]
    runs = [each for line in [*head, *lines] for each in line]
    found = stacked([head[0]], lines[:2], lines[2:])
    found.rows[0][1] = Cell("First Second n = 20 n = 15", _around([*head[0][1:], *head[1]]))
    part_stacks(Layout([found], runs, 800), lines_by_column(runs))
    assert rows_of(found) == [
        ["Measure", "First n = 20", "Second n = 15"],
        *([each.text for each in line] for line in lines),
    ]


def test_other_rows_of_several_lines_stay() -> None:
    """Text that was broken over lines, a cell that stands for several, and formulas."""
    words = [row(100 + STEP * at, "Name of", "words and", "more words") for at in range(4)]
    figures = [row(100 + STEP * at, "Name", f"{at}.5", f"{at}.7") for at in range(4)]
    lone = [figures[0][:1] + figures[0][1:], figures[1][1:], *figures[2:]]
    for lines in (words, lone):
        runs = [each for line in lines for each in line]
        found = stacked([row(70, "Measure", "First", "Second")], lines[:2], lines[2:])
        if lines is lone:
            found.rows[1][0] = Cell("Name", lines[0][0].box._replace(bottom=lines[1][0].box.bottom))
        before = rows_of(found)
        part_stacks(Layout([found], runs, 800), lines_by_column(runs))
        assert rows_of(found) == before
    formulas = stacked([figures[0]], figures[:2], figures[2:])
    formulas.rows[1][0] = Cell("$x$", formulas.rows[1][0].box)
    runs = [each for line in figures for each in line]
    part_stacks(Layout([formulas], runs, 800), lines_by_column(runs))
    assert len(formulas.rows) == 3
