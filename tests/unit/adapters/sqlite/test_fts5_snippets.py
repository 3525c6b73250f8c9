"""The lines that are shown of what FTS5 finds."""

from __future__ import annotations

from prioris_mcp.adapters.sqlite.fts.query import QueryFrontEnd
from prioris_mcp.domain.search import WIDEST_SNIPPET

FRONT_END = QueryFrontEnd()


def snippet(text: str, query: str) -> tuple[str, int]:
    (shown,) = FRONT_END.snippets([text], FRONT_END.plan(query).expressions[-1])
    return shown.text, shown.start


def test_a_snippet_is_one_line_around_the_match():
    """Cut between words, with the match inside, and the place of the match in the whole text."""
    text = "before it \n\n" * 100 + "the naïve\nneedle, " + "after it " * 100
    shown, start = snippet(text, "needle")
    assert start == text.index("needle")
    assert len(shown) <= WIDEST_SNIPPET
    assert "the naïve needle, after it" in shown
    assert set(shown.strip("…").split()) == {"before", "after", "it", "the", "naïve", "needle,"}
    assert shown[0] == shown[-1] == "…"


def test_a_snippet_shows_where_most_of_the_words_stand():
    """Not the first of them, but the start is that of the first."""
    text = "ant " + "x " * 500 + "ant and bee " + "x " * 500
    shown, start = snippet(text, "ant OR bee")
    assert "ant and bee" in shown and start == 0


def test_a_short_text_is_shown_whole():
    """Without an ellipsis, its white space folded."""
    assert snippet(" some ant\n here", "ant") == ("some ant here", 6)


def test_a_match_at_the_end_is_shown_with_what_leads_to_it():
    """The line is as long as anywhere else."""
    shown, _ = snippet("word " * 200 + "needle", "needle")
    assert shown.endswith(" needle") and len(shown) > WIDEST_SNIPPET - 10


def test_without_a_match_the_beginning_is_shown():
    """Of a text that only its heading made a hit."""
    shown, start = snippet("word " * 200, "needle")
    assert shown.startswith("word word") and shown.endswith("word…") and len(shown) <= WIDEST_SNIPPET and start == 0


def test_words_that_stand_in_the_heading_do_not_hide_those_in_the_text():
    """Both were asked for, one of them is in the text."""
    shown, start = snippet("x " * 400 + "needle", '"in heading" AND needle')
    assert shown.endswith("needle") and start == 800


def test_a_match_longer_than_a_line_is_cut():
    """As a run of Chinese may be."""
    shown, start = snippet("x " * 100 + "注意力" * 300, "注意力")
    assert "注意力" in shown and len(shown) <= WIDEST_SNIPPET and start == 200


def test_what_cannot_be_stored_or_would_be_a_mark_is_shown_as_blank():
    """NUL, lone surrogates and our own marks; positions stay."""
    assert snippet("\ud800 a\x02b\x03 \x00 ant", "ant") == ("a b ant", 9)


def test_an_expression_that_fts5_refuses_shows_beginnings():
    """A snippet is never worth a failure."""
    assert [shown.text for shown in FRONT_END.snippets(["ant", "bee"], '"!')] == ["ant", "bee"]


def test_a_match_far_down_is_shown():
    """Also where the beginning of a long text has a part of what was asked for."""
    text = "ant " + "x " * 20_000 + "ant bee"
    assert snippet(text, '"ant bee"')[0].endswith(" ant bee")
