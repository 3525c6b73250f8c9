"""Lines that the library has read but has left out of its blocks, often the first of a page.

It takes them for running heads, which are set apart from the text, and on page after page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Layout
from prioris_mcp.adapters.parsers.pdf.passes.lines import ENDED, SIZES, Line, place_of
from prioris_mcp.adapters.parsers.pdf.passes.rtl import SCRIPT

_NO_LETTERS = re.compile(r"[\W\d_]+")
_LETTERS = 12
"""Of a line at least: shorter ones are labels and numbers in pictures."""
_NEAR = 1.4
"""Of the usual step from line to line: the step to the text that a line belongs to at most."""
_AHEAD = 100
"""Characters among which a line is looked for first."""
_UP = 4
"""Lines above among which text is looked for that was not left out."""
_REPEATED = 2
"""Times that a running head is left out of a document at least."""


def restore_lines(pages: Sequence[Layout], lines: Sequence[Sequence[Line]], body: float) -> None:
    """Put such lines of the text back where they stand; what is left out again and again is a running head.

    *body*: the size of the running text. Text from right to left is put in order elsewhere, from its words.
    """
    doubtful = [[*_doubtful(_text(page), own)] for page, own in zip(pages, lines, strict=True)]
    times = Counter(letters for found in doubtful for _, letters in found)
    for page, own, found in zip(pages, lines, doubtful, strict=True):
        single = [(line, letters) for line, letters in found if times[letters] < _REPEATED and _is_text(line, body)]
        lost = [*_missing(page, single)] if single else []
        if lost:
            usual = median([line.step for line in own if line.above and line.is_like(line.above)] or [0.0])
            for line in lost:
                _restore(page.blocks, line, _NEAR * usual)


def _text(page: Layout) -> str:
    return " ".join(text for block in page.blocks for text in block.texts())


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", text)


def _is_text(line: Line, body: float) -> bool:
    return abs(line.size - body) < SIZES * body and not SCRIPT.search(line.text)


def _doubtful(text: str, lines: Sequence[Line]) -> Iterator[tuple[Line, str]]:
    """Lines that are not in the text of a page as they stand, with their letters."""
    return ((line, letters) for line in _not_in(text, lines) if len(letters := _letters(line.text)) >= _LETTERS)


def _missing(page: Layout, doubtful: Sequence[tuple[Line, str]]) -> Iterator[Line]:
    """Those lines of which neither half is in the text, whatever stands between its letters."""
    known = _letters(_text(page))
    for line, letters in doubtful:
        half = len(letters) // 2
        if letters[:half] not in known and letters[half:] not in known:
            yield line


def _not_in(text: str, lines: Sequence[Line]) -> Iterator[Line]:
    ends: dict[int, int] = {}
    for line in lines:
        if len(line.text) < _LETTERS:
            continue
        # Its first and last word may have been joined to those of other lines.
        words = line.text[line.text.find(" ") + 1 : line.text.rfind(" ")] or line.text
        # Nearly always it goes on where the line above it ends.
        last = ends.get(id(line.above), 0)
        found = text.find(words, last, last + len(line.text) + _AHEAD)
        found = text.find(words) if found < 0 else found
        ends[id(line)] = found + len(words)
        # One that is there in part is a formula, or words from two columns.
        if found < 0 and line.opening not in text and line.ending not in text:
            yield line


def _restore(blocks: list[Block], line: Line, most: float) -> None:
    above = line.above if line.above and line.above.is_like(line) and line.step < most else None
    below = line.below if line.below and line.below.is_like(line) and line.below.step < most else None
    if above and (found := _holding(blocks, above)):
        at, end = found
        text = f"{blocks[at].text[:end]} {line.text}{blocks[at].text[end:]}"
        blocks[at] = replace(blocks[at], text=text, box=blocks[at].box.around(line.box))
    elif (above or below) and not (below and _prepended(blocks, below, line)):
        _stand_below(blocks, line)


def _holding(blocks: Sequence[Block], line: Line) -> tuple[int, int] | None:
    """The block of running text that holds a line, and where in its text the line ends."""
    for at, block in enumerate(blocks):
        if block.kind in {"paragraph", "list_item"}:
            end = place_of(line.ending, block.text, len(line.ending))
            if end is not None:
                return at, end
    return None


def _prepended(blocks: list[Block], below: Line, line: Line) -> bool:
    """Before the line below, if that opens a block: into it where a sentence goes on, as a paragraph otherwise."""
    for at, block in enumerate(blocks):
        if block.kind in {"paragraph", "list_item", "heading"} and block.text.lstrip("*").startswith(below.opening):
            if ENDED.search(line.text) or block.kind != "paragraph":
                blocks.insert(at, Block("paragraph", line.text, line.box))
            else:
                blocks[at] = replace(block, text=f"{line.text} {block.text}", box=block.box.around(line.box))
            return True
    return False


def _stand_below(blocks: list[Block], line: Line) -> None:
    """As a paragraph after the nearest text above."""
    upper = line.above
    for _ in range(_UP):
        if upper is not None and (found := _holding(blocks, upper)):
            blocks.insert(found[0] + 1, Block("paragraph", line.text, line.box))
            return
        upper = upper.above if upper else None
