"""Headings, tables, figures, lists and listings, one test a construct."""

from __future__ import annotations

import pytest

from tests.unit.adapters.parsers.html.latexml import convert, math, p, parse_text


def test_headings_by_nesting() -> None:
    """The level of a heading is its depth in sections, whatever its tag; theorem titles stay in the text."""
    assert (
        convert(
            '<div class="ltx_abstract"><h6 class="ltx_title ltx_title_abstract">Abstract</h6>'
            '<p class="ltx_p">We.</p></div><section class="ltx_section">'
            '<h2 class="ltx_title ltx_title_section"><span class="ltx_tag">1 </span>One</h2>'
            '<section class="ltx_subsection"><h3 class="ltx_title">Two</h3>'
            '<section class="ltx_paragraph"><h6 class="ltx_title ltx_title_paragraph">Four</h6>'
            '<div class="ltx_theorem"><h6 class="ltx_title ltx_runin ltx_title_theorem">'
            '<span class="ltx_font_bold">Theorem 1</span> .</h6>'
            f'<p class="ltx_p"><span class="ltx_text ltx_font_italic">Let </span>{math("x")}</p></div>'
            "</section></section></section>"
        )
        == "## Abstract\n\nWe.\n\n## 1 One\n\n### Two\n\n#### Four\n\n**Theorem 1.** Let $x$"
    )


def test_authors() -> None:
    """Authors are one line with their addresses; thanks become footnotes."""
    creators = "".join(
        f'<span class="ltx_creator ltx_role_author"><span class="ltx_personname">{name}</span>'
        f'<span class="ltx_author_notes"><span class="ltx_contact ltx_role_affiliation">'
        f'<span class="ltx_contact_name">Affiliation: </span>{place}</span>{more}</span></span>'
        for name, place, more in (
            ("Ada L.", "Here", '<span class="ltx_contact ltx_role_thanks">Equal work.</span>'),
            ("Bo M.", "There", ""),
        )
    )
    assert convert(f'<div class="ltx_authors">{creators}</div>') == (
        "**Authors:** Ada L.[^1] (Here); Bo M. (There)\n\n[^1]: Equal work."
    )


def test_table_spans_and_head() -> None:
    """Spans are expanded, head rows become one, pipes are escaped, a caption stands above."""
    table = (
        '<figure class="ltx_table"><figcaption class="ltx_caption"><span class="ltx_tag">Table 1: </span>Scores'
        '</figcaption><table class="ltx_tabular"><thead><tr><th rowspan="2">M</th><th colspan="2">G</th></tr>'
        "<tr><th>x</th><th>y</th></tr></thead>"
        '<tbody><tr><td rowspan="2">a|b</td><td>1</td><td>2</td></tr><tr><td colspan="2">3</td></tr>'
        '<tr><td colspan="3">group</td></tr></tbody></table></figure>'
    )
    assert convert(table) == (
        "**Table 1.** Scores\n\n"
        "| M | G x | G y |\n| --- | --- | --- |\n| a\\|b | 1 | 2 |\n| a\\|b | 3 | 3 |\n| group |  |  |"
    )


def test_table_of_spans() -> None:
    """LaTeXML's tables of ``span`` elements are tables too."""
    row = '<span class="ltx_tr"><span class="ltx_td">{}</span><span class="ltx_td">{}</span></span>'
    assert convert(f'<span class="ltx_tabular">{row.format("a", "b")}{row.format("c", "d")}</span>') == (
        "| a | b |\n| --- | --- |\n| c | d |"
    )


def test_absurd_spans_are_bounded() -> None:
    """A cell that claims to cover a thousand million columns and rows costs next to nothing."""
    row = '<td colspan="999999999" rowspan="999999999">x</td>' * 20
    table = f'<table class="ltx_tabular">{f"<tr>{row}</tr>" * 3}</table>'
    assert len(convert(table)) < 20_000


def test_layout_tables_are_taken_apart() -> None:
    """A table that lays out headings or other tables gives its parts in order."""
    page = "<html><body><table><tr><td><h1>T</h1><p>one</p></td><td><p>two</p></td></tr></table></body></html>"
    assert parse_text(page.encode()) == "# T\n\none\n\ntwo\n"


def test_figure() -> None:
    """A figure is its image and its caption with a bold label, nested figures in order."""
    assert (
        convert(
            '<figure class="ltx_figure"><figure class="ltx_figure_panel"><img src="a.png"><figcaption>'
            '<span class="ltx_tag">(a) </span>left</figcaption></figure>'
            '<figcaption class="ltx_caption"><span class="ltx_tag">Figure 1: </span>Both</figcaption></figure>'
        )
        == "![](a.png)\n\n**(a).** left\n\n**Figure 1.** Both"
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c"),
        ("<ol start=3><li>a</li><li><p>b</p><p>c</p></li></ol>", "3. a\n4. b\n\n   c"),
        ("<dl><dt>term</dt><dd>meaning</dd></dl>", "- **term** meaning"),
        ("<dl><dt>a</dt><dt>b</dt><dd><p>one</p><p>two</p></dd><dd>more</dd></dl>", "- **a, b** one\n\n  two\n- more"),
        ("<dl><dt>a</dt><dt>b</dt></dl>", "- **a, b**"),
        ('<span class="ltx_itemize"><span class="ltx_item">x</span><span class="ltx_item">y</span></span>', "- x\n- y"),
        (
            '<ul class="ltx_itemize"><li class="ltx_item"><span class="ltx_tag ltx_tag_item">•</span>'
            + p("a")
            + '</li><li class="ltx_item"><span class="ltx_tag ltx_tag_item">(i)</span>'
            + p("b")
            + "</li></ul>",
            "- a\n- (i) b",
        ),
    ],
)
def test_lists(source: str, expected: str) -> None:
    """Lists keep their order, nesting and labels."""
    assert convert(source) == expected


def test_bibliography() -> None:
    """A reference is one line with its label, and without the back links."""
    assert (
        convert(
            '<section class="ltx_bibliography"><h2 class="ltx_title ltx_title_bibliography">References</h2>'
            '<ul class="ltx_biblist"><li class="ltx_bibitem"><span class="ltx_tag ltx_tag_bibitem">[1]</span>'
            '<span class="ltx_bibblock">A. Author. </span><span class="ltx_bibblock"><em>Title</em>. 2020.</span>'
            '<span class="ltx_bibblock ltx_bib_cited">Cited by: §1</span></li></ul></section>'
        )
        == "## References\n\n- [1] A. Author. *Title*. 2020."
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<pre>a  b\n ```c\n</pre>", "````\na  b\n ```c\n````"),
        (
            (
                '<div class="ltx_listing"><div class="ltx_listing_data">'
                '<a href="data:text/plain;base64,aWYgYToKICBi">x</a></div>'
                '<div class="ltx_listingline">broken</div></div>'
            ),
            "```\nif a:\n  b\n```",
        ),
        (
            (
                '<div class="ltx_listing"><div class="ltx_listingline">'
                f'<span class="ltx_tag ltx_tag_listingline">1:</span>let {math("x")}</div></div>'
            ),
            "1. let $x$",
        ),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
    ],
)
def test_verbatim_and_quotes(source: str, expected: str) -> None:
    """Listings are fenced with their own source where it is there; algorithms with formulas are lists."""
    assert convert(source) == expected
