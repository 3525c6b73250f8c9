r"""Fold Markdown and queries to the words that people type, with a way back to where each stands.

``CO~2~``, ``CO₂`` and ``$\mathrm{CO}_2$`` are ``CO2``; ``TGF-β1`` is ``TGF-beta1``; ``Gdańsk`` and ``Łódź`` need no
Polish keyboard. Every full-text index holds folded texts and is asked with folded queries, so both read alike.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain

LONGEST = 2_000
"""Number of characters of a query that are read, up to the end of a word."""
_LETTERS = {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE"}
_LETTERS |= {"đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ħ": "h", "Ħ": "H", "ı": "i", "ŋ": "n"}
"""What accents alone do not explain: https://www.unicode.org/reports/tr30/tr30-4.html, from where SQLite stops."""
_KEPT = frozenset("™℠℡№ªº")
"""Signs that would become letters of the word before them."""
_FOLDED_RANGES = (
    range(0xB2, 0x250), range(0x1D00, 0x1DC0), range(0x1E9E, 0x1E9F), range(0x2070, 0x209D), range(0x2100, 0x2140),
    range(0xFB00, 0xFB07), range(0xFF10, 0xFF5B), range(0x1D400, 0x1D800),
)  # fmt: skip
"""Where other spellings stand: super- and subscripts, strokes, signs, ligatures, full width, mathematical letters."""
_SUPERSCRIPT = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹")
_GREEK = re.compile("(?:[\u0370-\u03ff\u1f00-\u1fff\u00b5\u2126][\u0300-\u036f]*)+")
_LONGEST_SYMBOL = 2
"""Number of Greek letters that stand for their names; more are a word of Greek."""
_NOTHING = re.compile("\u00ad(?:[ \t]*\n[ \t]*)?|\u2060")
_CUT = re.compile(r"\b([^\W\d_]{2,40})-\n([^\W\d_]{2,40})\b")
"""A word that may have been cut at the end of a line; or a compound, which stays one as well."""
_COMMAND = re.compile(r"\\(?:ce|mathbf|mathit|mathrm|mathsf|operatorname|rm|text)\b ?(?=[{\w])")
"""TeX that only changes the face of a word."""
_NATURAL = "(?<=[a-z]{4})"
_REFERENCES = re.compile(
    _NATURAL + r"(?:(\^|<sup>|\$\^\{?)(?:\d{1,3}(?:[,;–-] ?\d{1,3})*|[a-z*†‡§])(?:\^|</sup>|\}?\$)"
    r"|[⁰¹²³⁴-⁹]+(?:[,⁻–][⁰¹²³⁴-⁹]+)*)(?![^\W_])"
)
"""The number of a footnote or a reference behind a word, which is no part of it."""
_NOISE = re.compile(f"{_COMMAND.pattern}|{_REFERENCES.pattern}")
_NOISE_SIGN = re.compile(r"[\\^<$⁰¹²³⁴-⁹]")
_BOOST = re.compile(_NATURAL + r"[\^~]\d[\d.]*(?=$|[\s)])")
"""What other engines read as weight or tolerance of a word."""
_TAG = "</?(?:sub|sup|i|b|em|strong)>"
_FIELDS = "title|ti|authors?|au|abstract|ab|tiab|title/abstract|all|text|tw|journal|year|date|dp|pdat|mesh|mh|doi|pmid"
_FIELD = re.compile(
    rf"(?<![\w:/.-])(?:(?:{_FIELDS}):|(?:title|authors?|journal|year|doi|pmid)\s?:\s)(?=\(*\"?\w)"
    rf"|(?:(?<=\w)|(?<=\w[\"*)]))\s?\[(?:{_FIELDS})(?: [a-z ]+)?\]",
    re.IGNORECASE,
)
"""The fields of other engines, before a word (``title:``) or behind it (``[ti]``, ``[MeSH Terms]``)."""
_MARK = rf"(?:[*~_^${{}}]|{_TAG})+"
_INSIDE = re.compile(rf"(?<=[^\W_])(?!(?<=\d)\^\d){_MARK}(?=[^\W_])")
"""Marks within a word; 10^9 is no number of three digits."""
_MARK_OR_TAG = re.compile(f"{_INSIDE.pattern}|{_TAG}")
_MARK_SIGN = re.compile(r"[*~_^$<{}]")
_PLAIN = str.maketrans(
    dict.fromkeys("“”„‟«»＂", '"')
    | dict.fromkeys("‘’‚‛＇", "'")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-")
    | dict.fromkeys("\u2014\u2015\u200b\ufeff", " ")
    | dict.fromkeys("\u00ad\u2060\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", "")
)
"""Undo what typesetting makes of quotes and dashes; soft hyphens and marks of direction are not part of a word."""
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_Edit = tuple[int, int, str]
"""Start, end and what stands there afterwards."""


@dataclass(frozen=True, slots=True)
class Folded:
    """Hold a folded text, and the offset in the text that was folded of each of its characters."""

    text: str
    origins: Sequence[int]


def fold(markdown: str) -> str:
    """Return *markdown* as indexes hold it.

    Behind the text stand, each word again where it has one, the parts of words with markup inside and the whole of
    words that a line's end cut: they are found in either spelling.
    """
    folding = _Folding(markdown)
    folding.fold()
    return folding.text


def traced(markdown: str) -> Folded:
    """Return what `fold` does, with the way back."""
    folding = _Folding(markdown, array("L", range(len(markdown))))
    folding.fold()
    return Folded(folding.text, folding.origins)


