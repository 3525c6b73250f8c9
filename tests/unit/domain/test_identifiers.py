"""The spellings of identifiers."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prioris_mcp.domain.identifiers import (
    ArxivId,
    Doi,
    EuropePmcId,
    LocalFileId,
    landed,
    recognise,
)
from prioris_mcp.domain.providers import parse_arxiv, parse_europepmc, parse_localfile
from prioris_mcp.errors import InvalidRequestError, PriorisError, UnsupportedProviderError
from tests.corpus import UPSTREAM, needs_corpus

ARXIV = {
    "2106.09685": "2106.09685",
    "2106.09685v1": "2106.09685v1",
    "2106.09685V2": "2106.09685v2",
    " 2106.09685 ": "2106.09685",
    "arXiv:2106.09685": "2106.09685",
    "arXiv:1706.03762v7": "1706.03762v7",
    "arxiv: 2106.09685v2": "2106.09685v2",
    "https://arxiv.org/abs/2106.09685v2": "2106.09685v2",
    "http://arxiv.org/abs/2106.09685": "2106.09685",
    "HTTPS://ARXIV.ORG/ABS/2106.09685": "2106.09685",
    "arxiv.org/pdf/2106.09685.pdf": "2106.09685",
    "https://arxiv.org/pdf/2106.09685v2?download=1#page=3": "2106.09685v2",
    "https://arxiv.org/html/2106.09685v2": "2106.09685v2",
    "https://www.arxiv.org/abs/2106.09685v2/": "2106.09685v2",
    "https://export.arxiv.org/abs/hep-th/9901001v3": "hep-th/9901001v3",
    "hep-th/9901001": "hep-th/9901001",
    "math.GT/0309136": "math/0309136",
    "MATH/0309136": "math/0309136",
    "cond-mat.mtrl-sci/9901001": "cond-mat/9901001",
    "q-bio.BM/0301001": "q-bio/0301001",
    "9999.99999": "9999.99999",
    "arXiv:2106.09685v2 [cs.CL] 16 Oct 2021": "2106.09685v2",
    "arXiv:2106.09685v2\n[cs.CL]\n16 Oct 2021": "2106.09685v2",
    "arXiv:2106.09685v2\u00a0[cs.CL]\u00a016\u00a0Oct\u00a02021": "2106.09685v2",
    "arXiv:hep-th/9901001v3 12 Jan 1999": "hep-th/9901001v3",
    "arXiv:astro-ph.CO/0601001v1 [astro-ph]": "astro-ph/0601001v1",
    "arXiv preprint arXiv:2106.09685, 2021": "2106.09685",
    "arXiv preprint arXiv:2106.09685 (2021).": "2106.09685",
    "arXiv 2106.09685": "2106.09685",
    "arXiv.2106.09685": "2106.09685",
    "arXiv: 2106.09685 [cs.CL]": "2106.09685",
    "ARXIV hep-th/9901001": "hep-th/9901001",
    "2106.09685v2 [cs.CL]": "2106.09685v2",
    "[2106.09685]": "2106.09685",
    "<2106.09685v2>": "2106.09685v2",
    "(arXiv:2106.09685)": "2106.09685",
    "\u201c2106.09685\u201d": "2106.09685",
    "`2106.09685`,": "2106.09685",
    "2106.09685v2);": "2106.09685v2",
    "2106.0968\u200b5": "2106.09685",
    "2106.\n09685": "2106.09685",
    "2106.096\r\n  85": "2106.09685",
    "\ufeff2106.09685": "2106.09685",
    "2106.\u00ad09685": "2106.09685",
    "2106.\u00a009685": "2106.09685",
    "\uff12\uff11\uff10\uff16\uff0e\uff10\uff19\uff16\uff18\uff15": "2106.09685",
    "hep\u2011th/9901001": "hep-th/9901001",
    "https://ar5iv.org/abs/2106.09685": "2106.09685",
    "https://ar5iv.labs.arxiv.org/html/2106.09685v2": "2106.09685v2",
    "https://www.alphaxiv.org/abs/2106.09685v2": "2106.09685v2",
    "alphaxiv.org/overview/2106.09685": "2106.09685",
    "https://huggingface.co/papers/2106.09685": "2106.09685",
    "https://arxiv.org/src/2106.09685v2": "2106.09685v2",
    "https://arxiv.org/ps/hep-th/9901001": "hep-th/9901001",
    "https://arxiv.org/e-print/2106.09685": "2106.09685",
    "https://arxiv.org/format/2106.09685v1": "2106.09685v1",
    "arXiv: https://arxiv.org/abs/2106.09685": "2106.09685",
    "<https://arxiv.org/abs/2106.09685>.": "2106.09685",
}
EUROPEPMC = {
    "MED:26551875": "MED:26551875",
    "MED/26551875": "MED:26551875",
    "med: 26551875": "MED:26551875",
    "26551875": "MED:26551875",
    "PMID: 26551875": "MED:26551875",
    "PMC4767193": "PMC:PMC4767193",
    "pmc4767193": "PMC:PMC4767193",
    "PMC:PMC4767193": "PMC:PMC4767193",
    "PMC:4767193": "PMC:PMC4767193",
    "PMCID: PMC4767193": "PMC:PMC4767193",
    "https://europepmc.org/article/MED/26551875": "MED:26551875",
    "https://europepmc.org/abstract/med/26551875/": "MED:26551875",
    "europepmc.org/articles/pmc4767193?pdf=render": "PMC:PMC4767193",
    "https://pmc.ncbi.nlm.nih.gov/articles/PMC4767193/": "PMC:PMC4767193",
    "https://www.ncbi.nlm.nih.gov/pmc/articles/4767193": "PMC:PMC4767193",
    "https://pubmed.ncbi.nlm.nih.gov/26551875/": "MED:26551875",
    "PPR1036674": "PPR:PPR1036674",
    "ppr:ppr1234": "PPR:PPR1234",
    "AGR:IND608974682": "AGR:IND608974682",
    "PMID26551875": "MED:26551875",
    "PMID 26551875.": "MED:26551875",
    "PMID\u00a026551875": "MED:26551875",
    "26551875[pmid]": "MED:26551875",
    "26551875 [PMID]": "MED:26551875",
    "PubMed ID: 26551875": "MED:26551875",
    "info:pmid/26551875": "MED:26551875",
    "PMC4767193.1": "PMC:PMC4767193",
    "PMC4767193/": "PMC:PMC4767193",
    "PMC 4767193": "PMC:PMC4767193",
    "PMC4767193[pmcid]": "PMC:PMC4767193",
    "PMCID PMC4767193": "PMC:PMC4767193",
    "(PMC4767193)": "PMC:PMC4767193",
    "https://europepmc.org/article/PMC/PMC4767193": "PMC:PMC4767193",
    "https://europepmc.org/article/PPR/PPR1036674": "PPR:PPR1036674",
    "https://pmc.ncbi.nlm.nih.gov/articles/PMC4767193/pdf/x.pdf": "PMC:PMC4767193",
    "https://pmc.ncbi.nlm.nih.gov/articles/PMC4767193.2/": "PMC:PMC4767193",
    "https://www.ncbi.nlm.nih.gov/labs/pmc/articles/PMC4767193": "PMC:PMC4767193",
    "https://www.ncbi.nlm.nih.gov/pubmed/26551875": "MED:26551875",
}
DOIS = {
    "10.1038/nature12373": "10.1038/nature12373",
    "DOI: 10.1038/NATURE12373": "10.1038/nature12373",
    "https://doi.org/10.1002/(SICI)1097-4636(199823)43:2<119::AID-JBM5>3.0.CO;2-J": (
        "10.1002/(sici)1097-4636(199823)43:2<119::aid-jbm5>3.0.co;2-j"
    ),
    "dx.doi.org/10.1103/PhysRevB.102.165125": "10.1103/physrevb.102.165125",
    "https://doi.org/10.1000%2Fabc": "10.1000/abc",
    "10.48550/arXiv.2106.09685": "10.48550/arxiv.2106.09685",
    "10.48550/arXiv.\n2106.09685": "10.48550/arxiv.2106.09685",
    "10.1038/\u200bnature12373": "10.1038/nature12373",
    "<10.1038/nature12373>": "10.1038/nature12373",
    '"10.1038/nature12373"': "10.1038/nature12373",
    "10.1038/nature12373;": "10.1038/nature12373",
    "10.1038/nature12373).": "10.1038/nature12373",
    "(doi:10.1016/S0140-6736(05)61234-5)": "10.1016/s0140-6736(05)61234-5",
    "10.1016/S0140-6736(05)61234(5)": "10.1016/s0140-6736(05)61234(5)",
    "10.1016/S0140\u20136736(05)": "10.1016/s0140-6736(05)",
    "DOI 10.1038/nature12373": "10.1038/nature12373",
    "doi: https://doi.org/10.1038/nature12373.": "10.1038/nature12373",
    "https://doi.org/doi:10.1038/nature12373": "10.1038/nature12373",
    "info:doi/10.1038/nature12373": "10.1038/nature12373",
    "urn:doi:10.1038/nature12373": "10.1038/nature12373",
    "10.1002/%28SICI%291097-4636": "10.1002/(sici)1097-4636",
    "10.1000%2Fabc": "10.1000/abc",
    "doi:10.1000%2Fabc": "10.1000/abc",
    "https://doi.org/10.1000/a%2528b": "10.1000/a%28b",
}
INVALID = ["", "   ", "2106.09685v2#v2", "2106.09685,2106.09686", "0112017", "10.9999", "2106.09685\x00", "doi:abc"]
TWO = ["26551875\n26551876", "1234\n5678", "1234\u00a05678", "10.1038/a\n10.1038/b", "2106.09685\n2106.09686"]
FOREIGN = [
    "abc",
    "../outside-secret",
    "../abs/2106.09685v2",
    "MED:1) OR (SRC:MED",
    "PMC0",
    "XYZ:123",
    "https://arxiv.org.evil.example/abs/2106.09685",
    "https://arxiv.org@evil.example/abs/2106.09685",
    "https://user@arxiv.org/abs/2106.09685",
    "https://arxiv.org:8443/abs/2106.09685",
    "ftp://arxiv.org/abs/2106.09685",
    "file:///etc/passwd",
    "https://link.aps.org/doi/10.1103/PhysRevB.102.165125",
    "http://[::1/abs/2106.09685",
    "http://169.254.169.254/latest/meta-data/",
]


@pytest.mark.parametrize(("text", "spelled"), ARXIV.items())
def test_arxiv_spellings(text, spelled):
    """Prefixes, page addresses, capitals, blanks and subject classes are understood."""
    found = recognise(text)
    assert isinstance(found, ArxivId)
    assert str(found) == spelled


@pytest.mark.parametrize(("text", "spelled"), EUROPEPMC.items())
def test_europe_pmc_spellings(text, spelled):
    """Sources, PMIDs, PMCIDs, preprints, and the pages of three sites."""
    found = recognise(text)
    assert isinstance(found, EuropePmcId)
    assert str(found) == spelled


@pytest.mark.parametrize(("text", "spelled"), DOIS.items())
def test_doi_spellings(text, spelled):
    """Capitals do not matter, and odd characters are kept."""
    assert recognise(text) == Doi(spelled)


def test_local_files():
    """Whatever their case."""
    assert recognise(" 20260729-1430-A3F2 ") == LocalFileId("20260729-1430-a3f2")


@pytest.mark.parametrize("text", INVALID)
def test_nonsense_is_refused_in_a_sentence(text):
    """It shows what was given."""
    with pytest.raises(InvalidRequestError, match="not an identifier: "):
        recognise(text)


@pytest.mark.parametrize("text", TWO)
def test_two_are_never_made_one(text):
    """A line's end is taken out where it tears one identifier, not where it stands between two."""
    with pytest.raises(InvalidRequestError):
        recognise(text)


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("https://arxiv.org/abs/2106.09685v2", "2106.09685v2"),
        ("https://pubmed.ncbi.nlm.nih.gov/26551875/", "MED:26551875"),
        ("https://huggingface.co/papers/2106.09685", None),
        ("https://doi.org/10.1038/nature12373", None),
        ("PMC4767193", None),
        ("https://arxiv.org:8443/abs/2106.09685", None),
        ("https://[::1/", None),
    ],
)
def test_a_doi_leads_to_the_sources_own_pages_only(address, found):
    """Sites that show papers of others are understood from a person, not from a redirect."""
    assert (str(page) if (page := landed(address)) else None) == found


