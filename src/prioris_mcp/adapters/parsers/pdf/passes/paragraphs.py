"""Paragraphs that a column's end, a picture or a table has cut in two."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Layout

_ENDED = re.compile(r"""[.!?:;。！？]["'”’)\]*]*$""")
_LABEL = re.compile(r"\w{1,3}[.)]\s")
_CAPTION = re.compile(r"[*_]*(?:fig|tab|abb|algorithm|listing|chart|scheme|box)\w{0,6}\.?\s*[\dIVX]+", re.IGNORECASE)
_EMPHASISED = re.compile(r"\*([^*]+)\*")
_SHORT = 40
"""Characters of a label or another fragment, which no sentence goes on from."""
_WORDS = 14
"""Of a line at most that belongs to a picture or a table beside it."""
_LEADING = 6.0
"""Points between the lines of a caption at most."""
_MOST = 8
"""Blocks that stand between the two parts of a paragraph."""
_FLOATING = {"table", "figure", "rule", "grid_fallback"}


def joined(blocks: Sequence[Block]) -> list[Block]:
    """*blocks* with such paragraphs whole; what stood in between follows them."""
    found: list[Block] = []
    for block in blocks:
        at = _opening(found, block)
        if at is None:
            found.append(block)
        else:
            found[at] = _unmarked(found[at], block).followed_by(block)
    return found


def _unmarked(line: Block, rest: Block) -> Block:
    """A line without the emphasis that the library gives all of it for its first words, where the rest has none."""
    whole = _EMPHASISED.fullmatch(line.text)
    return replace(line, text=whole[1]) if whole and not rest.text.startswith("*") else line


def text_first(page: Layout) -> None:
    """Put what goes on in a sentence before the pictures and tables that a page opens with: it began a page ago."""
    for at, block in enumerate(page.blocks[: _MOST + 1]):
        if not _may_float(block) or _begins_inside(block):
            if at and _begins_inside(block) and any(map(_floats, page.blocks[:at])) and len(block.text) > _SHORT:
                page.blocks.insert(0, page.blocks.pop(at))
            return


def _opening(found: Sequence[Block], block: Block) -> int | None:
    """Where the paragraph stands that goes on in *block*: directly before, or before a picture or a table."""
    if not found or not _begins_inside(block):
        return None
    if _goes_on(found[-1], block):
        return len(found) - 1
    floats = 0
    for at in range(len(found) - 1, max(-1, len(found) - 2 - _MOST), -1):
        if not _may_float(found[at]):
            return at if floats and _goes_on(found[at], block) else None
        floats += _floats(found[at])
    return None


def _begins_inside(block: Block) -> bool:
    return block.kind == "paragraph" and block.text[:1].islower() and not _LABEL.match(block.text)


def _goes_on(before: Block, block: Block) -> bool:
    """Whether *before* breaks off in a sentence; *block* begins in the middle of one."""
    alike = (before.bold, before.italic) == (block.bold, block.italic)
    prose = before.kind in {"paragraph", "list_item"} and (not _CAPTION.match(before.text) or _is_next(before, block))
    return prose and alike and not _ENDED.search(before.text) and len(before.text) > _SHORT


def _is_next(before: Block, block: Block) -> bool:
    """Whether a block stands right under the one before it, as the next line of a caption does."""
    return -_LEADING < block.box.top - before.box.bottom < _LEADING and before.box.overlaps(block.box) > 0


def _floats(block: Block) -> bool:
    return block.kind in _FLOATING or (block.kind == "paragraph" and bool(_CAPTION.match(block.text)))


def _may_float(block: Block) -> bool:
    """Whether a block is a picture, a table, or a line that may belong to one."""
    return _floats(block) or (block.kind == "paragraph" and len(block.text.split()) <= _WORDS)
