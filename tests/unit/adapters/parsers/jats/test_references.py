"""References of JATS, printed and in parts."""

from __future__ import annotations

import pytest

from tests.unit.adapters.parsers.jats.nlm import convert

_NAMES = (
    '<person-group person-group-type="author"><name><surname>Jones</surname><given-names>C</given-names></name>'
    "<name><surname>Roe</surname><given-names>D</given-names></name><etal/></person-group>"
)
_PARTS = (
    f"{_NAMES}<article-title>On <italic>E. coli</italic></article-title><source>Nature</source><year>2021</year>"
    "<volume>5</volume><issue>2</issue><fpage>10</fpage><lpage>19</lpage>"
    '<pub-id pub-id-type="doi">10.1/A</pub-id><pub-id pub-id-type="pmid">123</pub-id>'
)
_SHOWN = "Jones C, Roe D, et al. (2021). On *E. coli*. *Nature* 5(2):10–19. doi:10.1/A PMID:123"


def _reference(content: str) -> str:
    """The entry of one reference."""
    text = convert("<p>x</p>", f"<back><ref-list><ref>{content}</ref></ref-list></back>")
    return text.removeprefix("x\n\n## References\n\n")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"<label>1</label><element-citation>{_PARTS}</element-citation>", f"- [1] {_SHOWN}"),
        (f"<label>[1]</label><nlm-citation>{_PARTS}</nlm-citation>", f"- [1] {_SHOWN}"),
        (f"<mixed-citation>{_PARTS}</mixed-citation>", f"- {_SHOWN}"),
        (
            (
                f"<citation-alternatives><element-citation>{_PARTS}</element-citation>"
                "<mixed-citation>Jones C. On it. 10.1/A</mixed-citation></citation-alternatives>"
            ),
            "- Jones C. On it. 10.1/A PMID:123",
        ),
        (
            (
                "<mixed-citation><name><surname>Ruiz</surname><given-names>D</given-names></name>, "
                "<article-title>Second</article-title>. <source>Cell</source><volume>7</volume>:<fpage>1</fpage>. "
                '<pub-id pub-id-type="pmid">123</pub-id><pub-id pub-id-type="doi">10.2/xyz</pub-id></mixed-citation>'
            ),
            "- Ruiz D, Second. Cell 7:1. PMID:123 doi:10.2/xyz",
        ),
        (
            '<mixed-citation>Ruiz D. Second. doi: <pub-id pub-id-type="doi">10.2/xyz</pub-id></mixed-citation>',
            "- Ruiz D. Second. doi: 10.2/xyz",
        ),
        (
            (
                "<element-citation><collab>WHO</collab><source>Report</source><publisher-loc>Geneva</publisher-loc>"
                "<publisher-name>UN</publisher-name>(in press)</element-citation><note><p>Seen.</p></note>"
            ),
            "- WHO. *Report*. Geneva, UN. (in press) Seen.",
        ),
        ("<mixed-citation>a) One.</mixed-citation><mixed-citation>b) Two.</mixed-citation>", "- a) One.; b) Two."),
        (
            (
                '<element-citation><person-group person-group-type="editor"><name><surname>Roe</surname></name>'
                "</person-group><source>Book</source></element-citation>"
            ),
            "- Roe (eds.). *Book*.",
        ),
        ("<label>7</label><mixed-citation>7. Roe. Book.</mixed-citation>", "- [7] Roe. Book."),
        ("<note><p>Only a note.</p></note>", "- Only a note."),
    ],
)
def test_reference(source: str, expected: str) -> None:
    """A reference is one readable line, once, with its DOI and PMID, whichever way it is marked up."""
    assert _reference(source) == expected


def test_lists_within_lists() -> None:
    """A list of references in parts keeps the titles of its parts."""
    reference = "<ref><mixed-citation>{}.</mixed-citation></ref>"
    lists = "".join(f"<ref-list><title>{title}</title>{reference.format(title)}</ref-list>" for title in ("Old", "New"))
    assert convert("", f"<back><ref-list>{lists}</ref-list></back>") == (
        "## References\n\n### Old\n\n- Old.\n\n### New\n\n- New."
    )


@pytest.mark.parametrize(("second", "numbered"), [("2", True), ("7", False), ("Lee 1999", True)])
def test_references_get_the_numbers_that_the_text_cites_them_by(second: str, numbered: bool) -> None:
    """Where the list has no labels, and only if they are the places of the references in it."""
    cites = f'see [<xref ref-type="bibr" rid="r1">1</xref>, <xref ref-type="bibr" rid="r2">{second}</xref>]'
    refs = "".join(f'<ref id="r{n}"><mixed-citation>Work {n}</mixed-citation></ref>' for n in (1, 2, 3))
    text = convert(f"<p>{cites}</p>", f"<back><ref-list>{refs}</ref-list></back>")
    marks = [f"[{n}] " if numbered else "" for n in (1, 2, 3)]
    assert text.endswith("\n".join(f"- {mark}Work {n}" for n, mark in enumerate(marks, 1)))
