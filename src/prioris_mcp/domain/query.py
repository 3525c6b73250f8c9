"""Read what a person means by a query: a small tree that any full-text engine can be asked with.

Words are all wanted; "…" is a phrase, word* a beginning; AND, OR, NOT count between words, with brackets.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from prioris_mcp.domain.folding import normalise
from prioris_mcp.errors import InvalidRequestError

MOST_WORDS = 64
DEEPEST = 8
"""Most brackets within brackets; those inside the eighth are read as if they were not there."""


@dataclass(frozen=True, slots=True)
class Term:
    """Match one word; with *prefix* every word that begins so."""

    text: str
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """Match words in this order, spelled as typed; *prefix* as in Term, for the last.

    Mark as *compound* what was typed as one word with punctuation inside, such as ``covid-19``.
    """

    text: str
    prefix: bool = False
    compound: bool = False


@dataclass(frozen=True, slots=True)
class And:
    """Match all of the parts, two or more."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Match any of the parts, two or more."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Match what is wanted, but not what is unwanted too."""

    wanted: Node
    unwanted: Node


Leaf = Term | Phrase
Node = Term | Phrase | And | Or | Not
_Item = Node | str


@dataclass(frozen=True, slots=True)
class Query:
    """Hold a query as read: ask first with *all_terms* and, where that finds nothing, with *any_term*."""

    all_terms: Node
    operators: bool = False
    """Tell whether AND, OR or NOT were used, which are never loosened."""

    @property
    def words(self) -> tuple[Leaf, ...]:
        """Return the wanted words and phrases, each once; common words only where there is nothing else."""
        found: dict[tuple[str, bool], Leaf] = {}
        for leaf in leaves(self.all_terms):
            found.setdefault((leaf.text.casefold(), leaf.prefix), leaf)
        return tuple(leaf for leaf in found.values() if not _is_common(leaf)) or tuple(found.values())

    @property
    def any_term(self) -> Node | None:
        """Return a node for any of the words; None where operators forbid it or it would find no more.

        Keep phrases whole. Count a compound among others by its parts too; an identifier alone is one thing.
        """
        words = self.words
        loose = _joined(Or, [part for word in words for part in _parts(word)][:MOST_WORDS] if len(words) > 1 else words)
        return None if self.operators or loose == self.all_terms else loose


def leaves(node: Node) -> Iterator[Leaf]:
    """Return the words and phrases of *node* in reading order, without the unwanted ones."""
    match node:
        case And(parts) | Or(parts):
            for part in parts:
                yield from leaves(part)
        case Not(wanted, _):
            yield from leaves(wanted)
        case _:
            yield node


def read(text: str) -> Query:
    """Return *text* as a tree. Raise InvalidRequestError where it holds no letter and no digit."""
    text = normalise(text)
    if not searchable(text):
        raise InvalidRequestError(
            "the query has no letter or digit; give words to look for, such as: attention mechanism"
        )
    builder = _Builder()
    for item in _items(_NEAR.sub(r"(\1)", text)):
        builder.add(item)
    tree = builder.finished()
    if tree is None:  # operators only: a person who asks for AND means the word
        return Query(_joined(And, [leaf for leaf in map(_leaf, text.split()) if leaf][:MOST_WORDS]))
    return Query(tree, builder.operators)


def quoted(text: str) -> str | None:
    """Return the query for the quoted phrases of *text* alone; None without any, and where operators rule."""
    query = read(text)
    phrases = [leaf.text for leaf in leaves(query.all_terms) if isinstance(leaf, Phrase) and not leaf.compound]
    return " ".join(f'"{phrase}"' for phrase in phrases) if phrases and not query.operators else None


def searchable(text: str) -> bool:
    """Return whether *text* has a letter or a digit of any script; marks and symbols alone cannot be found."""
    return any(map(_begins, text))


def _begins(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] in "LN" or category == "Co"


def _continues(character: str) -> bool:
    return _begins(character) or unicodedata.category(character)[0] == "M"


_BREAKS = r'\s"()、。，；：？！（）《》〈〉「」『』【】'
_TOKEN = re.compile(
    rf"""
      (?<!\w)"(?P<phrase>(?:[^"]|"")*)"(?P<star>\ ?\*)?
    | (?P<operator>AND|OR|NOT)(?=[{_BREAKS}]|$)
    | (?:NEAR\ ?)?(?P<bracket>[()])
    | (?P<word>[^{_BREAKS}]+(?:\([^{_BREAKS}]*\)[^{_BREAKS}]*)*)
    """,
    re.VERBOSE,
)
"""Read a quote after a letter or digit (5" disk) as no opening, and brackets within a word as its own (f(x))."""
_NEAR = re.compile(r"\bNEAR ?\(([^()]*?)(?:, ?\d+ ?)?\)")
_ADORNMENT = re.compile(
    r"^(?:https?://)?(?:(?:dx\.)?doi\.org/|doi:)|^https?://|(?<=\w)'s$|(?<=[^\W\d_])\^[\d.]+$", re.IGNORECASE
)
"""Match around a word: an address's beginning, the possessive, and a power or a boost (positions^2)."""
_UNSPACED = (range(0xE00, 0xF00), range(0x1000, 0x10A0), range(0x1780, 0x1800), range(0x2E80, 0xA000),
             range(0xA960, 0xA980), range(0xAC00, 0xD800), range(0xF900, 0xFB00), range(0x20000, 0x40000))  # fmt: skip
"""Scripts without a space after every word (Thai to Khmer, CJK): a run is the beginning of a word."""
_HYPHENATED = re.compile(r"[^\W\d_]+-[^\W\d_]+")
"""Match what may be one word elsewhere, as where a line's end has cut it."""
_LONG_PART = re.compile(r"[^\W_]{3,}")
_CONTRACTION = re.compile(r".*(?:n't|'(?:re|ve|ll|d|m))", re.IGNORECASE)
_COMMON_WORDS = """
    a about an and are as at be been between but by can could did do does during for from had has have how i if in into
    is it its may might not of on or our should such than that the their then there these they this those to us was we
    were what when where whether which who whom whose why will with would you your"""
_COMMON = frozenset(_COMMON_WORDS.split())


def _is_common(leaf: Leaf) -> bool:
    return not leaf.prefix and (leaf.text.casefold() in _COMMON or bool(_CONTRACTION.fullmatch(leaf.text)))


def _parts(leaf: Leaf) -> Iterator[Leaf]:
    """Return *leaf*, a compound's other spelling, and those of its words that mean something by themselves."""
    yield leaf
    if isinstance(leaf, Phrase) and leaf.compound:
        if _HYPHENATED.fullmatch(leaf.text):
            yield Term(leaf.text.replace("-", ""))
        yield from (Term(part) for part in _LONG_PART.findall(leaf.text) if part.casefold() not in _COMMON)


def _items(text: str) -> Iterator[_Item]:
    """Return leaves, operators and brackets, up to the last word that counts."""
    words = 0
    for token in _TOKEN.finditer(text):
        phrase = (token["phrase"] or "").replace('""', '"').strip()
        leaf = Phrase(phrase, bool(token["star"])) if searchable(phrase) else _leaf(token["word"] or "")
        if leaf:
            yield leaf
            words += 1
        elif token["operator"] or token["bracket"]:
            yield token["operator"] or token["bracket"]
        if words == MOST_WORDS:
            return


def _leaf(word: str) -> Leaf | None:
    """Return a word without what surrounds it; as a phrase where it has punctuation inside, as ``covid-19``."""
    typed = _trimmed(word)
    if not typed:
        return None
    text = _trimmed(_ADORNMENT.sub("", typed)) or typed
    starred = not word.startswith("*") and word[word.index(typed) + len(typed) :].startswith("*")
    prefix = starred or any(ord(text[-1]) in script for script in _UNSPACED)
    return Term(text, prefix) if all(map(_continues, text)) else Phrase(text, prefix, compound=True)


def _trimmed(word: str) -> str:
    """Return *word* from its first letter or digit to its last, marks included."""
    first = next((place for place, character in enumerate(word) if _begins(character)), len(word))
    last = next((place for place in range(len(word), first, -1) if _continues(word[place - 1])), first)
    return word[first:last]


class _Builder:
    """Put items together as they come; drop what has no partner."""

    def __init__(self) -> None:
        self.operators = False
        self._groups: list[list[_Item]] = [[]]
        self._too_deep = 0

    def add(self, item: _Item) -> None:
        if item == "(" and len(self._groups) <= DEEPEST:
            self._groups.append([])
        elif item == "(":
            self._too_deep += 1
        elif item == ")" and self._too_deep:
            self._too_deep -= 1
        elif item == ")":
            self._end_group()
        else:
            self._groups[-1].append(item)

    def finished(self) -> Node | None:
        while len(self._groups) > 1:
            self._end_group()
        return self._folded(self._groups[0])

    def _end_group(self) -> None:
        node = self._folded(self._groups.pop()) if len(self._groups) > 1 else None
        if node is not None:
            self._groups[-1].append(node)

    def _folded(self, items: Sequence[_Item]) -> Node | None:
        """Bind NOT before AND, AND before OR, and words that only stand side by side before all."""
        kept = _between_operands(items)
        if not kept:
            return None
        self.operators |= any(isinstance(item, str) for item in kept)
        either = [[_excluding(part) for part in _split(side, "AND")] for side in _split(kept, "OR")]
        return _joined(Or, [_joined(And, both) for both in either])


def _between_operands(items: Iterable[_Item]) -> list[_Item]:
    """Return *items* with operators only between two others; of several the first, but NOT before all."""
    kept: list[_Item] = []
    for item in items:
        after_operand = bool(kept) and not isinstance(kept[-1], str)
        if after_operand or not isinstance(item, str):
            kept.append(item)
        elif kept and item == "NOT":
            kept[-1] = item
    return kept[:-1] if kept and isinstance(kept[-1], str) else kept


def _split(items: Iterable[_Item], operator: str) -> list[list[_Item]]:
    sides: list[list[_Item]] = [[]]
    for item in items:
        if item == operator:
            sides.append([])
        else:
            sides[-1].append(item)
    return sides


def _excluding(items: Iterable[_Item]) -> Node:
    sides = [[item for item in side if not isinstance(item, str)] for side in _split(items, "NOT")]
    wanted, *unwanted = (_joined(And, side) for side in sides)
    return Not(wanted, _joined(Or, unwanted)) if unwanted else wanted


def _joined(kind: type[And | Or], nodes: Sequence[Node]) -> Node:
    """Return one node for one or more, each once, those of the same kind merged."""
    parts: dict[Node, None] = {}
    for node in nodes:
        parts |= dict.fromkeys(node.parts if isinstance(node, And | Or) and type(node) is kind else (node,))
    return kind(tuple(parts)) if len(parts) > 1 else nodes[0]
