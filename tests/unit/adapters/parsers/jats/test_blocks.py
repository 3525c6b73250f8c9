"""Sections, lists, tables, figures and what else is laid out as a block in JATS."""

from __future__ import annotations

import pytest

from tests.unit.adapters.parsers.jats.nlm import article, convert, parse_text


def test_sections() -> None:
    """A section lies one level below the section around it; one without a title is no level; labels stand first."""
    body = (
        "<p>Lead.</p><sec><label>1.</label><title>One</title><sec><sec><title><bold>Two</bold>:</title>"
        "<p>x</p></sec></sec></sec><sec><title><italic>E. coli</italic> grows</title></sec>"
    )
    assert convert(body) == "Lead.\n\n## 1. One\n\n### Two\n\nx\n\n## *E. coli* grows"


def _item(text: str) -> str:
    return f"<list-item><p>{text}</p></list-item>"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f'<list list-type="bullet">{_item("a<list>" + _item("b") + "</list>")}</list>', "- a\n  - b"),
        (f'<list list-type="order">{_item("a")}{_item("b</p><p>c")}</list>', "1. a\n2. b\n\n   c"),
        ('<list list-type="order"><list-item><label>3.</label><p>a</p></list-item></list>', "3. a"),
        ("<list><list-item><label>(i)</label><p>a</p></list-item></list>", "- (i) a"),
        (f'<list list-type="alpha-lower">{_item("a")}{_item("b")}</list>', "- a. a\n- b. b"),
        (f'<list list-type="roman-upper"><title>Steps</title>{_item("a")}</list>', "**Steps**\n\n- I. a"),
        ("<def-list><def-item><term>AB</term><def><p>alpha</p></def></def-item></def-list>", "- **AB:** alpha"),
        ("<disp-quote><p>Said.</p><attrib>Ada</attrib></disp-quote>", "> Said.\n>\n> — Ada"),
        ("<verse-group><verse-line>one</verse-line><verse-line>two</verse-line></verse-group>", "> one\\\n> two"),
        ("<speech><speaker>Ada:</speaker><p>Yes.</p></speech>", "**Ada:** Yes."),
        ("<statement><label>Theorem 1</label><p>Let.</p></statement>", "**Theorem 1.** Let."),
        ("<preformat>a\n  b</preformat>", "```\na\n  b\n```"),
        ("<boxed-text><caption><title>Box 1</title></caption><p>In.</p></boxed-text>", "> **Box 1**\n>\n> In."),
        ("<boxed-text><label>B</label><sec><title>In</title><p>x</p></sec></boxed-text>", "## B\n\n### In\n\nx"),
    ],
)  # fmt: skip
def test_lists_quotes_and_boxes(source: str, expected: str) -> None:
    """Lists keep order, nesting and labels; quotations, verse, speeches, theorems, code and boxes are told apart."""
    assert convert(source) == expected
    assert convert(f"<p>{source}</p>") == expected


def test_table() -> None:
    """A table has its caption above, head rows as one, spans expanded, its notes below."""
    source = (
        "<table-wrap><label>Table 1</label><caption><title>Scores</title><p>All of them.</p></caption>"
        '<alternatives><graphic xlink:href="t.png"/><table><thead><tr><th rowspan="2">M</th><th colspan="2">G</th></tr>'
        "<tr><th>x</th><th>y</th></tr></thead><tbody><tr><th>a</th><td>1</td>"
        '<td>2<xref ref-type="table-fn" rid="n"><sup>a</sup></xref></td></tr>'
        "</tbody></table></alternatives><table-wrap-foot><fn id='n'><label>a</label><p>Note.</p></fn>"
        "<attrib>Source: us.</attrib></table-wrap-foot></table-wrap>"
    )
    assert convert(source) == (
        "**Table 1.** Scores. All of them.\n\n"
        "| M | G x | G y |\n| --- | --- | --- |\n| a | 1 | 2^a^ |\n\nSource: us.\n\n- ^a^ Note."
    )


def test_table_without_a_head() -> None:
    """A table without head cells has its first row as head; spans are repeated, and end with their group of rows."""
    source = (
        '<table><tbody><tr><td rowspan="9">A</td><td colspan="2">B</td></tr><tr><td>3</td><td>4</td></tr></tbody>'
        "<tbody><tr><td>5</td><td>6</td><td>7</td></tr></tbody></table>"
    )
    assert convert(f"<table-wrap>{source}</table-wrap>") == (
        "| A | B | B |\n| --- | --- | --- |\n| A | 3 | 4 |\n| 5 | 6 | 7 |"
    )


def test_table_of_the_older_kind() -> None:
    """Tables in rows and entries, with columns that have names, are tables too."""
    source = (
        '<table><tgroup cols="3"><colspec colname="a"/><colspec colname="b"/><colspec colname="c"/>'
        '<thead><row><entry namest="a" nameend="b">AB</entry><entry>C</entry></row></thead>'
        '<tbody><row><entry morerows="1">1</entry><entry>2</entry><entry>3</entry></row>'
        "<row><entry>4</entry><entry>5</entry></row></tbody></tgroup></table>"
    )
    assert convert(f"<table-wrap>{source}</table-wrap>") == (
        "| AB | AB | C |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 1 | 4 | 5 |"
    )


