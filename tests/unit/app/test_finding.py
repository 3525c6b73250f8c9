"""How two ranked lists become one."""

from __future__ import annotations

from prioris_mcp.app.finding import Candidate, collapsed, fused
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.library import Place
from prioris_mcp.domain.markdown import Span
from prioris_mcp.domain.search import Hit, Hits
from prioris_mcp.domain.vectors import Near

KEY = DocumentKey(ProviderName.ARXIV, "2106.09685v2", SourceFormat.PDF)


def test_the_narrower_of_two_nested_sections_is_shown():
    """At the better one's rank; a whole document that matches hides none of its sections."""
    at = lambda start, length: Place(KEY, Span(start, length))  # noqa: E731
    whole, section, part, other = at(0, 100), at(10, 50), at(20, 10), at(70, 20)
    ranked = [Candidate(place, score) for place, score in ((whole, 0.9), (other, 0.8), (part, 0.5), (section, 0.4))]
    assert [(found.place, found.score) for found in collapsed(ranked)] == [(other, 0.9), (part, 0.5)]


def test_a_section_that_both_found_is_one_hit():
    """Shown without its deeper sections, with its rank in each list."""
    hits = Hits((Hit(KEY, Span(0, 100), 2.0),), 1)
    (found,) = fused(hits, [Near(KEY, "c1", Span(0, 40), 0.2)])
    assert (found.place, found.fts_rank, found.vector_rank) == (Place(KEY, Span(0, 40)), 1, 1)
