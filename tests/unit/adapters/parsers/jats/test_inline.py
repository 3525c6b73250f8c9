"""What stands inside paragraphs of JATS: text, scripts, formulas, links, notes."""

from __future__ import annotations

import pytest

from tests.unit.adapters.parsers.jats.nlm import convert, math


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a  b\n c", "a b c"),
        ("<bold>bold</bold>, <italic>em </italic>x", "**bold**, *em* x"),
        ("<italic>a</italic><italic>b</italic>", "*ab*"),
        ("10<sup>7</sup> CO<sub>2</sub>", "10^7^ CO~2~"),
        ("<italic>x</italic><sub><italic>i</italic></sub><sup>2</sup>", "*x*~*i*~^2^"),
        ("<italic>t</italic><sub>KCN </sub>would, R<sup> 2 </sup>= 1", "*t*~KCN~ would, R ^2^ = 1"),
        ("10<sup>-7 m</sup>", "10<sup>-7 m</sup>"),
        ("x<sup>a</sup><sup>b</sup>", "x^a^<sup>b</sup>"),
        ("[<sup>13</sup>C]", "[<sup>13</sup>C]"),
        ("a^b and about ~5 or x~5", r"a\^b and about ~5 or x\~5"),
        ("<monospace>a*b</monospace>", "`a*b`"),
        ("one<break/>two", "one two"),
        ("&lt;<named-content>a</named-content> href=x&gt;", r"\<a href=x>"),
        ("(P&lt;0.001) &lt;script&gt;x&lt;/script&gt;", r"(P<0.001) \<script>x\</script>"),
        ("<named-content content-type='x'>kept</named-content> <sc>SC</sc>", "kept SC"),
        ('<ext-link xlink:href="https://a.example/x">site</ext-link>', "[site](https://a.example/x)"),
        ('<ext-link xlink:href="javascript:alert(1)">site</ext-link>', "site"),
        ('<ext-link xlink:href="https://doi.org/10.1/A">10.1/A</ext-link>', "10.1/A"),
        ("<uri>https://a.example</uri>", "https://a.example"),
        ('<inline-graphic xlink:href="g.gif"/>', "![](g.gif)"),
        ("<index-term>gone</index-term>kept<object-id>x</object-id>", "kept"),
    ],
)
def test_inline(source: str, expected: str) -> None:
    """Text means itself, scripts keep their meaning, and nothing becomes live that was not."""
    assert convert(f"<p>{source}</p>") == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('as shown [<xref ref-type="bibr" rid="r1">1</xref>]', "as shown [1]"),
        ('shown<sup><xref ref-type="bibr">1</xref>,<xref ref-type="bibr">2</xref></sup>', "shown[1,2]"),
        ('shown<xref ref-type="bibr"><sup>3</sup></xref>', "shown[3]"),
        ('shown<sup>(</sup><xref ref-type="bibr">1</xref><sup>-</sup><xref ref-type="bibr">3</xref>', "shown(1-3"),
        ('shown <xref ref-type="bibr">[1]</xref>(later)', r"shown [1]\(later)"),
        ('see [<xref ref-type="bibr">1</xref>](later)', r"see [1]\(later)"),
        ('<xref ref-type="fig" rid="f1">Fig. 1</xref>', "Fig. 1"),
        ('world.<xref ref-type="bibr">1</xref> Both', "world.[1] Both"),
        ('Both<xref ref-type="bibr">1</xref><sup>,</sup><xref ref-type="bibr">2</xref>', "Both[1],[2]"),
        ('see <xref ref-type="bibr">12</xref>, (<xref ref-type="bibr">1</xref>, <xref ref-type="bibr">2</xref>)',
         "see 12, (1, 2)"),
        ('[<xref ref-type="bibr">4</xref>,<xref ref-type="bibr">5</xref>]', "[4,5]"),
        ('[<xref ref-type="bibr">4</xref>]–[<xref ref-type="bibr">7</xref>]', "[4]–[7]"),
        ('Smith<xref ref-type="bibr">, 1999</xref> (50%)<xref ref-type="bibr">3</xref>', "Smith, 1999 (50%)[3]"),
    ],
)  # fmt: skip
def test_citations(source: str, expected: str) -> None:
    """Cross-references are their text; citations set high are in brackets, where no power is read into them."""
    assert convert(f"<p>{source}</p>") == expected


