"""Lists of references: one entry, one item, wherever the library has cut or joined them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Box, Cell, Layout
from prioris_mcp.adapters.parsers.pdf.passes.lines import Joint, Line, parted

_TITLE = re.compile(
    r"(?:\d+\.?\s+|[IVX]+\.\s+)?(?:references?(?: and notes| cited)?|literature(?: cited)?|works cited|"
    r"(?:selected )?bibliograph(?:y|ie)|refer[eê]ncias(?: bibliográficas)?|referencias(?: bibliográficas)?|"
    r"références|literatur(?:verzeichnis)?)\W*",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\[(?=[^\W_]*(?:\d|[A-Z]))[^\W_][^\]\s]{0,11}\]")
_LABEL = re.compile(rf"{_BRACKETED.pattern}(?:\s|$)|\(?\d{{1,3}}[.)]\s+(?=\W*[^\W\d_])")
_OUTDENT = (0.5, 5.0)
"""Of a line's height: how far the first line of an entry stands out before the next."""
_MARGIN = 1.5
"""Points in which entries agree that begin at the same margin."""
_FEW = 2
"""Entries of a page at least that show how they are set."""
_MOST = 0.75
"""Share of the lines that begin an entry: more, and nothing tells them from the others."""
_NEAR = 8.0
"""Points between the lines of an entry at most."""
_ENDED = re.compile(r"[.!?][\"'”’)\]*_]*$")
_LONG_ENTRY = 1200
"""Characters: what would be longer is something else than an entry."""


def part_references(pages: Sequence[Layout], lines: Sequence[Sequence[Line]]) -> None:
    """Make each entry of the lists of references of a document an item of its own."""
    inside = False
    for page, own in zip(pages, lines, strict=True):
        title = next(filter(_is_title, page.blocks), None)
        if inside or title:
            inside = _part(page, [line for line in own if inside or not title or _follows(line, title)], inside)


def _part(page: Layout, lines: Sequence[Line], inside: bool) -> bool:
    """Whether the list goes on after the page."""
    entries = _Entries(lines)
    blocks: list[Block] = []
    for block in page.blocks:
        if block.kind == "heading":
            inside = _is_title(block)
        if inside and entries.openings:
            entries.add(block, blocks)
        else:
            blocks.append(block)
    page.blocks = blocks
    return inside


def _is_title(block: Block) -> bool:
    return block.kind == "heading" and bool(_TITLE.fullmatch(block.text))


def _follows(line: Line, title: Block) -> bool:
    """Whether a line stands below the title, or in a column to its right."""
    if line.box.overlaps(title.box) > 0:
        return line.box.top > title.box.top
    return line.box.left > title.box.left


class _Entries:
    """How the entries of a page begin: with a label, or before the margin of their other lines."""

    def __init__(self, lines: Sequence[Line]) -> None:
        """Find the lines of a page that begin an entry, should it be in a list of references."""
        labelled = [line for line in lines if _LABEL.match(line.text)]
        openings = labelled if len(labelled) >= _FEW else [*_standing_out(lines)]
        self.openings = openings if _FEW <= len(openings) <= _MOST * len(lines) else labelled
        # A label that stands apart is a line of its own, below other labels.
        self._joints = [Joint(line, None if _LABEL.fullmatch(line.text) else line.above) for line in self.openings]
        self._words = tuple(line.opening for line in self.openings)

    def add(self, block: Block, blocks: list[Block]) -> None:
        """Append the entries in *block*; the rest of one goes to the item that it belongs to."""
        for plain in _released(block):
            for piece in parted(plain, self._joints):
                if self._opens(piece):
                    blocks.append(replace(piece, kind="list_item", level=0, bold=False, italic=False))
                elif blocks and _goes_on(blocks[-1], piece):
                    blocks[-1] = blocks[-1].followed_by(piece)
                else:
                    blocks.append(piece)

    def _opens(self, piece: Block) -> bool:
        if piece.kind not in {"paragraph", "list_item"}:
            return False
        marked = f"{piece.marker} {piece.text}" if re.search(r"\w", piece.marker) else piece.text
        shown = marked.replace("*", "")
        # A bracket more is that of a link.
        return shown.startswith(self._words) or (shown[:1] == "[" and shown[1:].startswith(self._words))


def _goes_on(entry: Block, piece: Block) -> bool:
    if entry.kind != "list_item" or piece.kind != "paragraph" or len(entry.text) + len(piece.text) > _LONG_ENTRY:
        return False
    near = entry.box.overlaps(piece.box) > 0 and abs(piece.box.top - entry.box.bottom) < _NEAR
    return near or not _ENDED.search(entry.text) or not piece.text[:1].isupper()


def _standing_out(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines that begin before the one below, and those that begin where such a line does."""
    margins = {line.box.left for line in lines if _stands_out(line)}
    yield from (line for line in lines if any(abs(line.box.left - margin) < _MARGIN for margin in margins))


def _stands_out(line: Line) -> bool:
    least, most = (times * line.size for times in _OUTDENT)
    below = line.below
    return below is not None and below.is_like(line) and least < below.box.left - line.box.left < most


def _released(block: Block) -> list[Block]:
    """The rows of a table that labels beside entries were taken for, as running text."""
    labels = [row for row in block.rows if row and _BRACKETED.fullmatch(row[0].text.strip())]
    return [_running(row, block.box) for row in block.rows] if 2 * len(labels) > len(block.rows) else [block]


def _running(row: Sequence[Cell], box: Box) -> Block:
    text = " ".join(cell.text for cell in row if cell.text.strip())
    return Block("paragraph", text, next((cell.box for cell in row if cell.box), box))
