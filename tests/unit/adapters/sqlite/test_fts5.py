"""From what people type to what FTS5 finds and shows."""

from __future__ import annotations

import os
import random
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prioris_mcp.adapters.sqlite.fts.query import TOKENIZER, QueryFrontEnd, render
from prioris_mcp.domain.query import read
from prioris_mcp.domain.search import WIDEST_SNIPPET
from prioris_mcp.errors import InvalidRequestError

FUZZ = int(os.environ.get("PRIORIS_FUZZ", "3000"))
FRONT_END = QueryFrontEnd("heading", "body")
A = (
    "Self-attention relates positions of a sequence."
    " The naïve Schrödinger equation, COVID-19 and p53 were covered. 注意力机制"
)
B = "We use a multi-head attention mechanism; BLEU improved to 28.4 (see Fig. 2)."
NOTE = "This is a test note about consumer behavior"
FOUND = {
    "attention": "AB",
    "attentions": "AB",
    "self-attention": "A",
    "self–attention": "A",
    "COVID-19": "A",
    "covid 19": "A",
    "what's attention?": "AB",
    "what’s a sequence?": "A",
    "attention: mechanism": "B",
    "heading: attention": "",
    "body: attention": "AB",
    "28.4": "B",
    "Fig. 2": "B",
    "fig. 2, BLEU": "B",
    "C++": "",
    "naive Schrodinger": "A",
    "NAÏVE SCHRÖDINGER'S": "A",
    '"multi-head attention"': "B",
    "“multi-head attention”": "B",
    '"attention multi-head"': "",
    '"multi-head attention': "B",
    "(attention": "AB",
    "attention AND": "AB",
    "AND attention": "AB",
    "attention AND OR mechanism": "B",
    "attention AND mechanism": "B",
    "attention AND nowhere": "",
    "attention NOT mechanism": "A",
    "self-attention OR 28.4": "AB",
    "attention AND NOT covid-19": "B",
    "(covid-19 OR sars) attention": "A",
    "p53*": "A",
    "p5*": "A",
    "self-atten*": "A",
    "p53 AND !!!": "A",
    'p53 AND "!!!"': "A",
    "p53 🙂": "A",
    "^self": "A",
    "^attention": "",
    "NEAR(naive equation, 2)": "A",
    "NEAR(naive covid, 1)": "",
    "NOT attention": "AB",
    "'; DROP TABLE x;--": "",
    "positions^2": "A",
    "what do p53+ positions do": "A",
    "naive + schrodinger": "A",
    "schrodinger + naive": "",
    "注意力": "A",
    "机制": "",
    "AND": "A",
    "NEAR(": "",
    "positions in which a sequence was nowhere": "A",
    "k:secret": "",
    "{k}: secret": "",
    "attention) OR (k:secret": "AB",
    "*id": "",
    "https://doi.org/10.1000/naive": "",
    "(" * 500 + "p53" + ")" * 500: "A",
    "x" * 100_000 + " p53": "",
    " ".join(["p53"] * 5000): "A",
}
WORDS = ("ant", "bee", "cat", "dog")


def table(*bodies: str) -> apsw.Connection:
    """An index as the real ones are, with a column beside those that may be searched."""
    db = apsw.Connection(":memory:")
    db.execute(f"CREATE VIRTUAL TABLE section USING fts5(k, heading, body, tokenize='{TOKENIZER}')")
    db.executemany("INSERT INTO section VALUES ('secret', '', ?)", [(body,) for body in bodies])
    return db


def matches(db: apsw.Connection, expression: str) -> list[int]:
    return [row for (row,) in db.execute("SELECT rowid FROM section WHERE section MATCH ?", (expression,))]


def found(db: apsw.Connection, text: str) -> list[int]:
    """What the first expression finds that finds anything."""
    return next(filter(None, (matches(db, expression) for expression in FRONT_END.plan(text).expressions)), [])


@pytest.fixture(scope="module")
def two() -> apsw.Connection:
    return table(A, B)


@pytest.mark.parametrize(("text", "names"), FOUND.items(), ids=[text[:40] for text in FOUND])
def test_a_query_finds_what_it_plainly_means(two, text, names):
    """Nothing raises, nothing reaches another column, and FTS5's own syntax keeps its meaning."""
    assert "".join("AB"[row - 1] for row in found(two, text)) == names


def test_words_of_a_note_find_it():
    """In whatever order and number they stand in it."""
    assert found(table(NOTE), "test note consumer") == [1]


@pytest.mark.parametrize("text", ["", "  ", "🙂", '"" "!" _', "\ud800\x00"])
def test_nothing_to_search_for_is_an_invalid_request(text):
    """Even where FTS5 would take it and find nothing."""
    with pytest.raises(InvalidRequestError):
        FRONT_END.plan(text)


