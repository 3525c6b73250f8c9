"""Right-to-left script reads the right way round."""

from __future__ import annotations

from prioris_mcp.adapters.parsers.pdf_blocks import Block, Cell, Layout
from prioris_mcp.adapters.parsers.pdf_rtl import mend_right_to_left


def mended(block: Block) -> Block:
    """The block after the rule."""
    layout = Layout([block])
    mend_right_to_left(layout)
    return layout.blocks[0]


def test_lam_and_alef_are_put_in_order() -> None:
    """The ligature comes backwards out of many fonts; where it cannot be told from the article it stays."""
    assert mended(Block("paragraph", "\u0627\u0625\u0644\u0646")).text == "\u0627\u0644\u0625\u0646"
    assert mended(Block("paragraph", "\u0627\u0644\u0646")).text == "\u0627\u0644\u0646"


def test_tables_begin_at_the_right() -> None:
    """The first column of a table in such script is the rightmost; others keep their order."""
    rtl = Block("table", rows=[[Cell("20300"), Cell("\u0634\u0645\u0627\u0631\u0647")]])
    ltr = Block("table", rows=[[Cell("name"), Cell("\u0634")]])
    assert [cell.text for cell in mended(rtl).rows[0]] == ["\u0634\u0645\u0627\u0631\u0647", "20300"]
    assert [cell.text for cell in mended(ltr).rows[0]] == ["name", "\u0634"]