@pytest.mark.parametrize("text", FOREIGN)
def test_other_sites_and_sources_are_not_served(text):
    """Exact hosts only, no user information, no port; nothing is dug out of a foreign address or a path."""
    with pytest.raises(UnsupportedProviderError):
        recognise(text)


def test_each_source_names_the_tools_for_the_others():
    """A caller that took the wrong tool learns the right one."""
    for parse, text, tools in [
        (parse_arxiv, "PMC4767193", "research_europepmc_"),
        (parse_arxiv, "20260729-1430-a3f2", "research_localfile_"),
        (parse_arxiv, "10.1038/nature12373", "research_resolve_identifier"),
        (parse_europepmc, "2106.09685", "research_arxiv_"),
        (parse_localfile, "hep-th/9901001", "research_arxiv_"),
    ]:
        with pytest.raises(InvalidRequestError, match=tools):
            parse(text)


def test_a_doi_of_arxiv_is_its_identifier():
    """With or without a version, old style too."""
    assert str(parse_arxiv("doi:10.48550/arXiv.2106.09685v2")) == "2106.09685v2"
    assert str(parse_arxiv("10.48550/arXiv.cs/0112017")) == "cs/0112017"
    assert parse_europepmc("10.1038/nature12373") == Doi("10.1038/nature12373")


