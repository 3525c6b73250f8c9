"""Which lines of a PDF are headings, and of which level: by size, weight, numbering and the space around them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Layout, common_size

_SMALLER = 0.89
"""Of the body's size: what is smaller belongs to a figure, a table or a note."""
_LARGER = 1.1
_MOST_WORDS = 30
_MOST_LINES = 4.5
_ONE_LINE = 1.6
_LETTERS = 3
_TITLE_WORDS = 14
"""Words of a numbered line at most, that is no heading to the library."""
_WRAPPED = 0.4
"""Of the text's width: a narrower heading has not been broken over two lines."""
_NUMBERED = re.compile(r"^(?:[^\W\d_]{4,9}\s+)?((?:\d{1,2}|[A-Z](?=\.\d))(?:\.\d{1,2}){0,4})\.?:?\s+(?=[^\W\d_])")
_CAPTION = re.compile(r"^(?:fig|tab|abb|graph|eq)\w{0,8}\.?\s*[\dIVX]+\b", re.IGNORECASE)
_PEOPLE = re.compile(r"[@†‡¶]|[∗*]\s*,")
"""Addresses, and the marks behind the names of authors."""
_MARKUP = re.compile(r"\$[^$]*\$|[*\\]")
_TIGHT = 0.5
"""Of a line's height: the space between the lines of one paragraph at most."""
_LOW = 6
_TITLE_PAGES = 2
_TITLE_SIZE = 0.7
"""Of the size of the largest heading: that of the document's title at least."""
_TITLE_LARGER = 1.2
"""Of the body's size, likewise."""
_LEADING = 0.6
"""Of a heading's height: the space between two of its lines at most."""
_TITLE_LEADING = 1.3
"""The same of a title whose first line is full, in a text that is set wide."""
_FULL = 0.7
_MARKED = re.compile(r"[∗*†‡\d]\W*$")
"""The end of a line of authors."""


@dataclass(slots=True)
class _Line:
    """A block that may be a heading, and what stands around it."""

    block: Block
    size: float
    bold: bool
    above: float
    below: float
    fills: bool
    cut: bool

    @property
    def text(self) -> str:
        return _MARKUP.sub("", self.block.text).strip()

    @property
    def rows(self) -> float:
        return (self.block.box.bottom - self.block.box.top) / max(self.size, 1.0)

    @property
    def depth(self) -> int:
        """Of the number before the title, such as 2 for "3.1"; 0 without one."""
        number = _NUMBERED.match(self.text)
        return number[1].count(".") + 1 if number else 0


def settle_headings(pages: Sequence[Layout], body: float) -> None:
    """Keep, find, join and level the headings of a document; what is none becomes a bold paragraph.

    *body*: the size of the running text.
    """
    found: list[tuple[int, _Line]] = []
    for number, page in enumerate(pages):
        _join_broken(page)
        for line in _lines(page):
            if _is_heading(line, body):
                line.block.kind = "heading"
                found.append((number, line))
            elif line.block.kind == "heading":
                line.block.kind, line.block.bold = "paragraph", line.bold
    _set_levels(found, body)


def _join_broken(page: Layout) -> None:
    """Join headings that the library left in two because they run over two lines."""
    blocks: list[Block] = []
    for block in page.blocks:
        if blocks and _continues(blocks[-1], block, page):
            blocks.append(blocks.pop().followed_by(block))
        else:
            blocks.append(block)
    page.blocks = blocks


def _continues(before: Block, block: Block, page: Layout) -> bool:
    if before.kind != "heading" or block.kind != "heading" or _NUMBERED.match(block.text):
        return False
    one, two = common_size(page.within(before.box)), common_size(page.within(block.box))
    text_width = max(b.box.right for b in page.blocks) - min(b.box.left for b in page.blocks)
    is_title = one == two > _TITLE_LARGER * common_size(page.runs) and not _MARKED.search(block.text)
    leading = _TITLE_LEADING if is_title and before.box.width > _FULL * text_width else _LEADING
    near = -0.5 * one < block.box.top - before.box.bottom < leading * one
    aligned = min(abs(before.box.left - block.box.left), abs(before.box.centre - block.box.centre)) < one
    return near and aligned and before.box.width > _WRAPPED * text_width and abs(one - two) <= 0.12 * one


