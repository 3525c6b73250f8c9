"""Blocks of Markdown and how they follow each other."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum, auto
from typing import NamedTuple

from prioris_mcp.adapters.parsers.markdown.text import escape, paragraph, tidy


class BlockKind(Enum):
    """What a block is to its neighbours."""

    TEXT = auto()
    RUN_IN = auto()
    """A title that the next paragraph continues."""
    HEADING = auto()
    ITEM = auto()
    """An entry of a list; entries follow each other without a blank line."""
    TABLE = auto()
    VERBATIM = auto()


class MarkdownBlock(NamedTuple):
    """One block: its Markdown without a line feed at either end, and its kind."""

    text: str
    kind: BlockKind = BlockKind.TEXT


_BULLETS = frozenset(["", "•", "–", "—", "∗", "-", "*", "·", "◦", "\\*", "\\-"])
_LIST_NUMBER = re.compile(r"\(?(\d{1,9})[.)]?")
_BREAK = re.compile(r"\n{2,}")
_CLOSE = {(BlockKind.ITEM, BlockKind.ITEM): "\n", (BlockKind.RUN_IN, BlockKind.TEXT): " "}


def joined(blocks: Iterable[MarkdownBlock], *, tight: bool = False) -> str:
    """Join blocks to one text; *tight* puts a list directly under the paragraph before it, as inside an entry."""
    parts: list[str] = []
    before: MarkdownBlock | None = None
    for block in blocks:
        parts += [_gap(before, block, tight) if before else "", block.text]
        before = block
    return "".join(parts)


def _gap(before: MarkdownBlock, block: MarkdownBlock, tight: bool) -> str:
    if tight and block.kind is BlockKind.ITEM:
        return "\n"
    if before.kind is BlockKind.RUN_IN and block.text.startswith("$$"):
        return "\n\n"
    return _CLOSE.get((before.kind, block.kind), "\n\n")


def paragraphs(running: list[str]) -> list[MarkdownBlock]:
    """Return running text as blocks; display formulas have brought their own breaks."""
    text = tidy("".join(running))
    parts = _BREAK.split(text) if "\n" in text else [text]
    return [MarkdownBlock(part if part.startswith("$$") else paragraph(part)) for part in parts if part.strip()]


def quoted(blocks: Iterable[MarkdownBlock]) -> list[MarkdownBlock]:
    """Return the blocks as one quotation."""
    text = joined(blocks)
    return [MarkdownBlock("\n".join(f"> {line}".rstrip() for line in text.split("\n")))] if text else []


def entry(marker: str, blocks: Iterable[MarkdownBlock]) -> MarkdownBlock:
    """Return the blocks as one entry of a list."""
    # Four spaces would turn a continued bullet into code: the indent follows the marker.
    indent = " " * (len(marker.split(" ", maxsplit=1)[0]) + 1)
    body = re.sub(r"\n(?!\n)", "\n" + indent, joined(blocks, tight=True))
    return MarkdownBlock(f"{marker} {body}".rstrip(), BlockKind.ITEM)


def list_marker(label: str, number: str) -> str:
    """Return what starts an entry: a number or bullet, then the author's own label where it is neither."""
    own = _LIST_NUMBER.fullmatch(label)
    if number:
        return f"{own[1]}." if own else number if label in _BULLETS else f"- {escape(label)}"
    return "-" if label in _BULLETS else f"- {escape(label)}"
