"""How two ranked lists become one."""

from __future__ import annotations

from prioris_mcp.app.search.fuse import Candidate, by_rank, collapsed, fused, scored
from prioris_mcp.domain.changes import DocumentSpan
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Span
from tests.notes import note

KEY = DocumentKey(ProviderName("arxiv"), "2106.09685v2", SourceFormat.PDF)
NOTE = note(1)


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
    (found,) = fused(scored([at(0, 100)], [2.0]), scored([at(0, 40)], [0.8]))
    assert (found.what, found.fts_rank, found.vector_rank) == (at(0, 40), 1, 1)


def test_a_note_that_both_found_is_one_hit():
    """Scores of words are spread by rank where nobody knows them."""
    found = fused(by_rank([note(2), NOTE]), scored([NOTE, at(0, 1)], [0.9, 0.1]))
    ranks = [(each.what, each.fts_rank, each.vector_rank) for each in found]
    assert ranks == [(NOTE, 2, 1), (note(2), 1, None), (at(0, 1), None, 2)]
    assert [round(each.score, 2) for each in found] == [0.85, 0.3, 0.0]
