"""The layout blocks of a PDF page, as our own records, and their Markdown."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from math import inf
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from prioris_mcp.adapters.parsers.markdown.text import fenced

if TYPE_CHECKING:
    from liteparse.types import AnnotationRect, LayoutBlock, LayoutCell, ParsedPage, WordBox

_BOLD = re.compile(r"bold|black|heavy|demi|[-,]bd\b|medi$|(?:cm|sf|ec|lm)\w*bx|bx\d", re.IGNORECASE)
"""How the names of bold fonts are spelled; TeX says BX for bold extended."""
_BAR = re.compile(r"(?<!\\)\|")
_DOWN_AND_ACROSS, _ACROSS = attrgetter("box.bottom", "box.left"), attrgetter("box.left")
_STRUCK = {(False, False): "", (True, False): "**", (False, True): "*", (True, True): "***"}


class Box(NamedTuple):
    """A rectangle in points, from the page's top left corner."""

    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0

    @property
    def width(self) -> float:
        """Points from left to right."""
        return self.right - self.left

    @property
    def centre(self) -> float:
        """Half way from left to right."""
        return (self.left + self.right) / 2

    @property
    def middle(self) -> float:
        """Half way from top to bottom."""
        return (self.top + self.bottom) / 2

    def around(self, other: Box) -> Box:
        """The smallest box that holds both."""
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def overlaps(self, other: Box) -> float:
        """Points that both share from left to right."""
        return min(self.right, other.right) - max(self.left, other.left)


_NOWHERE = Box()


@dataclass(slots=True)
class Run:
    """Text set in one font on one line."""

    text: str
    box: Box
    font: str = ""
    size: float = field(init=False)
    """Height in half points; the library's font size is 1 for many files."""
    across: float = field(init=False, repr=False)
    """Twice the middle from left to right: boxes are asked for their runs again and again."""
    down: float = field(init=False, repr=False)
    """Twice the middle from top to bottom."""

    def __post_init__(self) -> None:
        """Take the size and the middle from the box."""
        left, top, right, bottom = self.box
        self.size = round(2 * (bottom - top)) / 2
        self.across, self.down = left + right, top + bottom

    @property
    def bold(self) -> bool:
        """Whether the font's name says so."""
        return _is_bold(self.font)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table; no box where nothing is drawn in it."""

    text: str
    box: Box | None = None


@dataclass(slots=True)
class Block:
    """A heading, paragraph, list_item, code, grid_fallback, table, rule or figure."""

    kind: str
    text: str = ""
    box: Box = _NOWHERE
    level: int = 0
    bold: bool = False
    italic: bool = False
    marker: str = ""
    lang: str = ""
    lines: list[str] = field(default_factory=list)
    rows: list[list[Cell]] = field(default_factory=list)

    def texts(self) -> Iterator[str]:
        """Its text and those of its lines and cells."""
        yield self.text
        yield from self.lines
        yield from (cell.text for row in self.rows for cell in row)

    def followed_by(self, other: Block) -> Block:
        """This block with the text of *other* joined to it."""
        return replace(self, text=f"{self.text} {other.text}", box=self.box.around(other.box))


@dataclass(slots=True)
class Layout:
    """One page: its blocks in reading order, its runs in the library's, its height in points.

    *has_text* stays true when all blocks prove to be running heads. *words*: its words, each where it stands, of pages
    on which their order is in doubt.
    """

    blocks: list[Block] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    height: float = 0.0
    has_text: bool = False
    words: list[Run] = field(default_factory=list)

    def words_in(self, box: Box) -> list[Run]:
        """The words whose middle lies in *box*."""
        return _within(box, self.words)

    def within(self, box: Box) -> list[Run]:
        """The runs whose middle lies in *box*."""
        return _within(box, self.runs)


def read_layout(page: ParsedPage) -> Layout:
    """The library's page as our records."""
    runs = [
        Run(item.text, Box(item.x, item.y, item.x + item.width, item.y + item.height), item.font_name or "")
        for item in page.text_items
    ]
    blocks = [_block(block) for block in page.blocks or ()]
    return Layout(blocks, runs, page.height, has_text=any(map(_shown, blocks)))


def read_words(page: ParsedPage) -> list[Run]:
    """The words of a page that the library was asked for, each where it stands."""
    return [_word(word, item.font_name or "") for item in page.text_items for word in item.words]


