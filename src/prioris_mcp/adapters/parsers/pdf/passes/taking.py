"""What belongs to a table, taken out of the text that the library has put it into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from prioris_mcp.adapters.parsers.pdf.blocks import Block
from prioris_mcp.adapters.parsers.pdf.passes.lines import place_of

_TEXT = {"paragraph", "list_item", "heading"}
_GOES_ON = (",", ";")
_MANY = 3
"""Pieces that do not stand in a row by chance."""
_NEAR = 4
"""Blocks before and behind a table among which such text is looked for."""


def taken_out(blocks: list[Block], table: Block, pieces: Sequence[str]) -> bool:
    """Whether *pieces* stood in the text near a table, all in a row or each as a block; nothing is changed if not.

    What follows them in a block above the table comes below it. What a sentence goes on from is no part of a table.
    """
    if any(piece.endswith(_GOES_ON) for piece in pieces):
        return False
    at = _place(blocks, table)
    near = [block for block in blocks[max(0, at - _NEAR) : at + 1 + _NEAR] if block.kind in _TEXT]
    together = " ".join(pieces)
    for block in near:
        start, end = (place_of(together, block.text, after) for after in (0, len(together)))
        if start is not None and end is not None and (len(pieces) >= _MANY or _is_edge(block.text, start, end)):
            _cut(blocks, table, block, start, end)
            return True
    alone: list[Block] = []
    for piece in pieces:
        free = (block for block in near if not any(block is own for own in alone))
        found = next((block for block in free if block.text.replace("*", "") == piece), None)
        if found is None:
            return False
        alone.append(found)
    blocks[:] = [block for block in blocks if not any(block is own for own in alone)]
    return True


def _is_edge(text: str, start: int, end: int) -> bool:
    """Whether a text begins or ends with what stands from *start* to *end*: few words may stand in any sentence."""
    return not (text[:start].strip("* ") and text[end:].strip("* "))


def _cut(blocks: list[Block], table: Block, block: Block, start: int, end: int) -> None:
    """Leave the text between two places out of a block."""
    before, after = block.text[:start], block.text[end:]
    if before.count("*") % 2:
        before, after = before.replace("*", ""), after.replace("*", "")
    before, after = before.strip(), after.strip()
    at = _place(blocks, block)
    blocks[at : at + 1] = [replace(block, text=before)] if before else []
    if after:
        behind = max(_place(blocks, table) + 1, at + bool(before))
        blocks.insert(behind, replace(block, kind="paragraph", marker="", level=0, text=after))


def _place(blocks: Sequence[Block], wanted: Block) -> int:
    return next(at for at, block in enumerate(blocks) if block is wanted)