def _lines(page: Layout) -> Iterator[_Line]:
    """The headings of a page and its paragraphs of one line."""
    for at, block in enumerate(page.blocks):
        if block.kind != "heading" and not (block.kind == "paragraph" and _NUMBERED.match(block.text)):
            continue
        runs = page.within(block.box)
        before, after = page.blocks[at - 1] if at else None, page.blocks[at + 1] if at + 1 < len(page.blocks) else None
        above = _gap(before, block)
        below = _gap(block, after)
        bold = bool(runs) and all(run.bold for run in runs if run.text.strip())
        yield _Line(block, common_size(runs), bold, above, below, _fills(block, after), _is_cut(after))


def _gap(upper: Block | None, lower: Block | None) -> float:
    """Points between two blocks; much where one is missing or stands in another column."""
    if upper is None or lower is None or lower.box.top < upper.box.top or upper.box.overlaps(lower.box) <= 0:
        return 99.0
    return lower.box.top - upper.box.bottom


def _fills(block: Block, after: Block | None) -> bool:
    """Whether the line is as wide as the text that follows, so that it was broken rather than ended."""
    if after is None or after.kind != "paragraph":
        return False
    return block.box.overlaps(after.box) > 0.85 * max(after.box.width, block.box.width)


def _is_cut(after: Block | None) -> bool:
    """Whether what follows begins in the middle of a sentence."""
    return after is not None and after.kind == "paragraph" and after.text[:1].islower()


def _is_heading(line: _Line, body: float) -> bool:
    if not _may_be_title(line.text) or line.rows > _MOST_LINES or line.size < _SMALLER * body:
        return False
    is_title = line.rows > _ONE_LINE and line.size > _TITLE_LARGER * body
    if line.fills and not is_title and line.below < _TIGHT * line.size:
        return False
    if line.cut and not line.depth and line.size <= _LARGER * body:
        return False
    if line.block.kind == "heading":
        return line.bold or bool(line.depth) or line.size > _LARGER * body
    apart = line.above > 0.6 * line.size and line.below > 0.4 * line.size
    short = line.rows < _ONE_LINE and len(line.text.split()) <= _TITLE_WORDS and line.text[-1].isalnum()
    return apart and short and (line.bold or line.size > _LARGER * body)


def _may_be_title(text: str) -> bool:
    letters = sum(2 if ord(sign) > 0x2E80 else 1 for sign in text if sign.isalpha())
    if letters < _LETTERS or len(text.split()) > _MOST_WORDS or text[-1] in ",;-" or _PEOPLE.search(text):
        return False
    return not text[0].islower() and not _CAPTION.match(text)


def _set_levels(found: Sequence[tuple[int, _Line]], body: float) -> None:
    """Number gives depth; a heading without one has the level of numbered ones of its size, or follows by size."""
    if not found:
        return
    title = _title([line for page, line in found if page < _TITLE_PAGES], max(line.size for _, line in found), body)
    top = 1 if title is None else 2
    others = [line for _, line in found if line is not title]
    by_size = _levels_by_size(others, top)
    for line in others:
        line.block.level = min(top + line.depth - 1, _LOW) if line.depth else by_size[line.size]
    if title:
        title.block.level = 1


def _title(lines: Sequence[_Line], largest: float, body: float) -> _Line | None:
    """The first large heading without a number: words in a picture may be larger still."""
    plain = [line for line in lines if not line.depth]
    least = max(_TITLE_SIZE * largest, _TITLE_LARGER * body)
    return next((line for line in plain if line.size >= least or line.size == largest), None)


def _levels_by_size(lines: Sequence[_Line], top: int) -> dict[float, int]:
    """Levels for headings without a number: below the next larger numbered ones, or one level for each size."""
    numbered = _numbered_levels(lines, top)
    sizes = sorted({line.size for line in lines}, reverse=True)
    if not numbered:
        return {size: min(top + rank, _LOW) for rank, size in enumerate(sizes)}
    levels: dict[float, int] = {}
    below = top
    for size in sizes:
        levels[size] = numbered.get(size, below)
        below = min(levels[size] + 1, _LOW) if size in numbered else below
    return levels


def _numbered_levels(lines: Sequence[_Line], top: int) -> dict[float, int]:
    """The most common level of the numbered headings of each size."""
    counts: dict[float, Counter[int]] = {}
    for line in lines:
        if line.depth:
            counts.setdefault(line.size, Counter())[min(top + line.depth - 1, _LOW)] += 1
    return {size: count.most_common(1)[0][0] for size, count in counts.items()}
