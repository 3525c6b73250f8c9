"""Prose that was taken for a table is given back as paragraphs."""

from __future__ import annotations

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Cell, Layout
from prioris_mcp.adapters.parsers.pdf.passes.tables import release_prose
from tests.unit.adapters.parsers.pdf.layouts import box, shown


def released(*rows: list[Cell]) -> list[tuple[str, str]]:
    """What becomes of a table."""
    layout = Layout([Block("table", box=box(0, 0, 400, 100), rows=list(rows)), Block("rule")])
    release_prose(layout)
    return shown(layout)[:-1]


def test_lines_cut_into_cells_are_sentences() -> None:
    """Cells without a place of their own were cut from running text; drawn ones keep their line."""
    title = [Cell("2", box(0, 0, 8, 12)), Cell("Related Work", box(30, 0, 90, 12))]
    lines = ["PubMed remains the gold standard for search", "using the best match algorithm of that kind"]
    cut = [[Cell(line.split()[0]), Cell(line.partition(" ")[2])] for line in [*lines, *lines]]
    assert released(title, *cut) == [("paragraph", "2 Related Work"), ("paragraph", " ".join(lines * 2))]


def test_columns_of_a_page_are_paragraphs() -> None:
    """A cell that holds nearly all the words is a column."""
    text = "word " * 50
    assert released([Cell("A caption"), Cell(text), Cell("")]) == [
        ("paragraph", "A caption"),
        ("paragraph", text.strip()),
    ]


def test_tables_stay() -> None:
    """Short cells, drawn or not, are a table."""
    drawn = [[Cell("a", box(0, 10 * n, 30, 9)), Cell("b", box(60, 10 * n, 30, 9))] for n in range(4)]
    short = [[Cell("symbol"), Cell("its meaning")] for _ in range(4)]
    assert released(*drawn) == released(*short) == [("table", "")]
    assert released() == [("table", "")]
