"""Titles of two columns that the library reads as one line are two titles."""

from __future__ import annotations

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Box, Layout, Run
from prioris_mcp.adapters.parsers.pdf.passes.columns import part_columns

LEFT, RIGHT = Run("Abstract", Box(150, 353, 200, 365)), Run("1 Introduction", Box(310, 353, 390, 365))
ABSTRACT = Block("paragraph", "We introduce a search agent. " * 6, Box(88, 383, 274, 715))
NOTE = Block("paragraph", "Equal contribution.", Box(83, 754, 167, 775))
OPENING = Block("paragraph", "Search lies at the core of research. " * 5, Box(306, 383, 526, 596))


def parted(*below: Block, right: Run = RIGHT) -> list[str]:
    """What stands on a page whose two titles are read as one, in order."""
    title = Block("heading", f"{LEFT.text} {right.text}", LEFT.box.around(right.box))
    page = Layout([title, *below], [LEFT, right])
    part_columns(page)
    return [block.text[:14] for block in page.blocks]


def test_each_title_heads_its_column() -> None:
    """The right one stands before the text of the right column, after all of the left one."""
    assert parted(ABSTRACT, NOTE, OPENING) == [
        "Abstract",
        ABSTRACT.text[:14],
        NOTE.text[:14],
        "1 Introduction",
        OPENING.text[:14],
    ]


def test_a_title_of_one_column_stays() -> None:
    """Without text in both columns, or without a wide space, it is one title."""
    assert parted(ABSTRACT, NOTE)[0] == "Abstract 1 Int"
    wide = Block("paragraph", ABSTRACT.text, Box(88, 383, 526, 715))
    assert parted(wide, OPENING)[0] == "Abstract 1 Int"
    near = Run("1 Introduction", Box(210, 353, 290, 365))
    assert parted(ABSTRACT, OPENING, right=near)[0] == "Abstract 1 Int"
