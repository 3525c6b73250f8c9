"""What stands inside paragraphs: text, formulas and notes, from what LaTeXML writes to the Markdown it becomes."""

from __future__ import annotations

import pytest

from tests.unit.adapters.parsers.html.latexml import convert, math, note, p


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a  b\n c", "a b c"),
        ("<b>bold</b>, <em>em </em>x", "**bold**, *em* x"),
        ('<span class="ltx_text ltx_font_bold">bold</span>', "**bold**"),
        ("10<sup>7</sup> H<sub>2</sub>O", "10<sup>7</sup> H<sub>2</sub>O"),
        ('<a href="https://example.org/a(b)">site</a>', "[site](https://example.org/a%28b%29)"),
        ('<a href="https://example.org">https://example.org</a>', "<https://example.org>"),
        ('<a href="https://example.org">a] b</a>', r"[a\] b](https://example.org)"),
        ('<a href="#S1">1</a> <a href="javascript:alert(1)">x</a>', "1 x"),
        ('<a href="mailto:a@b.c">a@b.c</a>', "a@b.c"),
        ('see <cite class="ltx_cite">[<a href="#bib.bib1">1</a>, <a href="#bib.bib2">2</a>]</cite>', "see [1, 2]"),
        ('<code class="ltx_verbatim">a*b_c &lt;d&gt;</code>', "`a*b_c <d>`"),
        ('<img src="x1.png" alt="Refer to caption">', "![](x1.png)"),
        ('x<img src="data:image/png;base64,AAAA" alt="logo">', "x"),
        ("5 &lt; 6 &lt;script&gt;alert(1)&lt;/script&gt;", r"5 < 6 \<script>alert(1)\</script>"),
        ("&lt;<span>a</span> href=x&gt; \\<span>*y*</span>", r"\<a href=x> \\\*y\*"),
        ("cost $5 and *x* and _y_ but snake_case", r"cost \$5 and \*x\* and \_y\_ but snake_case"),
        ("[click](https://evil.example)", r"[click]\(https://evil.example)"),
        ("&amp;lt;b&amp;gt;", r"\&lt;b\&gt;"),
        ("# no heading", r"\# no heading"),
        ("1. no list", r"1\. no list"),
        ("- no list", r"\- no list"),
        ("&gt; no quote", r"\> no quote"),
        ("| no table |", r"\| no table |"),
        ("zero\u200bwidth\u2062times<span class='ltx_ERROR'>\\oops</span>", "zerowidthtimes"),
        ("<script>alert(1)</script><style>p{}</style><svg><text>svg</text></svg>seen", "seen"),
    ],
)
def test_inline(source: str, expected: str) -> None:
    """Text means itself, markup keeps its meaning, and nothing becomes live that was not."""
    assert convert(p(source)) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (math(r"f(x)=\alpha x^{2}"), r"$f(x)=\alpha x^{2}$"),
        (math(r"\displaystyle a%&#10;+b"), "$a+b$"),
        (math("a&lt;b>c"), "$a< b>c$"),
        (math(r"\text{if $x$}"), r"$\text{if \(x\)}$"),
        ("is " + math("y", "block") + " so", "is\n\n$$y$$\n\nso"),
        ('<math><annotation encoding="application/x-tex">z_{1}</annotation></math>', "$z_{1}$"),
        ("<math><mi>a</mi><mo>&lt;</mo><mi>b</mi></math>", "$a< b$"),
        ("<math><msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><mi>y</mi><mi>z</mi></math>", "$x^{2}+yz$"),
        ("<math><mfrac><mn>1</mn><mi>n</mi></mfrac></math>", r"$\frac{1}{n}$"),
        ("<math display='block'><msqrt><mi>k</mi></msqrt></math>", r"$$\sqrt{k}$$"),
    ],
)
def test_formulas(source: str, expected: str) -> None:
    """A formula is its TeX, exactly once; without TeX it is that of its signs."""
    assert convert(p(source)) == expected


@pytest.mark.parametrize(
    "row",
    [
        (
            f'<td class="ltx_eqn_cell">{math("a", "block")}</td>'
            '<td class="ltx_eqn_cell ltx_eqn_eqno"><span class="ltx_tag ltx_tag_equation">(2)</span></td>'
        ),
        f'<td>{math("a", "block")}</td><td><span class="ltx_tag ltx_tag_equation">(2)</span></td>',
    ],
)
def test_equation(row: str) -> None:
    """A numbered equation is display mathematics with its number, and no table."""
    assert convert(f'<table class="ltx_equation ltx_eqn_table"><tr class="ltx_eqn_row">{row}</tr></table>') == (
        r"$$a \tag{2}$$"
    )


def test_equation_group() -> None:
    """Each row of a group is a formula; words between formulas are kept."""
    rows = "".join(
        f'<tr class="ltx_eqn_row"><td class="ltx_eqn_cell">{math(left)}</td><td class="ltx_eqn_cell">{middle}</td>'
        f'<td class="ltx_eqn_eqno">({number})</td></tr>'
        for left, middle, number in (("a", math("=b"), "1a"), ("c", "otherwise", "1b"))
    )
    assert convert(f'<table class="ltx_equationgroup">{rows}</table>') == (
        "$$a =b \\tag{1a}$$\n\n$$c \\text{otherwise} \\tag{1b}$$"
    )


def test_equation_rows_inside_rows() -> None:
    """No formula is lost or doubled where rows stand inside rows, and each keeps its own number."""
    inner = f'<div class="ltx_eqn_row">{math("b")}<span class="ltx_eqn_eqno">(2)</span></div>'
    outer = f'<div class="ltx_eqn_row">{math("a")}{inner}</div>'
    assert convert(f'<div class="ltx_equationgroup">{outer}</div>') == "$$a$$\n\n$$b \\tag{2}$$"


def test_footnotes() -> None:
    """A footnote is a mark in the sentence and one definition at the end; a repeated mark stays a superscript."""
    source = p(f"As shown{note('See <i>there</i>.')} and{note('', 'footnotemark', '7')}{note('Second.')}.")
    assert convert(source) == "As shown[^1] and<sup>7</sup>[^2].\n\n[^1]: See *there*.\n[^2]: Second."
