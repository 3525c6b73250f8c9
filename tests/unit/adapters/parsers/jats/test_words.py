"""No word of an element is lost: details that went wrong, and every element that holds text."""

from __future__ import annotations

import pytest

from tests.unit.adapters.parsers.jats.nlm import convert, front


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("<abbrev>AB<def><p>Alpha Beta</p></def></abbrev>, then", "AB (Alpha Beta), then"),
        ('<abbrev alt="x">MRI</abbrev> scan', "MRI scan"),
        ("an <abbrev><bold>RNA</bold> <def><p>ribonucleic acid</p></def></abbrev>.", "an **RNA** (ribonucleic acid)."),
        ("Ruby <ruby><rb>漢</rb><rt>kan</rt></ruby>.", "Ruby 漢 (kan)."),
        ("<ruby><rb>東京</rb><rp>(</rp><rt>Tōkyō</rt><rp>)</rp></ruby> and", "東京 (Tōkyō) and"),
        ("<ruby><rb>字</rb></ruby>", "字"),
    ],
)
def test_a_short_form_stays_in_its_sentence(inside: str, expected: str) -> None:
    """Abbreviations and signs with their readings, what they mean in brackets."""
    assert convert(f"<p>{inside}</p>") == expected


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ('<xref ref-type="table" rid="t1"/>', "See Table 1 here."),
        ('<xref ref-type="fig" rid="f1"/>', "See FIG. 2 here."),
        ('<xref rid="t1 f1"/>', "See Table 1, FIG. 2 here."),
        ('<xref rid="t1">the table</xref>', "See the table here."),
        ('<xref rid="nowhere"/>', "See here."),
    ],
)
def test_a_reference_without_text_shows_what_it_leads_to(reference: str, expected: str) -> None:
    """By its label; one that leads nowhere shows nothing."""
    table = '<table-wrap id="t1"><label>Table 1.</label><table><tr><td>x</td></tr></table></table-wrap>'
    figure = '<fig id="f1"><label>FIG. 2.</label><caption><p>C.</p></caption></fig>'
    assert convert(f"<p>See {reference} here.</p>{table}{figure}").startswith(expected)


def test_keywords_of_parts_are_parted() -> None:
    """Where nothing but markup stands between them."""
    parts = "<compound-kwd-part>X1</compound-kwd-part><compound-kwd-part>beta</compound-kwd-part>"
    group = f"<kwd-group><kwd>alpha</kwd><compound-kwd>{parts}</compound-kwd></kwd-group>"
    assert "**Keywords:** alpha, X1 beta" in front(group)


def test_a_group_of_formulas_keeps_its_own_number() -> None:
    """Beside those of its formulas, unless they begin with it."""
    formula = "<disp-formula><label>({})</label><tex-math>a=b</tex-math></disp-formula>"
    group = "<disp-formula-group><label>({})</label>{}</disp-formula-group>"
    assert convert(group.format("G", formula.format(1) + formula.format(2))).endswith("\\tag{2}$$\n\n(G)")
    assert convert(group.format("3", formula.format("3a"))) == "$$a=b \\tag{3a}$$"


PHRASES = (
    "abbrev bold email ext-link fixed-case fn inline-supplementary-material institution italic monospace named-content "
    "overline related-article related-object roman sans-serif sc strike styled-content sub sup target underline uri x "
    "xref"
)
IN_CITATIONS = (
    "annotation article-title chapter-title collab comment conf-date conf-loc conf-name conf-sponsor data-title date "
    "date-in-citation edition elocation-id ext-link fpage gov institution isbn issn issue issue-part issue-title lpage "
    "name patent page-range part-title person-group pub-id publisher-loc publisher-name role season series size source "
    "std string-date string-name supplement trans-source trans-title uri version volume volume-series year"
)
BLOCKS = (
    "ack address app boxed-text chem-struct-wrap code disp-quote explanation answer preformat question question-wrap "
    "sig-block speech statement notes bio glossary verse-group fn-group"
)
DROPPED = {
    "alt-text": "a picture's words for who cannot see it, beside a caption that says more",
    "long-desc": "as alt-text",
    "object-id": "an address of a part, which the reader cannot follow",
    "contrib-id": "an address of a person",
    "private-char": "a picture of a sign that no font has",
    "index-term": "a word of an index that no screen has; the text beside it says it",
    "processing-meta": "about the file",
}


@pytest.mark.parametrize("name", PHRASES.split())
def test_a_phrase_keeps_its_words(name: str) -> None:
    """In a paragraph."""
    assert "wordword" in convert(f"<p>Before <{name}>wordword</{name}> after.</p>")


@pytest.mark.parametrize("name", IN_CITATIONS.split())
def test_a_part_of_a_citation_keeps_its_words(name: str) -> None:
    """In a reference whose text is given."""
    inside = f"<{name}>wordword</{name}>"
    reference = f"<ref-list><ref><mixed-citation>Doe J. {inside}. End.</mixed-citation></ref></ref-list>"
    assert "wordword" in convert("<p>Text.</p>", f"<back>{reference}</back>")


@pytest.mark.parametrize("name", BLOCKS.split())
def test_a_block_keeps_its_words(name: str) -> None:
    """In a section, between two paragraphs, and in its place."""
    inner = {"verse-group": "<verse-line>wordword</verse-line>", "fn-group": "<fn><p>wordword</p></fn>"}
    inner |= dict.fromkeys(("code", "preformat", "address"), "wordword")
    inside = inner.get(name, "<p>wordword</p>")
    text = convert(f"<sec><title>S</title><p>First.</p><{name}>{inside}</{name}><p>Last.</p></sec>")
    assert text.index("First.") < text.index("wordword")
    assert name == "fn-group" or text.index("wordword") < text.index("Last.")


@pytest.mark.parametrize("name", DROPPED)
def test_what_is_dropped_is_dropped_for_a_reason(name: str) -> None:
    """And leaves no gap."""
    assert convert(f"<p>Before <{name}>wordword</{name}>after.</p>") == "Before after."
