"""Right-to-left script: the ligature of lam and alef, and the columns of tables."""

from __future__ import annotations

import re
from dataclasses import replace

from prioris_mcp.adapters.parsers.pdf_blocks import Block, Cell, Layout

_SCRIPT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LATIN = re.compile("[A-Za-z]")
_SWAPPED = re.compile("\u0627([\u0622\u0623\u0625\u0627])\u0644")
"""Alef, another alef, lam: no word is spelled so, but the ligature of the last two is read backwards into it."""


def mend_right_to_left(page: Layout) -> None:
    """Mend the blocks of a page that are written from right to left."""
    page.blocks = [_mended(block) if _SCRIPT.search(_all(block)) else block for block in page.blocks]


def _all(block: Block) -> str:
    return block.text or " ".join(cell.text for row in block.rows for cell in row)


def _mended(block: Block) -> Block:
    text = _all(block)
    turned = len(_SCRIPT.findall(text)) > len(_LATIN.findall(text))
    rows = [[Cell(_spelled(cell.text), cell.box) for cell in row] for row in block.rows]
    return replace(block, text=_spelled(block.text), rows=[row[::-1] for row in rows] if turned else rows)


def _spelled(text: str) -> str:
    return _SWAPPED.sub("\u0627\u0644\\1", text)
