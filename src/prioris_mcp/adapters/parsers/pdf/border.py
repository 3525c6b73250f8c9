"""The border for the text of a PDF: what only looks like markup there means itself in the Markdown."""

from __future__ import annotations

import re
from dataclasses import replace

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Cell

_MATH = re.compile(r"(\$[^$\n]*\$)")
_TAG = re.compile(r"(\\*)<(?!/?su[bp]>)(?=[A-Za-z/!?])")
_LINK = re.compile(r"\]\((?!https?://|mailto:|ftp://)", re.IGNORECASE)
"""A link to anything but a place on the network; the library makes links of what the PDF says are some."""
_IMAGE = re.compile(r"(?<!\\)!(?=\[[^\]\n]*\]\()")
"""An image, which a reader's program would fetch; the library makes none."""
_OPENING = re.compile(r"^[^\S\n]*(?=#{1,6}(?:\s|$)|`{3,}|~{3,}|>|\[[^\]\n]*\]:)", re.MULTILINE)
"""What would begin a heading, code, a quotation or the definition of a link."""


def neutral(block: Block) -> Block:
    """The block with such text escaped; blocks of code are shown as they are."""
    text = _neutral(block.text)
    if block.kind in {"paragraph", "list_item"}:
        text = _OPENING.sub(r"\g<0>\\", text)
    if text == block.text and not block.rows:
        return block
    rows = [[Cell(_neutral(cell.text), cell.box) for cell in row] for row in block.rows]
    return replace(block, text=text, rows=rows)


def _neutral(text: str) -> str:
    if "](" in text:
        text = _IMAGE.sub(r"\\!", _LINK.sub(r"]\\(", text))
    if "<" not in text:
        return text
    # No tag begins with a space, which means nothing in a formula.
    parts = _MATH.split(text)
    return "".join(_TAG.sub(r"\1< ", part) if at % 2 else _TAG.sub(_escaped, part) for at, part in enumerate(parts))


def _escaped(match: re.Match[str]) -> str:
    return match[0] if len(match[1]) % 2 else f"{match[1]}\\<"
