"""The spellings of identifiers."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prioris_mcp.domain.sources.arxiv import ARXIV, ArxivId
from prioris_mcp.domain.sources.doi import Doi
from prioris_mcp.domain.sources.europepmc import EUROPEPMC, EuropePmcId
from prioris_mcp.domain.sources.identifiers import landed, recognise
from prioris_mcp.domain.sources.localfiles import LOCALFILE, LocalFileId
from prioris_mcp.domain.sources.providers import parse
from prioris_mcp.errors import InvalidRequestError, PriorisError, UnsupportedProviderError
from prioris_mcp.remedies import Action, Remedy
from tests.corpus import UPSTREAM, needs_corpus
from tests.unit.domain import spellings
from tests.unit.domain.spellings import DOIS, FOREIGN, INVALID, TWO


@pytest.mark.parametrize(("text", "spelled"), spellings.ARXIV.items())
def test_arxiv_spellings(text, spelled):
    """Prefixes, page addresses, capitals, blanks and subject classes are understood."""
    found = recognise(text)
    assert isinstance(found, ArxivId)
    assert str(found) == spelled


@pytest.mark.parametrize(("text", "spelled"), spellings.EUROPEPMC.items())
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


def test_each_source_says_who_serves_what_is_another_s():
    """A caller that took the wrong one learns the right one."""
    for spec, text, remedy in [
        (ARXIV, "PMC4767193", Remedy(Action.USE_SOURCE, "europepmc")),
        (ARXIV, "20260729-1430-a3f2", Remedy(Action.USE_SOURCE, "localfile")),
        (ARXIV, "10.1038/Nature12373", Remedy(Action.RESOLVE, identifier="10.1038/nature12373")),
        (EUROPEPMC, "2106.09685", Remedy(Action.USE_SOURCE, "arxiv")),
        (LOCALFILE, "hep-th/9901001", Remedy(Action.USE_SOURCE, "arxiv")),
    ]:
        with pytest.raises(InvalidRequestError) as refused:
            parse(spec, text)
        assert remedy in refused.value.args


def test_a_doi_of_arxiv_is_its_identifier():
    """With or without a version, old style too."""
    assert str(parse(ARXIV, "doi:10.48550/arXiv.2106.09685v2")) == "2106.09685v2"
    assert str(parse(ARXIV, "10.48550/arXiv.cs/0112017")) == "cs/0112017"
    assert parse(EUROPEPMC, "10.1038/nature12373") == Doi("10.1038/nature12373")


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
    assert parse(ARXIV, "2106.09685v" + "9" * 1_000).version == 999_999_999


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