def test_absurd_spans_are_bounded() -> None:
    """A cell that claims to cover a thousand million columns and rows costs next to nothing."""
    row = '<td colspan="999999999" rowspan="999999999">x</td>' * 20
    assert len(convert(f"<table-wrap><table>{f'<tr>{row}</tr>' * 3}</table></table-wrap>")) < 20_000


_FIGURE = (
    '<fig id="f1"><label>Fig. 1</label><caption><title>Title</title><p>Text.</p></caption>'
    '<graphic xlink:href="f1.jpg"/><attrib>By us.</attrib></fig>'
)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (_FIGURE, "![Fig. 1](f1.jpg)\n\n**Fig. 1.** Title. Text.\n\nBy us."),
        (
            f"<p>Before {_FIGURE} after.</p>",
            "Before\n\n![Fig. 1](f1.jpg)\n\n**Fig. 1.** Title. Text.\n\nBy us.\n\nafter.",
        ),
        (
            f"<fig-group><caption><p>Both.</p></caption>{_FIGURE}</fig-group>",
            "Both.\n\n![Fig. 1](f1.jpg)\n\n**Fig. 1.** Title. Text.\n\nBy us.",
        ),
        ('<graphic xlink:href="info:doi/10.1/x.g1"/>', "![](https://doi.org/10.1/x.g1)"),
        ('<graphic xlink:href="data:image/png;base64,AAAA"/>', ""),
        (
            (
                '<supplementary-material><label>S1</label><caption><p>Data.</p></caption><media xlink:href="s1.xlsx"/>'
                "</supplementary-material>"
            ),
            "**S1.** Data. (File: `s1.xlsx`)",
        ),
        (
            '<media xlink:href="https://a.example/v.mp4"><label>Video 1</label></media>',
            "**Video 1.** (File: [`v.mp4`](https://a.example/v.mp4))",
        ),
    ],
)
def test_figures_and_files(source: str, expected: str) -> None:
    """Figures are a picture and a bold label with its caption, never headings; files are named."""
    assert convert(source + "<p>end</p>") == f"{expected}\n\nend".strip()


def test_floats() -> None:
    """What floats stands after the paragraph that first refers to it, or before the references."""
    floats = "".join(
        f'<fig id="{name}"><label>{name}</label><caption><p>c</p></caption></fig>' for name in ("F1", "F2")
    )
    rest = (
        "<back><ref-list><ref><mixed-citation>Work.</mixed-citation></ref></ref-list></back>"
        f"<floats-group>{floats}</floats-group>"
    )
    body = '<p>See <xref ref-type="fig" rid="F2">F2</xref>.</p><p>More.</p>'
    assert convert(body, rest) == (
        "See F2.\n\n**F2.** c\n\nMore.\n\n**F1.** c\n\n## References\n\n- Work."
    )  # fmt: skip


def test_back_matter() -> None:
    """Acknowledgements, appendices and notes have headings, with or without titles of their own."""
    rest = (
        "<back><ack><p>Thanks.</p></ack><app-group><app><title>Appendix A</title><sec><title>Deep</title><p>a</p></sec>"
        "</app></app-group><glossary><def-list><def-item><term>x</term><def><p>y</p></def></def-item></def-list>"
        "</glossary><fn-group><title>Competing interests</title><fn><p>None.</p></fn></fn-group></back>"
    )
    assert convert("", rest) == (
        "## Acknowledgements\n\nThanks.\n\n## Appendix A\n\n### Deep\n\na\n\n## Glossary\n\n- **x:** y\n\n"
        "## Competing interests\n\n- None."
    )


def test_sub_articles() -> None:
    """Translations, letters and responses follow under their own headings, their sections below those."""
    stub = "<front-stub><title-group><article-title>Título</article-title></title-group></front-stub>"
    rest = (
        f'<sub-article article-type="translation" xml:lang="es">{stub}<body><sec><title>Uno</title><p>a</p>'
        "</sec></body></sub-article>"
        '<sub-article article-type="decision-letter"><front-stub/><body><p>Fine.</p></body></sub-article>'
        "<response><front-stub/><body><p>Thanks.</p></body></response>"
    )
    assert convert("<p>x</p>", rest) == (
        "x\n\n## Título\n\n### Uno\n\na\n\n## Decision letter\n\nFine.\n\n## Response\n\nThanks."
    )


def test_text_after_an_abstract() -> None:
    """Text without a heading of its own is set apart from the abstract before it."""
    meta = "<title-group><article-title>T</article-title></title-group><abstract><p>A.</p></abstract>"
    assert parse_text(article("<p>Lead.</p>", meta=meta)) == "# T\n\n## Abstract\n\nA.\n\n---\n\nLead.\n"
