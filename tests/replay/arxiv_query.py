"""The search language of arXiv, with its surprises.

There is no precedence and every operator takes all that follows it as its right side, so
`a ANDNOT b ANDNOT c` is `a` without (`b` without `c`).  Bare words are joined with OR, an odd quote is
dropped, and only capitals make an operator.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from fnmatch import fnmatchcase

from tests.replay.papers import Paper

Matcher = Callable[[Paper], bool]

FIELDS = {
    "ti": "ti",
    "title": "ti",
    "au": "au",
    "author": "au",
    "abs": "abs",
    "abstract": "abs",
    "cat": "cat",
    "co": "co",
    "jr": "jr",
    "id": "id",
    "doi": "doi",
    "all": "all",
    "submittedDate": "date",
    "lastUpdatedDate": "date",
}
OPERATORS = {"AND", "OR", "ANDNOT"}
TOKEN = re.compile(r'[()]|(?:\w+:)?(?:"[^"]*"|\[[^\]]*\])|\w+:(?=\()|[^\s()"]+')
UNCUT = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "ß": "ss", "æ": "ae", "Æ": "AE"})  # not an accent
RANGE = re.compile(r"\[(\d{4,14}) TO (\d{4,14})\]")


class QuerySyntaxError(ValueError):
    """A query that arXiv refuses."""


class QueryCrashError(Exception):
    """A query that makes arXiv fall over."""


def matcher(text: str) -> Matcher:
    """Compile a query.

    Raises:
        QuerySyntaxError: the parentheses or operators do not fit together.
        QueryCrashError: the real service answers 500 to this.
    """
    tokens = TOKEN.findall(re.sub(r"\b(AND )?NOT\b", "ANDNOT", _without_odd_quote(text)))
    parser = _Parser(tokens)
    found = parser.expression("all")
    if parser.rest:
        raise QuerySyntaxError(text)
    return found


def _without_odd_quote(text: str) -> str:
    return text.replace('"', "") if text.count('"') % 2 else text


class _Parser:
    def __init__(self, tokens: list[str]) -> None:
        self.rest = tokens[::-1]

    def expression(self, field: str) -> Matcher:
        if self._accept("ANDNOT"):
            right = self.expression(field)
            return lambda paper: not right(paper)
        left = self._operand(field)
        if not self.rest or self.rest[-1] == ")":
            return left
        operator = self.rest.pop() if self.rest[-1] in OPERATORS else "OR"
        return _joined(operator, left, self.expression(field))

    def _operand(self, field: str) -> Matcher:
        if not self.rest or self.rest[-1] in {")", *OPERATORS}:
            raise QuerySyntaxError("a search term is missing")
        token = self.rest.pop()
        if token == "(":
            return self._group(field)
        if token.endswith(":") and self._accept("("):
            return self._group(FIELDS.get(token[:-1], "all"))
        name, colon, value = token.partition(":")
        if not colon or name not in FIELDS or token.startswith('"'):
            return _term(field, token)
        return _term(FIELDS[name], value)

    def _group(self, field: str) -> Matcher:
        inner = self.expression(field)
        if not self._accept(")"):
            raise QuerySyntaxError("a parenthesis is missing")
        return inner

    def _accept(self, token: str) -> bool:
        return bool(self.rest) and self.rest[-1] == token and bool(self.rest.pop())


def _joined(operator: str, left: Matcher, right: Matcher) -> Matcher:
    if operator == "AND":
        return lambda paper: left(paper) and right(paper)
    if operator == "OR":
        return lambda paper: left(paper) or right(paper)
    return lambda paper: left(paper) and not right(paper)


def _term(field: str, value: str) -> Matcher:
    if value in OPERATORS:
        raise QuerySyntaxError(value)
    if value.startswith(("*", "?")):
        raise QueryCrashError(value)
    if field == "date":
        return _dated(value)
    bare = value.strip('"')
    if field == "cat":
        return lambda paper: any(fnmatchcase(category, bare) for category in paper.categories)
    if field in ("id", "doi"):
        return lambda paper: bare.casefold() in (paper.id, paper.name, (paper.doi or "").casefold())
    words = _words(bare.replace("_", " ") if field == "au" else bare)
    return lambda paper: any(_contains(_words(text), words) for text in _texts(paper, field))


def _dated(value: str) -> Matcher:
    match = RANGE.fullmatch(value.replace('"', ""))
    if match is None:
        raise QueryCrashError(value)
    low, high = match[1][:12].ljust(12, "0"), match[2][:12].ljust(12, "9" if len(match[2]) < 12 else "0")
    return lambda paper: low <= re.sub(r"\D", "", paper.published)[:12] <= high


def _texts(paper: Paper, field: str) -> list[str]:
    texts = {
        "ti": [paper.title],
        "au": [author.name for author in paper.authors],
        "abs": [paper.abstract],
        "co": [paper.comment or ""],
        "jr": [paper.journal_ref or ""],
    }
    return texts.get(field) or [text for some in texts.values() for text in some] + list(paper.categories)


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text.translate(UNCUT)).encode("ascii", "ignore").decode()
    return re.findall(r"[a-z0-9*]+", plain.casefold())


def _contains(text: list[str], phrase: list[str]) -> bool:
    return any(
        all(fnmatchcase(word, wanted) for word, wanted in zip(text[start:], phrase, strict=False))
        for start in range(len(text) - len(phrase) + 1)
    )