def test_only_bare_words_are_loosened():
    """Words may be asked for one by one; who uses syntax gets what it says and nothing else."""
    wrapped = "{heading body} : (%s)"
    assert FRONT_END.plan("the ant bee").expressions == (wrapped % "the ant bee", wrapped % '"ant" OR "bee"')
    assert FRONT_END.plan('"the ant" bee').expressions == (wrapped % '"the ant" bee',)
    assert FRONT_END.plan("注意力").expressions == (wrapped % "注意力", wrapped % '"注意力"*')
    assert FRONT_END.plan("ant-bee").expressions == (wrapped % '"ant-bee"',)


def test_no_column_is_named_where_all_are_searched():
    """A filter that names every column of the table would only cost time."""
    assert QueryFrontEnd().plan('"ant bee"').expressions == ('("ant bee")',)


def joined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds("({} {} {})".format, inner, st.sampled_from(["AND", "OR", "NOT"]), inner)


WORD = st.sampled_from(WORDS)
RUN = st.lists(WORD, min_size=1, max_size=3).map(" ".join)
FLAT = st.lists(st.tuples(RUN, st.sampled_from(["AND", "OR", "NOT"])), min_size=1, max_size=4).map(
    lambda parts: " ".join(f"{run} {operator}" for run, operator in parts).rsplit(" ", 1)[0]
)
SYNTAX = RUN | st.sampled_from(
    [
        '"ant bee"',
        "an*",
        "^ant",
        "NEAR(ant bee, 1)",
        "ant + bee",
        "body : cat",
        "- heading : ant",
        "{body heading} : ant",
    ]
)


@given(st.recursive(SYNTAX | FLAT, joined, max_leaves=6))
def test_valid_fts5_keeps_its_meaning_to_the_letter(text):
    """It is passed on verbatim, in brackets that confine it, as the first thing to be asked."""
    assert FRONT_END.plan(text).expressions[0] == f"{{heading body}} : ({text})"


@given(st.recursive(FLAT, joined, max_leaves=6))
def test_operators_read_by_us_mean_what_they_mean_to_fts5(text):
    """Same precedence, same brackets: one typing error elsewhere does not change the rest."""
    db = table(*(" ".join(word for bit, word in enumerate(WORDS) if number >> bit & 1) for number in range(16)))
    assert matches(db, render(read(text).all_terms)) == matches(db, text)


def test_the_deepest_tree_is_no_more_than_fts5_takes(two):
    """Every level of brackets that is kept holds an OR, an AND and a NOT."""
    (expression,) = FRONT_END.plan("covid-19 AND " + "(p53 OR b AND c NOT " * 60 + "d").expressions
    assert matches(two, expression) == [1]


def test_threads_do_not_meet():
    """Each asks FTS5 on a connection of its own."""
    texts = [f"w{number}-x (y" for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(FRONT_END.plan, texts)) == [FRONT_END.plan(text) for text in texts]


PIECES = [
    *"\"'()*+-:^{}.,;/\\%_[]<>=~|&#@!? \t\n\x00\x01\x02\x03\x1a\x7f\xa0\xad",
    *("AND", "OR", "NOT", "NEAR(", "NEAR", ", 5)", '"', '""', " ", " ", "heading", "body:", "k:", "rank", "- ", "(("),
    *("ant", "bee", "covid-19", "p53*", "'s", "n't", "^2", "doi:", "https://", "é", "e\u0301", "α", "“", "”", "—"),
    *(
        "中",
        "注意力",
        "，",
        "한국",
        "ไทย",
        "नि",
        "עברית",
        "\u200f",
        "🙂",
        "\ufe0f",
        "²",
        "ﬁ",
        "\ud800",
        "\udfff",
        "\U0010ffff",
    ),
]


def strange(luck: random.Random) -> str:
    """A few pieces of syntax, words, and characters of any block."""
    count = luck.choice((3, 8, 14, 14, 40, 400) if luck.random() < 0.05 else (3, 8, 14))
    return "".join(
        luck.choice(PIECES) if luck.random() < 0.9 else chr(luck.randrange(0x110000))
        for _ in range(luck.randint(1, count))
    )


def test_nothing_that_is_typed_breaks_anything(two):
    """Every text is a plan or an invalid request; FTS5 takes every expression, and every page is shown."""
    luck = random.Random(5)
    for _ in range(FUZZ):
        text = strange(luck)
        try:
            expressions = FRONT_END.plan(text).expressions
        except InvalidRequestError:
            plain = unicodedata.normalize("NFC", text)
            assert not any(unicodedata.category(character)[0] in "LN" for character in plain[:1000]), ascii(text)
            continue
        for expression in expressions:
            matches(two, expression)
        shown = FRONT_END.snippets([text, A], expressions[-1])
        assert all(len(each.text) <= WIDEST_SNIPPET for each in shown), ascii(text)
        assert all(0 <= each.start <= len(text) + len(A) for each in shown), ascii(text)