def common_size(runs: Iterable[Run]) -> float:
    """The size that most characters have; 0 without any."""
    sizes: defaultdict[float, int] = defaultdict(int)
    for run in runs:
        sizes[run.size] += len(run.text)
    return max(sizes, key=sizes.__getitem__, default=0.0)


def lines_of(runs: Iterable[Run]) -> list[list[Run]]:
    """Runs side by side, from top to bottom and from left to right."""
    lines: list[list[Run]] = []
    bottom = -inf
    for run in sorted(runs, key=_DOWN_AND_ACROSS):
        if run.box.top + run.size / 2 < bottom:
            lines[-1].append(run)
        else:
            lines.append([run])
            bottom = run.box.bottom
    return [sorted(line, key=_ACROSS) if len(line) > 1 else line for line in lines]


def hull(boxes: Iterable[Box]) -> Box:
    """The smallest box that holds all of *boxes*, of which there are some."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


def hull_of(cells: Iterable[Cell]) -> Box | None:
    """The same of the cells that hold text; None where nothing is drawn in any."""
    boxes = [cell.box for cell in cells if cell.box and cell.text.strip()]
    return hull(boxes) if boxes else None


def render(blocks: Sequence[Block]) -> str:
    """Markdown: a blank line between blocks, none between the items of a list."""
    shown = [(block, text) for block in blocks if (text := _shown(block))]
    parts = [shown[0][1]] if shown else []
    for (before, _), (block, text) in pairwise(shown):
        parts += ["\n" if before.kind == block.kind == "list_item" else "\n\n", text]
    return "".join(parts)


def _shown(block: Block) -> str:
    return _RENDERERS.get(block.kind, _struck)(block)


@cache
def _is_bold(font: str) -> bool:
    return bool(_BOLD.search(font))


def _within(box: Box, runs: Iterable[Run]) -> list[Run]:
    left, top, right, bottom = (2 * edge for edge in (box.left - 1, box.top - 1, box.right + 1, box.bottom + 1))
    return [run for run in runs if top <= run.down <= bottom and left <= run.across <= right]


def _word(word: WordBox, font: str) -> Run:
    return Run(word.text, Box(word.x, word.y, word.x + word.width, word.y + word.height), font)


def _block(block: LayoutBlock) -> Block:
    rows = ([block.header] if block.header else []) + (block.rows or [])
    return Block(
        block.kind,
        block.text or "",
        _box(block.bbox),
        block.level or 0,
        block.bold,
        block.italic,
        block.marker or "",
        block.lang or "",
        block.lines or [],
        [_cells(row) for row in rows],
    )


def _box(box: AnnotationRect | None) -> Box:
    return Box(box.x, box.y, box.x + box.width, box.y + box.height) if box else Box()


def _cells(row: Iterable[LayoutCell]) -> list[Cell]:
    return [Cell(cell.text, _box(cell.bbox) if cell.bbox else None) for cell in row]


def _struck(block: Block) -> str:
    mark = _STRUCK[block.bold, block.italic]
    return f"{mark}{block.text}{mark}" if block.text else ""


def _heading(block: Block) -> str:
    return f"{'#' * max(1, block.level)} {block.text}" if block.text else ""


def _item(block: Block) -> str:
    marker = block.marker if re.search(r"\w", block.marker) else "-"
    return f"{'  ' * block.level}{marker} {_struck(block)}"


def _code(block: Block) -> str:
    return fenced("\n".join(block.lines), block.lang) if any(block.lines) else ""


def _table(block: Block) -> str:
    if not block.rows:
        return ""
    width = max(map(len, block.rows))
    filled = [row + [Cell("")] * (width - len(row)) for row in block.rows]
    lines = [f"| {' | '.join(map(_cell, row))} |" for row in filled]
    return "\n".join([lines[0], "|" + "---|" * width, *lines[1:]])


def _cell(cell: Cell) -> str:
    text = cell.text.replace("\n", " ")
    return _BAR.sub(r"\\|", text) if "|" in text else text


def _figure(block: Block) -> str:
    return block.text


_RENDERERS: dict[str, Callable[[Block], str]] = {
    "heading": _heading,
    "paragraph": _struck,
    "list_item": _item,
    "code": _code,
    "grid_fallback": _code,
    "table": _table,
    "figure": _figure,
}
