"""Queries as people type them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prioris_mcp.domain.folding import LONGEST, normalise
from prioris_mcp.domain.query import (
    DEEPEST,
    MOST_WORDS,
    And,
    Not,
    Or,
    Phrase,
    Query,
    Term,
    leaves,
    read,
    searchable,
)
from prioris_mcp.errors import InvalidRequestError


def compound(text: str) -> Phrase:
    return Phrase(text, compound=True)


READ = {
    "attention": Term("attention"),
    "self-attention": compound("self-attention"),
    "multi head": And((Term("multi"), Term("head"))),
    "attention attention": Term("attention"),
    "what's attention?": And((Term("what"), Term("attention"))),
    "don't": compound("don't"),
    "Alzheimer’s": Term("Alzheimer"),
    "attention: mechanism": And((Term("attention"), Term("mechanism"))),
    "28.4": compound("28.4"),
    "Fig. 2": And((Term("Fig"), Term("2"))),
    "C++": Term("C"),
    "*emphasis*": Term("emphasis"),
    "p53*": Term("p53", prefix=True),
    "p53*, covid-19*": And((Term("p53", prefix=True), Phrase("covid-19", prefix=True, compound=True))),
    "positions^2": Term("positions"),
    "10^9": compound("10^9"),
    "p<0.05": compound("p<0.05"),
    "TNF-α": compound("TNF-alpha"),
    "H2O & CO2": And((Term("H2O"), Term("CO2"))),
    "f(x)=2": compound("f(x)=2"),
    "'; DROP TABLE x;--": And((Term("DROP"), Term("TABLE"), Term("x"))),
    "https://doi.org/10.1016/S0140-6736(20)30183-5.": compound("10.1016/S0140-6736(20)30183-5"),
    "doi:10.1000/xyz": compound("10.1000/xyz"),
    "https://arxiv.org/abs/2106.09685": compound("arxiv.org/abs/2106.09685"),
    "“multi-head attention”": Phrase("multi-head attention"),
    '"multi head"*': Phrase("multi head", prefix=True),
    '"say ""so"""': Phrase('say "so"'),
    '"!!!" attention': Term("attention"),
    '"unbalanced quote': And((Term("unbalanced"), Term("quote"))),
    '5" disk and 3" disk': And((Term("5"), Term("disk"), Term("and"), Term("3"))),
    "注意力": Term("注意力", prefix=True),
    "注意力，机制": And((Term("注意力", prefix=True), Term("机制", prefix=True))),
    "हिन्दी": Term("हिन्दी"),
    "atten\u00adtion": Term("attention"),
    "nai\u0308ve": Term("naïve"),
    "\ud800attention\x00": Term("attention"),
    "(attention": Term("attention"),
    "attention AND": Term("attention"),
    "NOT attention": Term("attention"),
    "AND": Term("AND"),
    "AND OR": And((Term("AND"), Term("OR"))),
    "NEAR(": Term("NEAR"),
    "a AND OR b": And((Term("a"), Term("b"))),
    "a AND NOT b": Not(Term("a"), Term("b")),
    "a NOT b NOT c": Not(Term("a"), Or((Term("b"), Term("c")))),
    "a OR b c AND d": Or((Term("a"), And((Term("b"), Term("c"), Term("d"))))),
    "(a OR b) c": And((Or((Term("a"), Term("b"))), Term("c"))),
    "a) OR (b": Or((Term("a"), Term("b"))),
    "a AND () AND b": And((Term("a"), Term("b"))),
    "NEAR(covid-19 mice, 5)": And((compound("covid-19"), Term("mice"))),
}
LOOSENED = {
    "what is the effect of vitamin D?": Or((Term("effect"), Term("vitamin"), Term("D"))),
    "what's attention?": Term("attention"),
    "I don't know, self-attention, Know it": Or(
        (Term("know"), compound("self-attention"), Term("selfattention"), Term("self"), Term("attention"))
    ),
    '"so it is" said Galileo': Or((Phrase("so it is"), Term("said"), Term("Galileo"))),
    "to be": Or((Term("to"), Term("be"))),
    "attention": None,
    "self-attention": None,
    "10.1000/xyz": None,
    "a-b OR c d": None,
    "a-b AND c": None,
    "a-b NOT c": None,
}


@pytest.mark.parametrize(("text", "tree"), READ.items())
def test_a_query_means_what_a_person_would_read(text, tree):
    """Words, phrases and operators count where they make sense; what does not is dropped."""
    assert read(text).all_terms == tree


@pytest.mark.parametrize(("text", "tree"), LOOSENED.items())
def test_the_loose_reading_asks_for_any_word_that_says_something(text, tree):
    """Common words go, phrases stay whole, and operators or one lone thing are never loosened."""
    assert read(text).any_term == tree


@pytest.mark.parametrize("text", ["", "  ", "!!!", "***", '""', "()", "_", "🙂", "\x00", "\ud800", "\u0301"])
def test_nothing_to_search_for_is_an_invalid_request(text):
    """The sentence says what to do."""
    with pytest.raises(InvalidRequestError, match="give words to look for"):
        read(text)


def test_unwanted_words_are_not_among_the_words():
    """What NOT excludes is neither shown nor loosened to."""
    assert read("(mice OR rats) NOT men").words == (Term("mice"), Term("rats"))


def test_a_pasted_page_is_cut_to_a_bearable_query():
    """Characters, words and brackets have their limits, and no word is cut in two."""
    text = normalise("word " * LONGEST)
    assert len(text) <= LONGEST and set(text.split()) == {"word"}
    words = read(" ".join(f"w{number}" for number in range(200))).all_terms
    assert isinstance(words, And) and len(words.parts) == MOST_WORDS
    deep = read("(a OR " * (DEEPEST + 5) + "b" + ")" * (DEEPEST + 5) + " c")
    assert deep == Query(And((Or((Term("a"), Term("b"))), Term("c"))), operators=True)


@given(st.text(st.characters()))
def test_normalising_again_changes_nothing(text):
    """For any text, surrogates and control characters included."""
    assert normalise(normalise(text)) == normalise(text)


@given(st.text(st.characters() | st.sampled_from("\"()*^ '-ANDORT:,.;/中é"), max_size=80))
def test_any_text_is_a_tree_or_an_invalid_request(text):
    """Never another exception, and every leaf has something that can be found."""
    try:
        query = read(text)
    except InvalidRequestError:
        assert not searchable(normalise(text))
        return
    assert query.words
    assert all(searchable(leaf.text) for tree in (query.all_terms, query.any_term) if tree for leaf in leaves(tree))
