"""The rules work together on a whole document, and never fail."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Box, Cell, Layout, Run, render
from prioris_mcp.adapters.parsers.pdf.polish import polish
from tests.unit.adapters.parsers.pdf.layouts import BOLD, page, run

WORDS = st.sampled_from(
    ["", "-", "1", "v", "1.2 Title", "in-", "volved", "Figure 3", "word12,13.", "\u0627\u0627\u0644", "$x$"]
)
EDGES = st.floats(0, 900, allow_nan=False)
BOXES = st.builds(Box, EDGES, EDGES, EDGES, EDGES)
RUNS = st.builds(Run, WORDS, BOXES, st.sampled_from(["", BOLD]))
ROWS = st.lists(st.lists(st.builds(Cell, WORDS, st.none() | BOXES), max_size=3), max_size=3)
KINDS = st.sampled_from(
    ["heading", "paragraph", "list_item", "code", "grid_fallback", "table", "rule", "figure", "new"]
)
BLOCKS = st.builds(Block, KINDS, WORDS, BOXES, level=st.integers(0, 6), bold=st.booleans(), rows=ROWS)
PAGES = st.builds(Layout, st.lists(BLOCKS, max_size=6), st.lists(RUNS, max_size=12), st.just(800.0))


@given(st.lists(PAGES, max_size=5))
def test_any_layout_is_polished(pages: list[Layout]) -> None:
    """Whatever the library draws, pages stay pages and can be written."""
    polish(pages)
    assert all(isinstance(render(layout.blocks), str) for layout in pages)


def test_a_document_reads_as_it_was_written() -> None:
    """Running heads go, titles get their level, and words are whole, page by page."""
    pages = [
        page(
            ("paragraph", run(f"A Journal {number + 40}", 20)),
            ("heading", run(f"{2 * number} Section", 100, width=80, size=12, font=BOLD)),
            ("paragraph", run(f"Some text that was in- volved in part {number}. " * 9, 130)),
        )
        for number in range(1, 5)
    ]
    pages[0].runs += [run("in-", 142), run("volved", 154), run("they are involved", 166)]
    polish(pages)
    first = render(pages[0].blocks)
    assert first.startswith("# 2 Section\n\nSome text that was involved in part 1.")
    assert all(render(layout.blocks).startswith(f"# {2 * number} Section") for number, layout in enumerate(pages, 1))
