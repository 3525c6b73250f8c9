"""Two columns that the library reads straight across become text again."""

from __future__ import annotations

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Layout, Run
from prioris_mcp.adapters.parsers.pdf.passes.lines import lines_by_column
from prioris_mcp.adapters.parsers.pdf.passes.woven import unweave
from tests.unit.adapters.parsers.pdf.layouts import run, shown

LEFT = ["The left column says one thing and", "goes on with it for a while", "until it has to come to an end."]
RIGHT = ["The right column talks about others", "that have nothing to do with", "what stands beside them in it."]


def drawn(left: list[str], right: list[str], top: int = 100) -> list[Run]:
    """Two columns of lines."""
    lines = enumerate(zip(left, right, strict=True))
    return [
        run(text, top + 12 * at, left=edge, width=220)
        for at, pair in lines
        for edge, text in zip((60, 310), pair, strict=True)
    ]


def across(runs: list[Run]) -> Block:
    """The library's block of these lines."""
    return Block("paragraph", " ".join(run.text for run in runs), runs[0].box.around(runs[-1].box))


def unwoven(*parts: list[Run], blocks: list[Block] | None = None) -> list[tuple[str, str]]:
    """What becomes of a page of blocks of such lines."""
    page = Layout(blocks or [*map(across, parts)], [run for part in parts for run in part], 800)
    unweave(page, lines_by_column(page.runs))
    return shown(page)


def test_each_column_is_read_by_itself() -> None:
    """The left one first."""
    both = [("paragraph", " ".join(LEFT)), ("paragraph", " ".join(RIGHT))]
    assert unwoven(drawn(LEFT, RIGHT)) == both


def test_what_goes_on_below_belongs_to_its_column() -> None:
    """Also a single line, and in the sentence that is open there."""
    first = drawn([*LEFT[:2], "that does not end here"], RIGHT)
    second = drawn(["but here, in the next block."], ["A last sentence stands there."], top=136)
    left = f"{LEFT[0]} {LEFT[1]} that does not end here but here, in the next block."
    right = [("paragraph", " ".join(RIGHT)), ("paragraph", "A last sentence stands there.")]
    assert unwoven(first, second) == [("paragraph", left), *right]
    assert len(unwoven(second)) == 1


def test_text_that_was_read_by_columns_stays() -> None:
    """As do a table's rows, and single lines side by side."""
    runs = drawn(LEFT, RIGHT)
    block = Block("paragraph", " ".join(LEFT + RIGHT), runs[0].box.around(runs[-1].box))
    assert unwoven(runs, blocks=[block]) == [("paragraph", block.text)]
    assert len(unwoven(drawn(LEFT[:2], RIGHT[:2]))) == 1
    numbers = [
        run(text, 100 + 12 * row, left=60 + 250 * at, width=40) for row in range(6) for at, text in enumerate("12")
    ]
    assert len(unwoven(numbers)) == 1
