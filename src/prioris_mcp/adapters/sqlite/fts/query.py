"""Turn what a person types into expressions that FTS5 takes, and hits into the lines that are shown."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import apsw

from prioris_mcp.domain.folding import Folded, normalise, traced
from prioris_mcp.domain.query import And, Node, Not, Or, Query, Term, leaves, read, searchable
from prioris_mcp.domain.search import WIDEST_SNIPPET
from prioris_mcp.errors import InvalidRequestError

# Stems of English, and letters without their accents: https://www.sqlite.org/fts5.html#tokenizers
TOKENIZER = "porter unicode61 remove_diacritics 2"
_LEAD = 60
_MARGIN = 80
"""Characters before the first match and after the last."""
_MOST_PLACES = 500
_MOST_TEXT = 200_000
_FIRST_LOOK = 3000
"""Characters read first; most sections match early, and reading a whole paper costs more than the search."""
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_OPERAND = re.compile(rf"{_QUOTED.pattern}|(?:\w|[^\x00-\x7f])+", re.ASCII)
_BARE = re.compile(r"(?:[\w ]|[^\x00-\x7f])+", re.ASCII)
_OPERATOR = re.compile(r"(?:^| )(?:AND|OR|NOT)(?: |$)")
# ^ and + are of the query language: https://www.sqlite.org/fts5.html#full_text_query_syntax
_GLUED = re.compile(r"[^\s(:+]\^|\w\+ ")
"""Match a power and a charge (x^2, CD4+ T cells): FTS5 has signs of its own there, but before a word."""
_OPEN, _CLOSE = "\x02", "\x03"
_UNSHOWN = re.compile("[\x00\x02\x03\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Plan:
    """Hold expressions to try in turn until one matches: one at least, all confined to the searched columns.

    The one that is *loose* asks for any of the words, where the others ask for all.
    """

    expressions: tuple[str, ...]
    loose: str | None = None


@dataclass(frozen=True, slots=True)
class Snippet:
    """Hold one line around a match, and where that begins in the whole text; the text's beginning for none."""

    text: str
    start: int = 0


class QueryFrontEnd:
    """Ask FTS5 itself whether a text is of its language, each thread on an empty table of its own."""

    def __init__(self, *columns: str) -> None:
        """Search *columns* alone where the table has more; cut snippets from the last of them."""
        self._columns = columns or ("heading", "body")
        # FTS5 ranks up to a third slower under a column filter, also one that names every column.
        self._head = f"{{{' '.join(columns)}}} : (" if columns else "("
        self._local = threading.local()

    def plan(self, text: str) -> Plan:
        """Return the text as typed where FTS5 takes it, else as a person would read it, loosened where that is meant.

        Undo first what typesetting or pasting changed (quotes, dashes, spaces). Raise InvalidRequestError where nothing
        can be searched for.
        """
        text = normalise(text)
        query = read(text)
        if not self._is_fts5(text):
            return self._plan([render(query.all_terms)], query.any_term)
        if not _BARE.fullmatch(text) or _OPERATOR.search(text):
            return self._plan([text], None)
        return self._plan([text] if _as_typed(text, query) else [text, render(query.all_terms)], query.any_term)

    def read_as(self, query: str, expression: str) -> str:
        """Return *expression*, one of the plan for *query*, for people; "" where it is the query itself."""
        bare = self._unwrapped(expression)
        return "" if bare == " ".join(query.split()) else bare

    def snippets(self, texts: Sequence[str], expression: str, widest: int = WIDEST_SNIPPET) -> list[Snippet]:
        """Return for each of *texts* the line with the most of *expression*; its beginning without a match."""
        marked = self._matching({n: _shown(text[:_FIRST_LOOK]) for n, text in enumerate(texts)}, expression)
        left = {n: _shown(text[:_MOST_TEXT]) for n, text in enumerate(texts) if n not in marked}
        if left:
            marked |= self._matching(left, expression, _loosened(self._unwrapped(expression)))
        return [_snippet(marked.get(n) or left[n], widest) for n in range(len(texts))]

    def _matching(self, texts: Mapping[int, str], *expressions: str) -> dict[int, str]:
        """Return those of *texts* that match, marked by the first expression that matches."""
        db, marked = self._connection(), dict[int, str]()
        folded = {number: traced(text) for number, text in texts.items()}
        db.execute("BEGIN")
        try:
            db.executemany(
                f"INSERT INTO page(rowid, {self._columns[-1]}) VALUES (?, ?)",
                [(number, each.text) for number, each in folded.items()],
            )
            for expression in expressions:
                if len(marked) < len(texts):
                    marked = self._marked(db, expression) | marked
        finally:
            db.execute("ROLLBACK")
        return {number: _unfolded(texts[number], folded[number], each) for number, each in marked.items()}

    def _is_fts5(self, text: str) -> bool:
        """Return whether FTS5 takes *text* alone, so that it cannot leave its brackets, and within them.

        Refuse what is not so meant: operands without a letter or digit, which FTS5 takes and never finds, and glued
        signs.
        """
        if not all(searchable(operand) for operand in _OPERAND.findall(text)) or _GLUED.search(_QUOTED.sub('"', text)):
            return False
        return self._takes(text) and self._takes(self._wrapped(text))

    def _takes(self, expression: str) -> bool:
        try:
            self._connection().execute("SELECT 1 FROM page WHERE page MATCH ?", (expression,)).fetchall()
        except apsw.SQLError:
            return False
        return True

    def _connection(self) -> apsw.Connection:
        found: apsw.Connection | None = getattr(self._local, "connection", None)
        if found is None:
            found = self._local.connection = apsw.Connection(":memory:")
            found.execute(f"CREATE VIRTUAL TABLE page USING fts5({', '.join(self._columns)}, tokenize='{TOKENIZER}')")
        return found

    def _plan(self, strict: Sequence[str], any_term: Node | None) -> Plan:
        loose = None if any_term is None else self._wrapped(render(any_term))
        expressions = dict.fromkeys(map(self._wrapped, strict))
        return Plan((*expressions, *([loose] if loose else [])), loose)

    def _wrapped(self, expression: str) -> str:
        """Return *expression* confined to the columns; `_unwrapped` undoes it."""
        return f"{self._head}{expression})"

    def _unwrapped(self, expression: str) -> str:
        return expression.removeprefix(self._head).removesuffix(")")

    def _marked(self, db: apsw.Connection, expression: str) -> dict[int, str]:
        """Return the matching texts by number, with every match between marks."""
        try:
            rows = db.execute(
                f"SELECT rowid, highlight(page, {len(self._columns) - 1}, ?, ?) FROM page WHERE page MATCH ?",
                (_OPEN, _CLOSE, _shown(expression)),
            )
            return {int(number): str(text) for number, text in rows}
        except apsw.SQLError:
            return {}


