"""Right-to-left script: the order of words on a line, the columns of tables, the ligature of lam and alef.

The library puts a line together from left to right, which leaves Latin words and numbers in Arabic or Hebrew text in
the wrong place. Where its pages carry the place of each word, the lines are put together anew.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Box, Cell, Layout, Run, lines_of

SCRIPT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LATIN = re.compile(r"[^\W\d_]")
_SWAPPED = re.compile("\u0627([\u0622\u0623\u0625\u0627])\u0644")
"""Alef, another alef, lam: no word is spelled so, but the ligature of the last two is read backwards into it."""
_PIECES = re.compile(f"(?:{SCRIPT.pattern}+|[^\\w]+)+|[^{SCRIPT.pattern[1:-1]}]+")
_MISPLACED = re.compile(f"^([.,:;!?\u060c\u061b\u061f]+)({SCRIPT.pattern}.*)$")
"""A stop at the left end of a word, which the library reads first."""
_FORWARD = re.compile(r"[^\W_]")
_ENDED = re.compile(r"""[.!?:;\u061f\u061b\u06d4]["'”’)\]*]*$""")
_TOUCHING = 0.12
"""Of a line's height: a smaller gap parts no words."""
_WITHIN = 0.05
"""The same, where both are letters of such script."""
_COLUMN = 2.0
"""Of a line's height: a wider gap parts the cells of a row."""
_NEAR = 0.9
"""Of a line's height: the space between the lines of one paragraph or cell at most."""


def mostly(text: str) -> bool:
    """Whether *text* is written from right to left for the greater part."""
    return 2 * len(SCRIPT.findall(text)) > len(_LATIN.findall(text))


def mend_right_to_left(page: Layout) -> None:
    """Mend the blocks of a page that are written from right to left."""
    if any(SCRIPT.search(_all(block)) for block in page.blocks):
        page.blocks = list(_joined([_mended(block, page) for block in page.blocks]))


def _all(block: Block) -> str:
    return block.text or " ".join(cell.text for row in block.rows for cell in row)


def _mended(block: Block, page: Layout) -> Block:
    text = _all(block)
    if not mostly(text):
        return replace(block, text=_spelled(block.text)) if SCRIPT.search(text) else block
    words = page.words_in(block.box)
    if not words:
        rows = [[Cell(_spelled(cell.text), cell.box) for cell in row] for row in block.rows]
        return replace(block, text=_spelled(block.text), rows=[row[::-1] for row in rows])
    if block.rows:
        return replace(block, rows=_rows(words))
    return replace(block, text=" ".join(_spelled(_read(line)) for line in lines_of(words)))


def _spelled(text: str) -> str:
    return _SWAPPED.sub("\u0627\u0644\\1", text)


def _read(line: Sequence[Run]) -> str:
    """The words of a line in the order in which they are read: from the right, but numbers and Latin from the left."""
    pieces = [piece for word in line for piece in _pieces(word)]
    ordered: list[Run] = []
    for forward, group in groupby(_directed(pieces)[::-1], key=lambda item: item[0]):
        run = [piece for _, piece in group]
        ordered += run[::-1] if forward else run
    parts = [ordered[0].text] if ordered else []
    for before, piece in pairwise(ordered):
        parts += ["" if _touch(before, piece) else " ", piece.text]
    return "".join(parts)


def _pieces(word: Run) -> Iterator[Run]:
    """A word, in two where the library took two of different direction for one."""
    found = [match for match in _PIECES.finditer(word.text) if match[0].strip()]
    width = word.box.width / max(1, len(word.text))
    for match in found:
        left = word.box.left + width * match.start()
        yield replace(
            word,
            text=_MISPLACED.sub(r"\2\1", match[0]),
            box=word.box._replace(left=left, right=left + width * len(match[0])),
        )


def _directed(pieces: Sequence[Run]) -> list[tuple[bool, Run]]:
    """Each piece with whether it is read from the left; a sign is, between two that are."""
    forward = [bool(_FORWARD.search(piece.text)) and not SCRIPT.search(piece.text) for piece in pieces]
    signs = [not _FORWARD.search(piece.text) for piece in pieces]
    between = [
        sign and 0 < at < len(pieces) - 1 and forward[at - 1] and forward[at + 1] for at, sign in enumerate(signs)
    ]
    return [(one or two, piece) for one, two, piece in zip(forward, between, pieces, strict=True)]


def _touch(before: Run, piece: Run) -> bool:
    """Whether a sign stands directly at the word that is read before or after it, or a word was cut in two."""
    gap = max(piece.box.left - before.box.right, before.box.left - piece.box.right)
    words = bool(_FORWARD.search(before.text) and _FORWARD.search(piece.text))
    if words and not (SCRIPT.search(before.text) and SCRIPT.search(piece.text)):
        return False
    return gap < (_WITHIN if words else _TOUCHING) * (before.box.bottom - before.box.top)


def _rows(words: Iterable[Run]) -> list[list[Cell]]:
    """The rows of a table, its first column on the right; a line with one cell goes on with the cell above it."""
    rows: list[list[Cell]] = []
    for line in lines_of(words):
        cells = [_cell(group) for group in _parted(line)]
        above = _above(cells[0], rows[-1]) if rows and len(cells) == 1 else None
        if above is None:
            rows.append(cells)
        else:
            rows[-1][above] = _stacked(rows[-1][above], cells[0])
    width = max(map(len, rows), default=0)
    return [row + [Cell("")] * (width - len(row)) for row in rows]


def _parted(line: Sequence[Run]) -> list[list[Run]]:
    """The words of each cell, the cell on the right first."""
    cells = [[line[0]]]
    for before, word in pairwise(line):
        if word.box.left - before.box.right > _COLUMN * (before.box.bottom - before.box.top):
            cells.append([])
        cells[-1].append(word)
    return cells[::-1]


def _cell(words: Sequence[Run]) -> Cell:
    box = words[0].box
    for word in words:
        box = box.around(word.box)
    return Cell(_spelled(_read(words)), box)


def _above(cell: Cell, row: Sequence[Cell]) -> int | None:
    """Which cell of the row above goes on in *cell*."""
    for at, upper in enumerate(row):
        if upper.box and cell.box and upper.box.overlaps(cell.box) > 0:
            near = cell.box.top - upper.box.bottom < _NEAR * (cell.box.bottom - cell.box.top)
            return at if near else None
    return None


def _stacked(upper: Cell, lower: Cell) -> Cell:
    box = upper.box.around(lower.box) if upper.box and lower.box else upper.box
    return Cell(f"{upper.text} {lower.text}", box)


def _joined(blocks: Sequence[Block]) -> Iterator[Block]:
    """Paragraphs that the library has cut between two lines are joined; the script has no capitals to go by."""
    last: Block | None = None
    for block in blocks:
        if last is not None and _goes_on(last, block):
            last = last.followed_by(block)
            continue
        if last is not None:
            yield last
        last = block
    if last is not None:
        yield last


def _goes_on(before: Block, block: Block) -> bool:
    if before.kind != "paragraph" or block.kind != "paragraph" or not (mostly(before.text) and mostly(block.text)):
        return False
    height = _line_height(block.box, block.text)
    near = -height < block.box.top - before.box.bottom < _NEAR * height
    aligned = abs(before.box.right - block.box.right) < 2 * height
    return near and aligned and not _ENDED.search(before.text) and before.bold == block.bold


def _line_height(box: Box, text: str) -> float:
    """Points; of a paragraph about as wide as its box."""
    area = box.width * (box.bottom - box.top)
    return min(box.bottom - box.top, 1.6 * math.sqrt(max(0.0, area) / max(1, len(text))))