URLISH = st.from_regex(r"(https?://|ftp://|)?([a-z.]{0,20}arxiv\.org|doi\.org|x)?(@|:)?/?(abs|pdf)?/?[\d./v%a-f]{0,20}")


@given(st.text() | URLISH | st.from_regex(re.compile("[\u0000-\u001f\u202a-\u202e\u2066-\u2069PMCarxiv:/.0-9]{0,30}")))
def test_any_text_is_understood_or_refused(text):
    """Never another exception; and what is understood is understood again from its own spelling."""
    try:
        found = recognise(text)
    except (InvalidRequestError, UnsupportedProviderError):
        return
    assert recognise(str(found)) == found


def test_a_huge_version_is_no_huge_number():
    """A thousand digits are as many as nine."""
    assert parse_arxiv("2106.09685v" + "9" * 1_000).version == 999_999_999


@pytest.mark.parametrize(
    "text",
    ["9" * 1_000_000, "(" * 2000, "10.1/" + ")" * 1990, "2106.09685" + ",; " * 600, "arXiv" + " .:" * 600, "%28" * 650],
)
def test_length_and_repetition_cost_nothing(text):
    """More characters than any identifier has are not looked at; what repeats is not tried in every way."""
    with pytest.raises(PriorisError):
        recognise(text)


class TestAcceptanceTable:
    """The table of spellings that users type."""

    pytestmark = needs_corpus

    def test_every_row_is_recognised_as_it_should(self):
        """Which source serves it, under which canonical form, or which error it is."""
        rows = json.loads((UPSTREAM / "identifiers.json").read_text("utf-8"))
        assert len(rows) == 58
        for row in rows:
            assert _outcome(row["input"]) == _expected(row), row["input"]


def _outcome(text: str) -> str:
    try:
        found = recognise(text)
    except PriorisError as exc:
        return exc.code
    return {ArxivId: "arxiv", EuropePmcId: "europepmc", Doi: "doi", LocalFileId: "localfile"}[type(found)]


def _expected(row: dict[str, str]) -> str:
    text = "" if row["input"] == "(empty)" else row["input"]
    if row["upstream_key"].startswith(("doi.org", "10.")):
        return "doi"
    if row["provider"] != "none":
        return row["provider"]
    code = re.match(r"[a-z_]+", row["expected"])
    return code[0] if code and text else "invalid_request"
