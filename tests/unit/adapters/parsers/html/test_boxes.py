"""Text in boxes, algorithms and footnotes apart from their marks, as LaTeXML and its successor write them."""

from __future__ import annotations

import pytest

from tests.unit.adapters.parsers.html.latexml import convert, math, note, p, parse_text

CELL = '<span class="ltx_td">{}</span>'
NEW = '<span class="ltx_foreignobject_container"><span class="ltx_foreignobject_content">{}</span></span>'


def box(*texts: str, new: bool = False) -> str:
    """A picture with foreign objects, as of either converter."""
    parts = (f"<g><foreignObject>{NEW.format(text) if new else text}</foreignObject></g>" for text in texts)
    return f'<svg class="ltx_picture"><g><path d="M0 0"></path>{"".join(parts)}</g></svg>'


@pytest.mark.parametrize("new", [False, True])
@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ('<span class="ltx_p">A prompt.</span>', "A prompt."),
        ("You are an impartial judge of two answers.", "You are an impartial judge of two answers."),
        ('<div class="ltx_listing"><div class="ltx_listingline">x = 1</div></div>', "```\nx = 1\n```"),
        (
            f'<span class="ltx_tabular"><span class="ltx_tr">{CELL.format("a")}{CELL.format("b")}</span></span>',
            "| a | b |\n| --- | --- |",
        ),
        (
            '<ul class="ltx_itemize"><li class="ltx_item">first</li><li class="ltx_item">second</li></ul>',
            "- first\n- second",
        ),
        (f'<span class="ltx_p">Let {math("x")} be.</span>', "Let $x$ be."),
        (box('<span class="ltx_p">A box in a box.</span>'), "A box in a box."),
    ],
)
def test_a_box_is_read_where_it_stands(inside: str, expected: str, new: bool) -> None:
    """In its place, block by block, in a paragraph, in a figure and by itself."""
    drawn = box(inside, new=new)
    assert convert(f"{p('Before.')}{drawn}{p('After.')}") == f"Before.\n\n{expected}\n\nAfter."
    assert convert(p(f"Before. {drawn} After.")) == f"Before.\n\n{expected}\n\nAfter."
    figure = f'<figure class="ltx_figure">{drawn}<figcaption class="ltx_caption">C.</figcaption></figure>'
    assert convert(figure) == f"{expected}\n\nC."


def test_the_parts_of_a_box_come_in_order() -> None:
    """Title, then text."""
    drawn = box(
        '<span class="ltx_p"><b>Judge</b></span>', '<span class="ltx_p">One.</span><span class="ltx_p">Two.</span>'
    )
    assert convert(drawn) == "**Judge**\n\nOne.\n\nTwo."


@pytest.mark.parametrize("labels", [("Encoder", "Decoder"), (math("E_1"), "<b>softmax</b> layer 3"), ("",)])
def test_a_drawing_says_nothing(labels: tuple[str, ...]) -> None:
    """Labels of a diagram, out of their places, are no text."""
    assert convert(f"{p('Before.')}{box(*labels)}{p('After.')}") == "Before.\n\nAfter."


BAR = '<span class="ltx_rule">&nbsp;</span>'


def line(text: str, number: str = "") -> str:
    tag = f'<span class="ltx_tag ltx_tag_listingline">{number}</span>' if number else ""
    return f'<div class="ltx_listingline">{tag}{text}</div>'


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            [line(f"for {math('i')}", "1:"), line(f"{BAR}&nbsp;&nbsp;&nbsp;go", "2:"), line("end", "3:")],
            "1. for $i$\n2. &emsp;go\n3. end",
        ),
        (
            [line(f"if {math('a')}", "10"), line("&nbsp;&nbsp;if b", "11"), line("&nbsp;&nbsp;&nbsp;&nbsp;c", "12")],
            "10. if $a$\n11. &emsp;if b\n12. &emsp;&emsp;c",
        ),
        ([line(f"Input: {math('x')}"), line(f"{BAR}{BAR}deep"), line("", "3")], "- Input: $x$\n- &emsp;&emsp;deep"),
        ([line(f"x {math(chr(92) + 'triangleright')} why", "1:")], "1. x ▷ why"),
        ([line(f"go to {math('x')}", "L1:")], "- L1 go to $x$"),
    ],
)
def test_an_algorithm_keeps_its_numbers_and_its_depth(lines: list[str], expected: str) -> None:
    """By bars or by spaces; a line without a number has none, and an empty one is left out."""
    assert convert(f'<div class="ltx_listing">{"".join(lines)}</div>') == expected


def test_a_footnote_apart_meets_its_mark() -> None:
    """Wherever its text stands, once; a mark without a text stays a superscript, a text without a mark a footnote."""
    apart = note("", role="footnotemark", mark="2")
    text = note("Detached.", role="footnotetext", mark="2")
    assert convert(p(f"a{apart} b{apart}") + p(f"c{text}")) == "a[^1] b[^1]\n\nc\n\n[^1]: Detached."
    assert convert(p(f"c{text}") + p(f"a{apart}")) == "c\n\na[^1]\n\n[^1]: Detached."
    assert convert(p(f"a{apart}")) == "a<sup>2</sup>"
    assert convert(p(f"c{text}")) == "c[^1]\n\n[^1]: Detached."


def test_a_page_without_a_title_has_none() -> None:
    """Its first heading, which its head repeats, stays a heading; a title of its own is one."""
    body = "<body><article class='ltx_document'><h2>Intro</h2>{}</article></body>"
    page = f"<html><head><title>{{}}</title></head>{body}</html>"
    assert parse_text(page.format("Intro", p("Text.")).encode()) == "## Intro\n\nText.\n"
    assert parse_text(page.format("A Paper", p("Text.")).encode()) == "# A Paper\n\n## Intro\n\nText.\n"


def test_what_the_converter_says_is_no_text() -> None:
    """Warnings and remarks are left out as errors are; references of an index stand apart."""
    said = "".join(f'<span class="ltx_{kind}">oops</span>' for kind in ("ERROR", "WARNING", "INFO"))
    assert convert(p(f"So {said} it is.")) == "So it is."
    assert (
        convert('<ul><li>compact space<span class="ltx_indexrefs">12, 15</span></li></ul>') == "- compact space 12, 15"
    )
