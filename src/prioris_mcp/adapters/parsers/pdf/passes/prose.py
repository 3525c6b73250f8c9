"""Text that is not what the library took it for: prose set as code, and stamps of publishers among the words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Layout

_WORDS = 6
"""In a line of prose, on average."""
_LETTERS = 3.3
"""In a word of prose, on average; letters set apart are none."""
_PLAIN = 0.9
"""Share of the signs of prose that are letters, spaces and the usual punctuation."""
_USUAL = re.compile(r"[^\W_]|[\s.,;:'\"?!()-]|[\u2018-\u201d\u2013\u2014]")
_TITLE = 6
"""Words of a first line at most that is a title of what follows."""
_STAMP = re.compile(
    r"Downloaded from \S+(?: by .{1,60}?)? on (?:\d{1,2} )?[A-Z][a-z]+ (?:\d{1,2}, )?\d{4}"
    r"(?: - Published by \S+)?\.?\s*"
)
"""What a publisher's server prints on every page that it gives away."""
_DATED = re.compile(r"Download(?:ed)?(?: date| on| at): .{4,40}")
_ORNAMENT = re.compile(r"[^\w$]{9,}")
"""Signs only, and more than a rule between sections needs."""
_LINE_LONG = re.compile(r"\*(?<![*\\\w]\*)(?![*\s])([^*\n]{40,})(?<![*\s\\.!?:;])\*(?=\s[^\W\d_A-Z])")
"""Emphasis over half a sentence that goes on plain: the library takes the font of a first sign for that of the line."""
_CUT_LINE = re.compile(r"\*(?<![*\\\w]\*)(?![*\s])([^*\n]{40,}[^\W\d_])-\*\s(?=[^\W\d_A-Z])")
_INSIDE_WORD = re.compile(r"\*(?<=[^\W\d_A-Z]\*)(?=[^\W\d_A-Z])([^*\n]+)\*")
_SIDE_BY_SIDE = re.compile(r"\*(?<=[^\s*\\]\*)( +)\*(?=[^\s*])")
_ADDRESS = re.compile(r"\s*\d{0,2}\s*(?:https?:/)?/\S+")
_QUOTED = re.compile(r"(?:(?<=[\s(\[])|^)(?:''|``)(?=\w)([^'`\n]{1,400}?[\w.,;:!?)])''(?!')")


def release_code(page: Layout) -> None:
    """Make paragraphs of blocks of code that hold prose or addresses: a typewriter's font is not yet a program."""
    page.blocks = [part for block in page.blocks for part in _released(block)]


def mend_emphasis(page: Layout) -> None:
    """Make one of emphasis that goes on from line to line; where it begins inside a word, it is a line's by mistake."""
    for block in page.blocks:
        if "*" in block.text:
            block.text = _INSIDE_WORD.sub(r"\1", _SIDE_BY_SIDE.sub(r"\1", block.text))


def clear_stamps(page: Layout) -> None:
    """Leave out what a server stamped onto the page, ornaments and false emphasis; make quotation marks one sign."""
    page.blocks = [cleared for block in page.blocks if (cleared := _cleared(block)) is not None]


def _released(block: Block) -> Iterator[Block]:
    lines = [line.strip() for line in block.lines if line.strip()]
    if block.kind not in {"code", "grid_fallback"} or not lines:
        yield block
        return
    if are_addresses(lines):
        yield from (Block("paragraph", line, block.box) for line in lines)
        return
    if not is_prose(lines):
        yield block
        return
    if len(lines[0].split()) <= _TITLE and lines[1][:1].isupper() and lines[0][-1] not in ".,;-":
        yield Block("paragraph", lines.pop(0), block.box)
    yield Block("paragraph", " ".join(lines), block.box)


def are_addresses(lines: list[str]) -> bool:
    """Whether each line is the address of a page, as in a note."""
    return all(map(_ADDRESS.fullmatch, lines))


def is_prose(lines: list[str]) -> bool:
    """Whether several lines read like a text: many words in each, and few signs but letters and stops."""
    words = [word for line in lines for word in line.split()]
    if len(lines) < 2 or len(words) < _WORDS * len(lines):
        return False
    signs = sum(map(len, words))
    plain = sum(bool(_USUAL.match(sign)) for word in words for sign in word)
    return signs > _LETTERS * len(words) and plain > _PLAIN * signs


def _cleared(block: Block) -> Block | None:
    if block.kind not in {"paragraph", "heading", "list_item"}:
        return block
    if _DATED.fullmatch(block.text.strip()) or _ORNAMENT.fullmatch(block.text):
        return None
    text = _STAMP.sub("", block.text) if "Downloaded" in block.text else block.text
    text = _QUOTED.sub(r'"\1"', text) if "''" in text else text
    text = _LINE_LONG.sub(r"\1", _CUT_LINE.sub(r"\1- ", text)) if "*" in text else text
    return replace(block, text=text) if text != block.text else block
