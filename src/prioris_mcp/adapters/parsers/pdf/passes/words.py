"""Words that a line end has cut, put together the way the rest of the document writes them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Cell, Layout, Run
from prioris_mcp.adapters.parsers.pdf.passes.paragraphs import joined, text_first

_CHAIN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_HYPHENS = "-\u2010\u00ad"
_ENDS = tuple(_HYPHENS)
_MAY_CUT = (*_ENDS, " ", "\u00a0")
_CUT = re.compile(rf"([^\W\d_]+)[{_HYPHENS}]\s*$")
_FIRST = re.compile(r"\W*([^\W\d_]+)")
_LONG_WORD = re.compile(r"(?<![\\$\w])[^\W\d_]{5,}")
_APART = re.compile(r"\b([^\W\d_]{2,})- +([^\W\d_]{2,})")
_OFTEN = 2
"""Times that a document must use a part of a word as a word."""
_NEXT = 3
"""Pieces of text among which a word that a line end has cut goes on."""
_STEM = 5
"""Letters in which two forms of a word agree."""


@dataclass(slots=True)
class Vocabulary:
    """The words of a document that no line end has touched."""

    words: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By the first part of a compound with a hyphen, its second parts."""
    tails: Counter[str] = field(default_factory=Counter)
    """All second parts."""

    @classmethod
    def of(cls, runs: Iterable[Run]) -> Vocabulary:
        """The words of *runs*."""
        known = cls()
        text = "\n".join([_uncut(run.text) if run.text.endswith(_MAY_CUT) else run.text for run in runs])
        known.words = _counted(text.lower())
        for chain in [chain for chain in known.words if "-" in chain]:
            known._learn(chain.split("-"), known.words.pop(chain))
        return known

    def _learn(self, parts: list[str], count: int) -> None:
        for first, second in pairwise(parts):
            self.seconds[first].add(second)
            self.tails[second] += count

    def hyphenated(self, first: str, second: str) -> bool:
        """Whether the document would write the two with a hyphen between them."""
        first, second = first.lower(), second.lower()
        if any(known[:_STEM] == second[:_STEM] for known in self.seconds.get(first, ())):
            return True
        if len(first) < 3 or first + second in self.words or self.words[first] < _OFTEN:
            return False
        return self.words[second] >= _OFTEN or self.tails[second] >= _OFTEN


def mend_words(pages: Sequence[Layout]) -> None:
    """Mend the words of all blocks, and join paragraphs that a column or a picture has cut."""
    known = Vocabulary.of(run for page in pages for run in page.runs)
    for page in pages:
        page.blocks = joined(page.blocks)
        page.blocks = [*map(_Mender(known, page).mended, page.blocks)]
        if page is not pages[0]:
            text_first(page)


def _counted(text: str) -> Counter[str]:
    """How often each chain of words occurs; that a token with other signs occurs often says that its words do."""
    tokens = Counter(text.split())
    other = {token: tokens.pop(token) for token in [token for token in tokens if not token.isalpha()]}
    once = [token for token, count in other.items() if count < _OFTEN]
    often = [token for token, count in other.items() if count >= _OFTEN]
    tokens.update(_CHAIN.findall(" ".join(once)) + _OFTEN * _CHAIN.findall(" ".join(often)))
    return tokens


def _cut(line: str) -> re.Match[str] | None:
    """The part of a word at the end of a line; only the last word is looked at, which is faster."""
    words = line.rsplit(maxsplit=1)
    return _CUT.search(words[-1]) if words else None


def _uncut(line: str) -> str:
    """A line without such a part."""
    cut = _cut(line)
    return line.rstrip().removesuffix(cut[0]) if cut else line


class _Mender:
    """Knows the words that the ends of a page's lines have cut."""

    def __init__(self, known: Vocabulary, page: Layout) -> None:
        self._known = known
        self._cut: set[str] = set()
        self._glued: dict[str, tuple[str, str]] = {}
        for at, line in [(at, run.text) for at, run in enumerate(page.runs, 1) if run.text.endswith(_MAY_CUT)]:
            if cut := _cut(line):
                part = cut[1].lower()
                self._cut.add(part)
                firsts = (match[1].lower() for run in page.runs[at : at + _NEXT] if (match := _FIRST.match(run.text)))
                self._glued.update((f"{part}{first}", (part, first)) for first in firsts)
        self._glued = {word: parts for word, parts in self._glued.items() if self._is_compound(word, parts)}
        if self._glued:
            text = " ".join(text for block in page.blocks for text in block.texts()).lower()
            self._glued = {word: parts for word, parts in self._glued.items() if word in text}

    def mended(self, block: Block) -> Block:
        if not self._cut or not any(map(self._is_doubtful, block.texts())):
            return block
        rows = [[Cell(self._mend(cell.text), cell.box) for cell in row] for row in block.rows]
        return replace(block, text=self._mend(block.text), rows=rows)

    def _is_compound(self, word: str, parts: tuple[str, str]) -> bool:
        """Whether the document writes with a hyphen what the library may have joined at a line end."""
        return word not in self._known.words and self._known.hyphenated(*parts)

    def _is_doubtful(self, text: str) -> bool:
        return "- " in text or (bool(self._glued) and any(map(text.lower().__contains__, self._glued)))

    def _mend(self, text: str) -> str:
        text = _APART.sub(self._together, text)
        return _LONG_WORD.sub(self._unglued, text) if self._glued else text

    def _unglued(self, match: re.Match[str]) -> str:
        parts = self._glued.get(match[0].lower())
        return f"{match[0][: len(parts[0])]}-{match[0][len(parts[0]) :]}" if parts else match[0]

    def _together(self, match: re.Match[str]) -> str:
        """A word the library left in two is joined, with its hyphen where it is a compound."""
        first, second = match[1], match[2]
        if first.lower() not in self._cut or not second[0].islower():
            return match[0]
        if (first + second).lower() in self._known.words:
            return first + second
        if self._known.hyphenated(first, second):
            return f"{first}-{second}" if second.lower() in self._known.seconds.get(first.lower(), ()) else match[0]
        return first + second
