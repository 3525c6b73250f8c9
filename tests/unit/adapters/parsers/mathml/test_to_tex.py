"""MathML to TeX, one construct a case."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prioris_mcp.adapters.parsers.mathml.to_tex import tex_of_markup


def tex(content: str) -> str:
    """The TeX of a formula."""
    return tex_of_markup(f'<math xmlns="http://www.w3.org/1998/Math/MathML">{content}</math>')


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<mi>x</mi><mo>=</mo><mn>1.5</mn>", "x=1.5"),
        ("<mi>α</mi><mi>x</mi>", r"\alpha x"),
        ("<mi>sin</mi><mo>\u2061</mo><mi>x</mi>", r"\sin x"),
        ("<mi>Var</mi><mo>(</mo><mi>X</mi><mo>)</mo>", r"\mathrm{Var}(X)"),
        ('<mi mathvariant="bold">v</mi>', r"\mathbf{v}"),
        ('<mi mathvariant="normal">d</mi><mi>t</mi>', r"\mathrm{d}t"),
        ("<mi>𝐳</mi><mi>ℝ</mi><mi>ℒ</mi><mi>𝔤</mi><mi>𝑖</mi>", r"\mathbf{z}\mathbb{R}\mathcal{L}\mathfrak{g}i"),
        ("<mi>a</mi><mo>−</mo><mi>b</mi><mo>≤</mo><mn>1,000</mn>", r"a-b\leq 1{,}000"),
        ("<mn>50</mn><mo>%</mo><mo>{</mo><mi>x</mi><mo>}</mo>", r"50\%\{x\}"),
        ("<mtext>if $x_1$ &amp; y</mtext>", r"\text{if \$x\_1\$ \& y}"),
        ("<mi>x</mi><mtext> </mtext><mi>y</mi>", r"x\;y"),
        ('<mstyle mathvariant="bold"><mi>x</mi></mstyle>', r"\mathbf{x}"),
    ],
)
def test_signs(content: str, expected: str) -> None:
    """Letters, digits, operators and words become what TeX calls them."""
    assert tex(content) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<msup><mi>x</mi><mn>2</mn></msup>", "x^{2}"),
        ("<msub><mi>x</mi><mrow><mi>i</mi><mo>,</mo><mi>j</mi></mrow></msub>", "x_{i,j}"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_{i}^{2}"),
        ("<msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mn>2</mn></msup>", "(a)^{2}"),
        ("<msup><msup><mi>a</mi><mi>b</mi></msup><mi>c</mi></msup>", "{a^{b}}^{c}"),
        ("<msup><mi>f</mi><mo>′</mo></msup>", r"f^{\prime}"),
        ("<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac>", r"\frac{a}{b+1}"),
        (
            ("<mrow><mo>(</mo><mfrac linethickness='0'><mi>n</mi><mi>k</mi></mfrac><mo>)</mo></mrow>"),
            r"\binom{n}{k}",
        ),
        ("<msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt>", r"\sqrt{a+b}"),
        ("<mroot><mi>a</mi><mn>3</mn></mroot>", r"\sqrt[3]{a}"),
        ("<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>", r"\sum_{i=1}^{n}"),
        ("<munder><mi>lim</mi><mi>n</mi></munder>", r"\lim_{n}"),
        ("<mover accent='true'><mi>x</mi><mo>¯</mo></mover>", r"\bar{x}"),
        ("<mover><mrow><mi>x</mi><mi>y</mi></mrow><mo>¯</mo></mover>", r"\overline{xy}"),
        ("<mover><mi>v</mi><mo>→</mo></mover>", r"\vec{v}"),
        ("<mover><mo>→</mo><mi>f</mi></mover>", r"\xrightarrow{f}"),
        ("<mover><mo>=</mo><mtext>def</mtext></mover>", r"\overset{\text{def}}{=}"),
        ("<munder><munder><mi>x</mi><mo>⏟</mo></munder><mi>n</mi></munder>", r"\underbrace{x}_{n}"),
        (
            "<mmultiscripts><mi>C</mi><mn>6</mn><none/><mprescripts/><none/><mn>13</mn></mmultiscripts>",
            "{}^{13}C_{6}",
        ),
        ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a,b)"),
        ("<mfenced open='[' close=']'><mfrac><mi>a</mi><mi>b</mi></mfrac></mfenced>", r"\left[\frac{a}{b}\right]"),
        ("<mrow><mo>|</mo><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>|</mo></mrow>", r"\left|\frac{a}{b}\right|"),
    ],
)
def test_structures(content: str, expected: str) -> None:
    """Scripts, fractions, roots, accents and fences keep their meaning."""
    assert tex(content) == expected


_TABLE = "<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd/></mtr></mtable>"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (f"<mi>A</mi><mo>=</mo>{_TABLE}", r"A=\begin{matrix}a & b \\ 0 & \end{matrix}"),
        (f"<mi>A</mi><mrow><mo>(</mo>{_TABLE}<mo>)</mo></mrow>", r"A\begin{pmatrix}a & b \\ 0 & \end{pmatrix}"),
        (f"<mi>f</mi><mo>=</mo><mo>{{</mo>{_TABLE}", r"f=\begin{cases}a & b \\ 0 & \end{cases}"),
        (
            (
                "<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mo>=</mo></mtd><mtd><mi>b</mi></mtd></mtr>"
                "<mlabeledtr><mtd><mn>2</mn></mtd><mtd><mi>c</mi></mtd></mlabeledtr></mtable>"
            ),
            r"\begin{aligned}a & = b \\ c & 2\end{aligned}",
        ),
        ("<mtable><mtr><mtd><mi>a</mi></mtd></mtr></mtable>", "a"),
    ],
)
def test_tables(content: str, expected: str) -> None:
    """Tables are matrices, distinctions of cases, or equations below each other."""
    assert tex(content) == expected


_NAMES = (
    "mrow mi mo mn mtext mfrac msub msup msubsup munder mover munderover mmultiscripts mfenced mtable mtr mtd msqrt"
)
_ELEMENTS = st.recursive(
    st.sampled_from(["x", "∑", "{", "", "α", "¯", "<", "%"]).map(lambda text: f"<mi>{text.replace('<', '&lt;')}</mi>"),
    lambda inner: st.tuples(st.sampled_from(_NAMES.split()), st.lists(inner, max_size=4)).map(
        lambda made: f"<{made[0]}>{''.join(made[1])}</{made[0]}>"
    ),
    max_leaves=20,
)


@given(_ELEMENTS)
@settings(deadline=None, max_examples=300)
def test_any_tree_has_balanced_tex(content: str) -> None:
    """However elements are put together, also against the rules, TeX comes out and its braces are balanced."""
    made = tex(content).replace(r"\{", "").replace(r"\}", "")
    depth = 0
    for sign in made:
        depth += (sign == "{") - (sign == "}")
        assert depth >= 0, json.dumps(made)
    assert depth == 0
