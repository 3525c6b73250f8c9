"""Words that a line end has cut, put together the way the rest of the document writes them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from prioris_mcp.adapters.parsers.pdf_blocks import Block, Layout, Run
from prioris_mcp.adapters.parsers.pdf_paragraphs import joined, text_first

_CHAIN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_HYPHENS = "-\u2010\u00ad"
_ENDS = tuple(_HYPHENS)
_CUT = re.compile(rf"([^\W\d_]+)[{_HYPHENS}]\s*$")
_FIRST = re.compile(r"\W*([^\W\d_]+)")
_GLUED = re.compile(r"(?<![\\$\w])[^\W\d_]{5,}")
_APART = re.compile(r"\b([^\W\d_]{2,})- +([^\W\d_]{2,})")
_OFTEN = 2
"""Times that a document must use a part of a word as a word."""
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
        text = "\n".join(_CUT.sub("", run.text) if run.text.rstrip()[-1:] in _HYPHENS else run.text for run in runs)
        for chain, count in Counter(_CHAIN.findall(text.lower())).items():
            known._learn(chain.split("-"), count)
        return known

    def _learn(self, parts: list[str], count: int) -> None:
        if len(parts) == 1:
            self.words[parts[0]] += count
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
        mender = _Mender(known, page.runs)
        page.blocks = [mender.mended(block) for block in joined(page.blocks)]
        if page is not pages[0]:
            text_first(page)


class _Mender:
    """Knows the words that stand at the ends of a page's lines."""

    def __init__(self, known: Vocabulary, runs: Iterable[Run]) -> None:
        self._known = known
        ends = (run.text.rstrip()[-40:] for run in runs)
        self._cut = {match[1].lower() for end in ends if end.endswith(_ENDS) and (match := _CUT.search(end))}
        self._first = {match[1].lower() for run in runs if (match := _FIRST.match(run.text))} if self._cut else set()

    def mended(self, block: Block) -> Block:
        if not self._cut or not (block.text or block.rows):
            return block
        rows = [[replace(cell, text=self._mend(cell.text)) for cell in row] for row in block.rows]
        return replace(block, text=self._mend(block.text), rows=rows)

    def _mend(self, text: str) -> str:
        return _GLUED.sub(self._unglued, _APART.sub(self._together, text))

    def _unglued(self, match: re.Match[str]) -> str:
        """A word the library joined at a line end gets its hyphen back where it is a compound."""
        word = match[0]
        if word.lower() in self._known.words:
            return word
        for first, second in self._parts(word):
            if self._known.hyphenated(first, second):
                return f"{first}-{second}"
        return word

    def _parts(self, word: str) -> Iterator[tuple[str, str]]:
        for at in range(2, len(word) - 1):
            if word[:at].lower() in self._cut and word[at:].lower() in self._first:
                yield word[:at], word[at:]

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
