"""Prose that the library took for a table because its words happen to stand below each other."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Box, Cell, Layout, hull

_SENTENCE = 6
"""Words of a row that is a line of running text."""
_PROSE = 40
"""Words of a cell that is a column of running text."""


def release_prose(page: Layout) -> None:
    """Turn the false tables of a page into paragraphs."""
    page.blocks = [part for block in page.blocks for part in _released(block)]


def _released(block: Block) -> Iterator[Block]:
    if block.kind == "table" and _is_columns(block):
        yield from (_paragraph(cell.text, cell.box or block.box) for cell in _down(block) if cell.text.strip())
    elif block.kind == "table" and _is_sentences(block):
        yield from _sentences(block)
    else:
        yield block


def _paragraph(text: str, box: Box) -> Block:
    return Block("paragraph", " ".join(text.split()), box)


def _is_columns(block: Block) -> bool:
    """Whether one cell holds most of the words, and many: a column of the page."""
    words = [len(cell.text.split()) for row in block.rows for cell in row]
    return max(words, default=0) > _PROSE and (len(block.rows) <= 2 or 3 * max(words) > 2 * sum(words))


def _down(block: Block) -> list[Cell]:
    """The cells column by column."""
    width = max(map(len, block.rows))
    return [row[at] for at in range(width) for row in block.rows if at < len(row)]


def _is_sentences(block: Block) -> bool:
    """Whether the cells of most rows were cut from one piece of text, where nothing on the page parts them."""
    cut = sum(sum(cell.box is None and bool(cell.text.strip()) for cell in row) > 1 for row in block.rows)
    words = [sum(len(cell.text.split()) for cell in row) for row in block.rows]
    return 2 * cut > len(block.rows) and median(words) > _SENTENCE


def _sentences(block: Block) -> Iterator[Block]:
    """The rows as running text; those of drawn cells are lines of their own."""
    words: list[str] = []
    for row in block.rows:
        text, boxes = " ".join(cell.text for cell in row if cell.text.strip()), [cell.box for cell in row if cell.box]
        if not boxes:
            words.append(text)
            continue
        yield from _flowing(words, block.box)
        words = []
        yield _paragraph(text, hull(boxes))
    yield from _flowing(words, block.box)


def _flowing(words: list[str], box: Box) -> Iterator[Block]:
    if words:
        yield _paragraph(" ".join(words), box)