def normalise(query: str) -> str:
    """Return what a person typed or pasted as `fold` has it: one line, not too long.

    Undo what typesetting makes of quotes and dashes. Drop control characters, weights behind a word (``word^2``), and
    fields that no index here has (``title:``, ``[ti]``): their words may stand anywhere.
    """
    text = _UNSEEN.sub(" ", query.strip()[: 4 * LONGEST].translate(_PLAIN))
    folding = _Folding(_FIELD.sub("", _BOOST.sub("", unicodedata.normalize("NFC", text))))
    for find in (_noise, _characters, _marks):
        folding.edit(find(folding.text))
    text = " ".join(unicodedata.normalize("NFC", folding.text).split())
    return text if len(text) <= LONGEST else text[:LONGEST].rpartition(" ")[0] or text[:LONGEST]


class _Folding:
    """Hold a text while it is folded and, where they are wanted, the *origins* of its characters."""

    def __init__(self, text: str, origins: array[int] | None = None) -> None:
        self.text = text
        self.origins = array("L") if origins is None else origins
        self._traced = origins is not None

    def fold(self) -> None:
        self.edit(_noise(self.text))
        self.edit(_characters(self.text))
        self._append(sorted(chain(_parts(self.text), _uncut(self.text))))
        self.edit(_marks(self.text))

    def edit(self, edits: Iterable[_Edit]) -> None:
        """Apply *edits*, which are in order and do not overlap; what they put in stands where they begin."""
        before, pieces, kept, done = self.origins, list[str](), array("L"), 0
        for start, end, new in edits:
            pieces += (self.text[done:start], new)
            if self._traced:
                kept += before[done:start] + before[start : start + 1] * len(new)
            done = end
        self.text = "".join((*pieces, self.text[done:]))
        self.origins = kept + before[done:]

    def _append(self, spellings: Iterable[tuple[int, str]]) -> None:
        """Put each of *spellings* on a line behind the text, with the place where it begins in the text up to now."""
        lines, added, before = [self.text], array("L"), self.origins
        for place, spelling in spellings:
            lines.append(spelling)
            if self._traced:
                added += before[place : place + 1] + before[place : place + len(spelling)]
        self.text = "\n".join(lines)
        self.origins = before + added


def _noise(text: str) -> Iterator[_Edit]:
    return ((found.start(), found.end(), "") for found in _found(_NOISE, _NOISE_SIGN, text))


def _found(pattern: re.Pattern[str], sign: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Return the matches of *pattern*, which begins with a *sign*: looking for that alone takes a tenth of the time."""
    done = 0
    for begun in sign.finditer(text):
        if begun.start() >= done and (found := pattern.match(text, begun.start())):
            done = found.end()
            yield found


def _characters(text: str) -> Iterator[_Edit]:
    if text.isascii():
        return
    pattern, table = _table()
    for found in pattern.finditer(text):
        sign = found[0]
        power = sign in _SUPERSCRIPT and text[found.start() - 1 : found.start()].isdecimal()
        spelling = table[sign] if sign in table else _of_greek(sign.strip("\u00ad\u2060 \t\n"))
        yield found.start(), found.end(), "^" * power + spelling


def _of_greek(run: str) -> str:
    """Return one or two letters, which are a symbol, by their names, and a longer word without its accents."""
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", run))
    letters = [letter for letter in plain if not unicodedata.combining(letter)]
    names = [_greek_name(letter) for letter in letters] if len(letters) <= _LONGEST_SYMBOL else []
    return "".join(names) if names and all(names) else "".join(letters).replace("ς", "σ")


def _greek_name(letter: str) -> str:
    name = unicodedata.name(letter, "").removeprefix("GREEK ").replace("FINAL ", "")
    word = name.removeprefix("SMALL LETTER ").removeprefix("CAPITAL LETTER ").lower()
    return word.replace("lamda", "lambda") if word.isalpha() else ""


@cache
def _table() -> tuple[re.Pattern[str], dict[str, str]]:
    """Return a pattern for all that may have another spelling, and the spellings of single characters."""
    table = dict(_LETTERS)
    for sign in map(chr, chain.from_iterable(_FOLDED_RANGES)):
        plain = unicodedata.normalize("NFKC", sign)
        if sign in _LETTERS or sign in _KEPT or plain == unicodedata.normalize("NFC", sign):
            continue
        if _GREEK.fullmatch(plain):
            table[sign] = _of_greek(plain)
        elif plain.replace("\u2212", "-").strip("+-").isalnum() or plain in "+-\u2212":
            table[sign] = plain.replace("\u2212", "-")
    singles = "".join(map(re.escape, sorted(table)))
    return re.compile(f"{_NOTHING.pattern}|[{singles}]|{_GREEK.pattern}"), table


def _marks(text: str) -> Iterator[_Edit]:
    """Return the marks within words and the tags beside them, each as nothing."""
    return ((found.start(), found.end(), "") for found in _found(_MARK_OR_TAG, _MARK_SIGN, text))


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """Return the parts of words with marks inside, and where they begin."""
    last = -1
    for found in _found(_INSIDE, _MARK_SIGN, text):
        start, end = found.start(), found.end()
        while start > 0 and text[start - 1].isalnum():
            start -= 1
        while end < len(text) and text[end].isalnum():
            end += 1
        if start != last:
            yield start, text[start : found.start()]
        yield found.end(), text[found.end() : end]
        last = found.end()


def _uncut(text: str) -> Iterator[tuple[int, str]]:
    return ((found.start(), found[1] + found[2]) for found in (_CUT.finditer(text) if "-\n" in text else ()))
