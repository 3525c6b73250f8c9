"""How two ranked lists become one."""

from __future__ import annotations

import pytest

from prioris_mcp.app.search.fuse import (
    Candidate,
    by_meaning,
    by_rank,
    by_words,
    collapsed,
    fused,
    near_enough,
    strength,
)
from prioris_mcp.domain.changes import DocumentSpan
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Span
from prioris_mcp.domain.vectors import Scale
from tests.notes import note

KEY = DocumentKey(ProviderName("arxiv"), "2106.09685v2", SourceFormat.PDF)
OTHER = DocumentKey(ProviderName("arxiv"), "2106.09680v1", SourceFormat.PDF)
NOTE = note(1)
SCALE = Scale(0.3, 0.4)


def at(start: int, length: int) -> DocumentSpan:
    return DocumentSpan(KEY, Span(start, length))


def test_the_narrower_of_two_nested_sections_is_shown():
    """At the better one's rank; a whole document that matches hides none of its sections, and no note is one."""
    whole, section, part, other = at(0, 100), at(10, 50), at(20, 10), at(70, 20)
    given = ((whole, 0.9), (other, 0.8), (NOTE, 0.7), (part, 0.5), (section, 0.4))
    ranked = [Candidate(what, score) for what, score in given]
    assert [(found.what, found.score) for found in collapsed(ranked)] == [(other, 0.9), (NOTE, 0.7), (part, 0.5)]


def test_a_section_that_both_found_is_one_hit():
    """Shown without its deeper sections, with its rank in each list."""
    (found,) = fused(by_words([at(0, 100)], [2.0], ["all_words"] * 1), by_meaning([at(0, 40)], [0.8]))
    assert (found.what, found.match, found.fts_rank, found.vector_rank) == (at(0, 40), "all_words", 1, 1)


def test_a_note_that_both_found_is_one_hit():
    """Scores of words are spread by rank where nobody knows them."""
    found = fused(by_rank([note(2), NOTE]), by_meaning([NOTE, at(0, 1)], [0.9, 0.1]))
    ranks = [(each.what, each.fts_rank, each.vector_rank) for each in found]
    assert ranks == [(NOTE, 2, 1), (note(2), 1, None), (at(0, 1), None, 2)]
    assert [round(each.score, 2) for each in found] == [0.78, 0.3, 0.07]


def test_exact_words_come_before_a_meaning_that_is_far():
    """The best of what is unlike the query is not like it for being the best."""
    exact, *others = (at(100 * n, 10) for n in range(5))
    ranked = fused(by_words([exact], [9.9], ["all_words"] * 1), by_meaning(others, [0.06, 0.05, 0.05, 0.01]))
    assert ranked[0].what == exact
    assert [each.what for each in near_enough(ranked, SCALE)] == [exact]


def test_a_document_without_vectors_is_as_near_as_its_words_say():
    """As near as its score among the words lets expect, so that its rank there decides."""
    first, second, third = at(0, 10), DocumentSpan(OTHER, Span(0, 10)), at(200, 10)
    words = by_words([second, first, third], [3.0, 2.0, 1.0], ["all_words"] * 3)
    near = by_meaning([first, third], [0.6, 0.4])
    assert [each.what for each in fused(words, near, {OTHER})] == [second, first, third]
    assert [each.what for each in fused(words, near)] == [first, second, third]
    (alone,) = fused(by_words([second], [1.0], ["all_words"] * 1), [], {OTHER})
    assert alone.similarity is None and 0.3 < alone.score < 1


@pytest.mark.parametrize(
    ("match", "similarity", "words", "pending", "expected"),
    [
        ("phrase", 0.0, 5, (), "strong"),
        ("all_words", None, 2, (), "strong"),
        ("all_words", None, 3, (), "weak"),
        ("all_words", None, 3, {KEY}, "strong"),
        ("all_words", None, 3, None, "strong"),
        ("all_words", 0.35, 3, (), "strong"),
        ("all_words", 0.1, 3, (), "weak"),
        ("some_words", None, 3, None, "weak"),
        ("some_words", 0.45, 3, (), "strong"),
        ("meaning", 0.45, 3, (), "strong"),
        ("meaning", 0.35, 3, (), "weak"),
    ],
)
def test_strength_says_whether_anything_was_found(match, similarity, words, pending, expected):
    """Phrases and a sure likeness are strong; all words are, unless they mean something else; some words are weak."""
    found = [Candidate(at(0, 10), 0.5, match, 1, similarity=similarity)]
    assert strength(found, SCALE, words=words, pending=pending) == expected
    assert strength([], SCALE) == "none"
