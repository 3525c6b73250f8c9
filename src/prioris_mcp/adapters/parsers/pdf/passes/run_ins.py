"""Titles inside paragraphs: bold lines that the library left in running text, and bold words that open a paragraph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from statistics import median

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Box, Layout, Run, common_size, lines_of

_NARROW = 0.85
"""Of the block's width: a wider bold line is emphasis that goes on."""
_APART = 1.25
"""Of the usual step from line to line: the step below a title at least."""
_LINE = 0.45
"""Of the block's width: a line that fills its column, where the block spans two."""
_TIGHT = 0.5
"""Of a line's height: the space between the lines of one paragraph at most."""


def part_titles(page: Layout) -> None:
    """Make bold lines within paragraphs blocks of their own; they may be headings."""
    bold = [run for run in page.runs if run.bold]
    if bold:
        page.blocks = [part for block in page.blocks for part in _parted(block, page, bold)]


def mend_run_ins(page: Layout) -> None:
    """Keep only the opening words bold where the library made a paragraph's whole first line so, and join the rest."""
    blocks: list[Block] = []
    for block in page.blocks:
        if blocks and _goes_on(blocks[-1], block):
            opening = blocks.pop()
            blocks.append(replace(opening, text=_opened(opening, page), bold=False, italic=False).followed_by(block))
        else:
            blocks.append(block)
    page.blocks = blocks


def _parted(block: Block, page: Layout, bold: list[Run]) -> Iterator[Block]:
    if block.kind == "paragraph" and not block.bold and any(_in(block.box, run.box) for run in bold):
        for title, top in _titles(block, page):
            before, found, after = block.text.partition(title.text)
            if not found or title.text in after:
                continue
            if before.strip():
                yield replace(block, text=before.strip(), box=block.box._replace(bottom=title.box.top - 1))
            yield title
            block = replace(block, text=after.strip(), box=block.box._replace(top=top))
    if block.text or block.kind != "paragraph":
        yield block


def _in(box: Box, other: Box) -> bool:
    return box.left - 1 <= other.left and other.right <= box.right + 1 and box.top - 1 <= other.top <= box.bottom


def _titles(block: Block, page: Layout) -> Iterator[tuple[Block, float]]:
    """The bold lines of a block that stand apart from the others, with where what follows begins."""
    lines = lines_of(page.within(block.box))
    if len(lines) < 2:
        return
    boxes = [_around(line) for line in lines]
    steps = [after.top - box.top for box, after in pairwise(boxes)]
    usual = median(steps) if len(steps) > 2 else min(box.bottom - box.top for box in boxes)
    for line, box, after, step in zip(lines, boxes, boxes[1:], steps, strict=False):
        text = " ".join(run.text.strip() for run in line).strip()
        apart = step > _APART * usual and box.width < _NARROW * block.box.width
        if text and apart and all(run.bold for run in line):
            yield Block("heading", text, box), after.top


def _around(line: list[Run]) -> Box:
    box = line[0].box
    for run in line[1:]:
        box = box.around(run.box)
    return box


def _goes_on(opening: Block, block: Block) -> bool:
    """Whether *opening* is the first line of *block*, broken off for its bold or italic words."""
    if not (opening.kind == block.kind == "paragraph") or block.bold or block.italic:
        return False
    if not opening.bold and not (opening.italic and block.text[:1].islower()):
        return False
    if opening.bold and block.text[:1].islower() and opening.box.width > _LINE * block.box.width:
        # A sentence goes on, wherever the library says that the rest stands.
        return True
    height = opening.box.bottom - opening.box.top
    space = block.box.top - opening.box.bottom
    narrower = min(opening.box.width, block.box.width)
    return -_TIGHT * height < space < _TIGHT * height and opening.box.overlaps(block.box) > 0.5 * narrower


def _opened(opening: Block, page: Layout) -> str:
    """The text of an opening line with its bold words alone marked."""
    runs = page.within(opening.box)
    size, words = common_size(runs), list[str]()
    for run in sorted(runs, key=lambda run: (round(run.box.bottom / max(size, 1)), run.box.left)):
        if not run.bold:
            break
        words.append(run.text.strip())
    title = " ".join(words)
    # Where the whole line is said to be bold, the library has not seen where the bold words end.
    if not title or title == opening.text or not opening.text.startswith(title):
        return opening.text
    return f"**{title}**{opening.text[len(title) :]}"
