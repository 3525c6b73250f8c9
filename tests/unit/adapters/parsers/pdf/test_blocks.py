"""Blocks of a PDF page are written as Markdown."""

from __future__ import annotations

import pytest

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Cell, Run, common_size, lines_of, render
from tests.unit.adapters.parsers.pdf.layouts import box, run


def test_blocks_stand_apart_and_list_items_together() -> None:
    """A blank line parts blocks, but not the items of one list; a rule is only drawn."""
    blocks = [
        Block("heading", "Title", level=2),
        Block("list_item", "one", marker="•"),
        Block("list_item", "two", level=1, marker="(a)"),
        Block("rule"),
        Block("figure"),
        Block("paragraph", "End", bold=True),
        Block("paragraph", ""),
    ]
    assert render(blocks) == "## Title\n\n- one\n  (a) two\n\n**End**"


def test_tables_are_squared_and_escaped() -> None:
    """Short rows are filled, and a bar in a cell does not end it."""
    table = Block("table", rows=[[Cell("a|b"), Cell("c")], [Cell("d\ne")]])
    assert render([table]) == "| a\\|b | c |\n|---|---|\n| d e |  |"
    assert render([Block("table")]) == ""


def test_code_without_text_is_left_out() -> None:
    """An empty fence tells a reader nothing."""
    assert render([Block("code", lines=["x = 1"], lang="python")]) == "```python\nx = 1\n```"
    assert render([Block("grid_fallback", lines=[""])]) == ""


@pytest.mark.parametrize(
    ("font", "bold"),
    [("Times-Bold", True), ("SFBX1000", True), ("NimbusRomNo9L-Medi", True), ("CMR10", False), ("", False)],
)
def test_bold_fonts_are_known_by_name(font: str, bold: bool) -> None:
    """Foundries and TeX spell bold in their own ways."""
    assert Run("x", box(0, 0, 5, 10), font).bold is bold


def test_common_size_counts_characters() -> None:
    """The size of most characters is that of the body, whatever the number of runs."""
    assert common_size([run("x", 0, size=14), run("y", 20, size=14), run("body text", 40, size=9)]) == 9
    assert common_size([]) == 0


def test_lines_hold_what_stands_side_by_side() -> None:
    """Runs of one height make a line, from left to right."""
    right, left, below = run("b", 100, left=200), run("a", 101, left=20), run("c", 113)
    assert [[part.text for part in line] for line in lines_of([below, right, left])] == [["a", "b"], ["c"]]
