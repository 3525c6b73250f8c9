"""Accents that a font sets beside their letter: "Poincar´e" and "Ste´phan" become Poincaré and Stéphan."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Layout

_MARKS = {
    "\u00b4": ("\u0301", "aceilnorsuyzı"),
    "`": ("\u0300", "aeiouı"),
    "\u02c6": ("\u0302", "aceghijosuwyıȷ"),
    "\u00a8": ("\u0308", "aeiouyı"),
    "\u02dc": ("\u0303", "anoıu"),
    "\u02c7": ("\u030c", "cdenrstz"),
    "\u02d8": ("\u0306", "agu"),
    "\u02da": ("\u030a", "au"),
    "\u00b8": ("\u0327", "cst"),
}
"""An accent on its own: the mark that combines with a letter, and the letters that bear it."""
_SIGNS = "".join(_MARKS)
_SIGN = re.compile(f"[{_SIGNS}]")
_WORD = re.compile(f"[^\\W\\d_]+(?:[{_SIGNS}][^\\W\\d_]+)*[{_SIGNS}]?|[{_SIGNS}][^\\W\\d_]+(?:[{_SIGNS}][^\\W\\d_]+)*")
_BESIDE = re.compile(f"([^\\W\\d_]?)([{_SIGNS}])([^\\W\\d_]?)")
_LETTERS = 3
"""Of a word: fewer with an accent are a variable with a hat."""
_AFTER = "\u00b8"
"""Stands after its letter in every font."""


def compose_accents(pages: Sequence[Layout]) -> None:
    """Join the accents of a document with their letters, which all stand on the same side of them."""
    words = [word for page in pages for block in page.blocks for word in _accented(block.text)]
    if words:
        before = sum(_lean(word) for word in words) >= 0
        for page in pages:
            page.blocks = [_composed(block, before=before) for block in page.blocks]


def _accented(text: str) -> list[str]:
    if (text.isascii() and "`" not in text) or not _SIGN.search(text):
        return []
    return [word for word in _WORD.findall(text) if _is_word(word)]


def _is_word(word: str) -> bool:
    signs = [sign for sign in word if sign in _MARKS]
    return bool(signs) and len(word) - len(signs) >= _LETTERS


def _lean(word: str) -> int:
    """Above 0 where the accents can only stand before their letters, below 0 where only after."""
    return sum(
        _bears(right, sign) - _bears(left, sign) for left, sign, right in _BESIDE.findall(word) if sign != _AFTER
    )


def _bears(letter: str, sign: str) -> bool:
    return bool(letter) and letter.lower() in _MARKS[sign][1]


def _composed(block: Block, *, before: bool) -> Block:
    def word(match: re.Match[str]) -> str:
        return _BESIDE.sub(joined, match[0]) if _is_word(match[0]) else match[0]

    def joined(match: re.Match[str]) -> str:
        left, sign, right = match.groups()
        mark, leads = _MARKS[sign][0], before and sign != _AFTER
        if _bears(right, sign) and (leads or not _bears(left, sign)):
            return left + _one(right, mark)
        return _one(left, mark) + right if _bears(left, sign) else match[0]

    if not _accented(block.text):
        return block
    return replace(block, text=_WORD.sub(word, block.text))


def _one(letter: str, mark: str) -> str:
    """Letter and mark as one; a dotless i has its dot replaced by the mark."""
    return unicodedata.normalize("NFC", {"ı": "i", "ȷ": "j"}.get(letter, letter) + mark)
