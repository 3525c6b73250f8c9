"""Front matter of JATS: titles, people, where it appeared, abstracts, keywords, and what moves to the end."""

from __future__ import annotations

import pytest

from tests.unit.adapters.parsers.jats.nlm import TITLE, front, math


def test_title() -> None:
    """The title is the first heading, without footnotes; the subtitle and translations stand below it."""
    meta = (
        "<title-group><article-title>CO<sub>2</sub> in <italic>E. coli</italic><xref ref-type='fn' rid='n'>*</xref>"
        "</article-title><subtitle>A study</subtitle><trans-title-group xml:lang='es'><trans-title>Uno</trans-title>"
        "</trans-title-group></title-group>"
    )
    assert front(meta) == "# CO~2~ in *E. coli*\n\n**A study**\n\n**Title (Spanish):** Uno"


def _person(surname: str, given: str, places: str = "", kind: str = "author") -> str:
    marks = "".join(f'<xref ref-type="aff" rid="{place}"/>' for place in places.split())
    name = f"<name><surname>{surname}</surname><given-names>{given}</given-names></name>"
    return f'<contrib contrib-type="{kind}">{name}{marks}</contrib>'


def test_people() -> None:
    """Authors and editors are a line each, with numbers that lead to their affiliations."""
    meta = (
        f"{TITLE}<contrib-group>{_person('Smith', 'A B', 'a1 a2')}{_person('Roe', 'C', 'a2')}"
        '<contrib contrib-type="author"><collab>The Group</collab></contrib></contrib-group>'
        f"<contrib-group>{_person('Doe', 'E', kind='editor')}</contrib-group>"
        '<aff id="a1"><label>1</label>Dept, <institution>Uni</institution>, Here</aff>'
        '<aff id="a2"><label>2</label><institution>Lab</institution><country>There</country></aff>'
    )
    assert front(meta) == (
        "# T\n\n**Authors:** A B Smith^1,2^, C Roe^2^, The Group\n\n**Editors:** E Doe\n\n"
        "**Affiliations:** ^1^ Dept, Uni, Here; ^2^ Lab, There"
    )


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("<aff>Uni, <country>Here</country><email>a@b.c</email></aff>", "Uni, Here, a@b.c"),
        (
            (
                "<aff><institution content-type='orgname'>Uni</institution>"
                "<institution content-type='original'>Uni, Here.</institution></aff>"
            ),
            "Uni, Here.",
        ),
        (
            (
                "<aff><institution-wrap><institution-id>x</institution-id><institution>Uni</institution>"
                "</institution-wrap></aff>"
            ),
            "Uni",
        ),
    ],
)  # fmt: skip
def test_affiliation(place: str, expected: str) -> None:
    """A single affiliation needs no number; its parts are not run together."""
    meta = f"{TITLE}<contrib-group>{_person('Smith', 'A')}</contrib-group>{place}"
    assert front(meta) == f"# T\n\n**Authors:** A Smith\n\n**Affiliation:** {expected}"


def test_imprint() -> None:
    """One line says where the article appeared."""
    journal = (
        "<journal-meta><journal-title-group><journal-title>J Test</journal-title></journal-title-group></journal-meta>"
    )
    meta = (
        '<article-id pub-id-type="pmid">123</article-id><article-id pub-id-type="pmc">45</article-id>'
        f'<article-id pub-id-type="doi">10.1/x</article-id>{TITLE}'
        '<pub-date pub-type="epub"><year>2019</year></pub-date><pub-date pub-type="ppub"><year>2020</year></pub-date>'
        "<volume>5</volume><issue>2</issue><fpage>10</fpage><lpage>20</lpage>"
    )
    assert front(meta, journal) == "# T\n\n*J Test* 2020; 5(2): 10–20. doi:10.1/x. PMID: 123. PMC45"


def test_abstracts() -> None:
    """The abstract comes first, the others follow under headings that tell them apart; sections keep their titles."""
    meta = (
        f'{TITLE}<abstract abstract-type="graphical"><p>G.</p></abstract>'
        "<abstract><sec><title>Aim</title><p>A.</p></sec></abstract>"
        '<abstract abstract-type="teaser"><title>In short</title><p>S.</p></abstract>'
        '<trans-abstract xml:lang="pt"><p>P.</p></trans-abstract>'
        "<kwd-group><kwd>a<sub>1</sub></kwd><kwd>b</kwd></kwd-group>"
        '<kwd-group><title>Palavras-chave:</title><kwd>c</kwd></kwd-group>'
    )  # fmt: skip
    assert front(meta) == (
        "# T\n\n## Abstract\n\n### Aim\n\nA.\n\n## Abstract (graphical)\n\nG.\n\n## In short\n\nS.\n\n"
        "## Abstract (Portuguese)\n\nP.\n\n**Keywords:** a~1~, b\n\n**Palavras-chave:** c"
    )


def test_notes_of_authors() -> None:
    """What the front says of interests, money and data stands at the end under headings."""
    meta = (
        f"{TITLE}<author-notes><corresp>To <email>a@b.c</email></corresp><fn><p>No interests.</p></fn></author-notes>"
        "<funding-group><award-group><funding-source>NSF</funding-source><award-id>7</award-id></award-group>"
        "</funding-group><custom-meta-group><custom-meta><meta-name>Data Availability</meta-name>"
        "<meta-value>At Dryad.</meta-value></custom-meta></custom-meta-group>"
    )
    assert front(meta) == (
        "# T\n\n## Author notes\n\n- To a@b.c\n- No interests.\n\n## Funding\n\n- NSF (7)\n\n"
        "## Data availability\n\nAt Dryad."
    )


def test_notes_about_some_authors() -> None:
    """A note that only some authors refer to says who they are."""
    people = "".join(
        _person(name, "A").replace("</contrib>", f'<xref ref-type="fn" rid="{note}"/></contrib>')
        for name, note in (("Roe", "n1"), ("Doe", "n2"))
    )
    notes = '<author-notes><fn id="n1"><p>Wrote it.</p></fn><fn id="n2"><p>Read it.</p></fn></author-notes>'
    assert front(f"{TITLE}<contrib-group>{people}</contrib-group>{notes}") == (
        "# T\n\n**Authors:** A Roe, A Doe\n\n## Author notes\n\n- A Roe: Wrote it.\n- A Doe: Read it."
    )


def test_related_articles() -> None:
    """An erratum says what it corrects, a review what it is about."""
    meta = (
        f'{TITLE}<related-article related-article-type="corrected-article" ext-link-type="doi" xlink:href="10.1/old"/>'
    )
    assert front(meta) == "# T\n\n**Corrected article:** doi:10.1/old"
    product = "<product><source>Book</source><year>2001</year></product>"
    assert front(f"{TITLE}{product}") == "# T\n\n**Reviewed work:** (2001). *Book*."


def test_formula_in_title() -> None:
    """A formula in a title is TeX there."""
    formula = f"<inline-formula>{math('<mml:mi>β</mml:mi>')}</inline-formula>"
    assert front(f"<title-group><article-title>On {formula}</article-title></title-group>") == "# On $\\beta$"