def _unfolded(text: str, folded: Folded, marked: str) -> str:
    """Return *text* with the marks that its folded form has in *marked*, each match once."""
    pieces, matches, done, place = list[str](), list[tuple[int, int]](), 0, 0
    for number, piece in enumerate(re.split(f"[{_OPEN}{_CLOSE}]", marked)):
        if number % 2:
            matches.append((folded.origins[place], folded.origins[place + len(piece) - 1] + 1))
        place += len(piece)
    for start, end in sorted(matches):
        if start >= done:
            pieces += (text[done:start], _OPEN, text[start:end], _CLOSE)
            done = end
    return "".join((*pieces, text[done:]))


def _shown(text: str) -> str:
    return _UNSHOWN.sub(" ", text)


def render(node: Node) -> str:
    """Return *node* as an FTS5 expression; every string is quoted, so nothing in it can mean more than itself."""
    match node:
        case And(parts):
            return " AND ".join(map(_operand, parts))
        case Or(parts):
            return " OR ".join(map(_operand, parts))
        case Not(wanted, unwanted):
            return f"{_operand(wanted)} NOT {_operand(unwanted)}"
        case _:
            return '"' + node.text.replace('"', '""') + '"' + "*" * node.prefix


def _operand(node: Node) -> str:
    return f"({render(node)})" if isinstance(node, And | Or | Not) else render(node)


def _as_typed(text: str, query: Query) -> bool:
    """Return whether the words of *text* were read as they are, so that the reading would find nothing else."""
    return set(leaves(query.all_terms)) == set(map(Term, text.split()))


def _loosened(expression: str) -> str:
    """Match any word of *expression*: a hit may have some of them in its heading, or in the headings above."""
    try:
        words = read(expression).words
    except InvalidRequestError:
        return ""
    return " OR ".join(map(render, words))


def _snippet(marked: str, widest: int) -> Snippet:
    pieces = re.split(f"[{_OPEN}{_CLOSE}]", " ".join(marked.split()))
    places = list(_places(pieces))[:_MOST_PLACES]
    best = max(range(len(places)), key=lambda number: _richness(places, number, widest - _MARGIN), default=None)
    at, match = (0, "") if best is None else places[best]
    return Snippet(_window("".join(pieces), at, at + len(match), widest), max(marked.find(_OPEN), 0))


def _places(pieces: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Return position and text of every match: every other of *pieces*."""
    place = 0
    for number, piece in enumerate(pieces):
        if number % 2:
            yield place, piece.casefold()
        place += len(piece)


def _richness(places: Sequence[tuple[int, str]], first: int, reach: int) -> int:
    """Return how many different matches are in sight of the *first*."""
    edge = places[first][0] + reach
    return len({match for place, match in places[first : first + reach] if place + len(match) <= edge})


def _window(line: str, start: int, end: int, widest: int) -> str:
    """Return the part of *line* around *start* to *end*, cut between words where there is a space to cut at."""
    if len(line) <= widest:
        return line
    room = max(widest - 2, 1)
    earliest = min(start - _LEAD, len(line) - room)
    begin = 0 if earliest <= 0 else line.find(" ", earliest, start) + 1 or start
    stop = begin + room
    if stop < len(line):
        space = line.rfind(" ", min(end, stop), stop + 1)
        stop = space if space > begin else stop
    return "…" * (begin > 0) + line[begin:stop] + "…" * (stop < len(line))
