"""Whole HTML pages: encodings, depth, pages without a document, arbitrary bytes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prioris_mcp.errors import ParseError
from tests.unit.adapters.parsers.html.latexml import convert, parse_text


def test_one_bad_byte() -> None:
    """A byte that is no UTF-8 costs itself, not the other letters of a page that declares UTF-8."""
    page = '<meta charset="utf-8"><body><p>naïve Schrödinger</p>'.encode() + b"\xff"
    assert "naïve Schrödinger" in parse_text(page)


def test_author_page_with_legacy_encoding() -> None:
    """A page in an old encoding, with paragraphs inside font tags and list entries outside lists, is read."""
    page = (
        '<html><head><meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><title>T</title></head>'
        "<body><font size=2><p>caf\xe9 \x93quoted\x94</p><table><tr><td>a</td><td>b</td></tr></table></font>"
        "<li>loose</li></body></html>"
    ).encode("latin-1")
    assert parse_text(page) == "# T\n\ncafé “quoted”\n\n| a | b |\n| --- | --- |\n\n- loose\n"


def test_deep_pages() -> None:
    """Nesting up to the bound is read in full, nesting beyond it is an error and never an empty result."""
    nested = "<div>" * 400 + "<p>deep</p>" + "</div>" * 400 + "<p>after</p>"
    assert convert(nested) == "deep\n\nafter"
    for depth in (600, 20_000):
        with pytest.raises(ParseError, match="nested more than 500 levels"):
            convert("<div>" * depth + "deep" + "</div>" * depth)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "no content"),
        (b"<html><body></body></html>", "no content"),
        (b"<html><head><title>T</title></head><body><nav>menu</nav></body></html>", "no content"),
        (b"<html><body><p>No content available</p></body></html>", "conversion to HTML failed"),
        (
            (
                b"<html><body><div>Conversion to HTML had a Fatal error and exited abruptly.</div>"
                b"<article class='ltx_document'><h1 class='ltx_title_document'>T</h1><p>text</p></article></body>"
            ),
            "conversion to HTML failed",
        ),
    ],
)
def test_pages_without_a_document(content: bytes, sentence: str) -> None:
    """An empty or failed page is an error that points to the PDF."""
    with pytest.raises(ParseError, match=sentence) as caught:
        parse_text(content)
    assert 'format="pdf"' in str(caught.value)


@given(st.binary(max_size=400) | st.text(st.sampled_from("<>/abtdrmhx=\"' &;#1\n\\$*"), max_size=200).map(str.encode))
@settings(deadline=None, max_examples=300)
def test_any_bytes_give_markdown_or_parse_error(content: bytes) -> None:
    """Whatever the bytes, the answer is Markdown without live tags, or a ParseError."""
    try:
        text = parse_text(content)
    except ParseError:
        return
    text.encode("utf-8")
    outside_code = re.sub(r"`+[^`]*`+", "", text)
    assert not re.search(r"(?<!\\)<(?!/?su[bp]>)[a-z/!?]", outside_code.replace("<http", "")) or "```" in text


@pytest.mark.corpus
def test_acceptance_case(cases: Path) -> None:
    """The acceptance case of arXiv's chrome: the document alone, with its formulas, table, note and reference."""
    text = parse_text((cases / "arxiv_chrome.html").read_bytes())
    assert text.startswith("# KAN: Networks\n")
    assert not re.search("HTML conversions|Report Issue|Generated on|SCRIPT-TEXT|Why HTML|Back to Abstract", text)
    assert text.count(r"f(x)=\alpha x^{2}") == 1 and r"$f(x)=\alpha x^{2}$" in text
    assert r"$$y=\sum_{i} w_{i} \tag{1}$$" in text
    assert "| Model | Acc |\n| --- | --- |\n| A | 0.9 |" in text
    assert "As shown[^1] by [1]." in text and "[^1]: FOOTNOTE-TEXT" in text
    assert "- [1] A. Author. Title. 2020." in text
