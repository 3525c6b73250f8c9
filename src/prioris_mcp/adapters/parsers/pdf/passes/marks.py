"""Raised numbers that cite: the library sets them on the line, where they run into the word before them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Layout

_MARKED = re.compile(
    r"(?<![\w$\\/.@-])([^\W\d_]{3,})(\d{1,2}(?:[,\u2013-]\d{1,2})*)(?=[.,;:)\u201d]*(?:\s|$))(?![.,]\d)"
)
_NUMBER_BEHIND = re.compile(r"\d(?<=[^\W\d_]\d)")
_WORD = re.compile(r"(?<![\w$\\])[^\W\d_]{3,}(?!\w)")
_LONG = 6
"""Letters of a word that is hardly part of a formula."""
_ENOUGH = 8
"""Different numbers that a document must cite with."""
_RISING = 0.7
"""Share of the first citations that have a higher number than the one before, where sources are numbered."""


def raise_marks(pages: Sequence[Layout]) -> None:
    """Set the citing numbers of a document as superscripts, where it plainly numbers its sources in that way."""
    texts = [block.text for page in pages for block in page.blocks if block.kind != "heading"]
    matches = [match for text in texts if _NUMBER_BEHIND.search(text) for match in _MARKED.finditer(text)]
    if not _cites(matches):
        return
    known = {word.lower() for text in texts for word in _WORD.findall(text)}
    for page in pages:
        page.blocks = [_raised(block, known) for block in page.blocks]


def _cites(matches: Iterable[re.Match[str]]) -> bool:
    numbers = list(dict.fromkeys(_numbers(matches)))
    rising = sum(before < after for before, after in pairwise(numbers))
    return len(numbers) >= _ENOUGH and rising >= _RISING * (len(numbers) - 1)


def _numbers(matches: Iterable[re.Match[str]]) -> Iterator[int]:
    for match in matches:
        yield from map(int, re.findall(r"\d+", match[2]))


def _raised(block: Block, known: set[str]) -> Block:
    def mark(match: re.Match[str]) -> str:
        word = match[1]
        plain = word.lower() in known or (word.islower() and len(word) >= _LONG)
        return f"{word}<sup>{match[2]}</sup>" if plain else match[0]

    return replace(block, text=_MARKED.sub(mark, block.text)) if block.kind in {"paragraph", "list_item"} else block