_TEX = r"\documentclass[12pt]{minimal}\usepackage{amsmath}\begin{document}$$ E = mc^2 $$\end{document}"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"<inline-formula><tex-math>{_TEX}</tex-math></inline-formula>", "$E = mc^2$"),
        (
            (
                f"<inline-formula><alternatives><tex-math>{_TEX}</tex-math>{math('<mml:mi>E</mml:mi>')}"
                '<inline-graphic xlink:href="e.gif"/></alternatives></inline-formula>'
            ),
            "$E = mc^2$",
        ),
        (f"<inline-formula>{math('<mml:mi>x</mml:mi>')}</inline-formula>", "$x$"),
        ("<inline-formula><italic>n</italic> = 5</inline-formula>", "*n* = 5"),
        (f"<inline-formula><italic>n</italic> = {math('<mml:mi>k</mml:mi>')}</inline-formula>", "*n* = $k$"),
        ('<inline-formula><inline-graphic xlink:href="e.gif"/></inline-formula>', "![formula](e.gif)"),
        (r"<tex-math>\(a &lt;b\)</tex-math>", "$a < b$"),
        (r"<tex-math>\begin{equation}\label{x}a\end{equation}</tex-math>", "$a$"),
        ("<tex-math>a % said\n+b</tex-math>", "$a +b$"),
    ],
)  # fmt: skip
def test_formulas_in_sentences(source: str, expected: str) -> None:
    """A formula stands once: its TeX, else its MathML as TeX, else its text, else its picture."""
    assert convert(f"<p>{source}</p>") == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            f"<disp-formula><label>(1)</label><tex-math>{_TEX}</tex-math></disp-formula>",
            r"$$E = mc^2 \tag{1}$$",
        ),
        (
            (
                "<disp-formula-group><disp-formula><label>1a</label><tex-math>a</tex-math></disp-formula>"
                "<disp-formula><tex-math>b</tex-math></disp-formula></disp-formula-group>"
            ),
            "$$a \\tag{1a}$$\n\n$$b$$",
        ),
        ("<disp-formula>E = mc<sup>2</sup><label>(2)</label></disp-formula>", "E = mc^2^ (2)"),
        ('<disp-formula><graphic xlink:href="e.gif"/></disp-formula>', "![equation](e.gif)"),
        (
            r"<disp-formula><tex-math>\begin{eqnarray}a&amp;=&amp;b\end{eqnarray}</tex-math></disp-formula>",
            r"$$\begin{array}{rcl}a&=&b\end{array}$$",
        ),
        ("is <disp-formula><tex-math>a</tex-math></disp-formula> so", "is\n\n$$a$$\n\nso"),
    ],
)  # fmt: skip
def test_displayed_formulas(source: str, expected: str) -> None:
    """A displayed formula is a block of its own with its number."""
    assert convert(f"<p>{source}</p>") == expected


def test_formulas_in_cells() -> None:
    """In a table a displayed formula stays on its line, and a bar in it does not end the cell."""
    cell = r"<disp-formula><label>(3)</label><tex-math>|a| + \|b\|</tex-math></disp-formula>"
    assert convert(f"<table-wrap><table><tr><td>x|y</td><td>{cell}</td></tr></table></table-wrap>") == (
        "| x\\|y | $\\vert a\\vert  + \\Vert b\\Vert$ (3) |\n| --- | --- |"
    )


def test_footnotes() -> None:
    """Notes that the text refers to are marks and definitions, in the order of the text; others stay in their list."""
    body = '<p>One<fn id="a"><p>First.</p></fn> two<sup><xref ref-type="fn" rid="b">2</xref></sup>.</p>'
    back = '<back><fn-group><fn id="b"><label>2</label><p>Second.</p></fn><fn><label>*</label><p>Loose.</p></fn>'
    back += "</fn-group></back>"
    assert convert(body, back) == (
        "One[^1] two[^2].\n\n## Notes\n\n- \\* Loose.\n\n[^1]: First.\n[^2]: Second."
    )  # fmt: skip


def test_footnotes_that_refer_to_themselves() -> None:
    """A note whose text refers to itself is written once."""
    body = '<p>One<xref ref-type="fn" rid="a">1</xref></p>'
    back = '<back><fn-group><fn id="a"><p>See <xref ref-type="fn" rid="a">1</xref>.</p></fn></fn-group></back>'
    assert convert(body, back) == "One[^1]\n\n[^1]: See [^1]."
