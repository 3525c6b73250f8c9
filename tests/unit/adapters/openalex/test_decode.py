"""OpenAlex's answers, decoded, and the routes to full text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prioris_mcp.adapters.openalex import decode
from prioris_mcp.domain.discovery import Work, WorkLocation, route
from tests.corpus import UPSTREAM, needs_corpus

ROOT = UPSTREAM / "openalex"
PUBLISHED = WorkLocation("https://j.example/1", "https://j.example/1.pdf", "publishedVersion")
ACCEPTED = WorkLocation(None, "https://r.example/1.pdf", "acceptedVersion")
UNKNOWN = WorkLocation(None, "https://u.example/1.pdf", None)
ON_ARXIV = WorkLocation("http://arxiv.org/abs/1706.03762v2", None, "submittedVersion")
ON_PMC = WorkLocation("https://europepmc.org/articles/pmc4234579", None, None)


def work(doi=None, pmcid=None, *locations, best=None):
    return Work("W1", None, None, doi, pmcid, None, (), None, 0.0, locations, best)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (work("10.48550/arxiv.2106.09685", "PMC1"), ("known_provider", "arxiv", "2106.09685", None)),
        (work("10.48550/arXiv.cs/0112017v2"), ("known_provider", "arxiv", "cs/0112017v2", None)),
        (work("10.1000/x", "PMC4234579"), ("known_provider", "europepmc", "PMC4234579", None)),
        (work("10.1000/x", None, PUBLISHED, ON_ARXIV), ("known_provider", "arxiv", "1706.03762v2", None)),
        (work(None, None, ON_PMC), ("known_provider", "europepmc", "PMC4234579", None)),
        (work("10.1000/x", None, ACCEPTED, UNKNOWN, PUBLISHED), ("oa_link", None, None, "https://j.example/1.pdf")),
        (work(None, None, UNKNOWN, ACCEPTED), ("oa_link", None, None, "https://r.example/1.pdf")),
        (work(None, None, best=ACCEPTED), ("oa_link", None, None, "https://r.example/1.pdf")),
        (work(None, None, WorkLocation(None, None, None), best=ACCEPTED), ("manual_upload", None, None, None)),
        (work(None, None, WorkLocation(None, "ftp://x/1.pdf", None)), ("manual_upload", None, None, None)),
        (
            work("10.1000/x", None, WorkLocation("https://pubmed.ncbi.nlm.nih.gov/1/", None, None)),
            ("manual_upload", None, None, None),
        ),
    ],
)
def test_the_first_rung_that_holds(found, expected):
    """A source of ours, then an open PDF, the published one first, then the user's own copy."""
    way = route(found)
    assert (way.kind, way.provider, way.identifier, way.pdf_url) == expected


@pytest.mark.parametrize(
    "text", ["https://www.ncbi.nlm.nih.gov/pmc/articles/4234579", "https://x/PMC4234579", "PMC4234579"]
)
def test_pmcids_come_with_and_without_their_prefix(text):
    """The documented form has bare digits."""
    body = json.dumps({"results": [{"id": "https://openalex.org/W1", "ids": {"pmcid": text}}]}).encode()
    assert decode.works(body).items[0].pmcid == "PMC4234579"


def test_abstracts_are_rebuilt():
    """Words at their positions; an empty index is no abstract."""
    index = {"of": [1, 4], "a": [3], "test": [0, 5], "such": [2]}
    body = json.dumps({"results": [{"abstract_inverted_index": index}, {"abstract_inverted_index": {}}]}).encode()
    assert [found.abstract for found in decode.works(body).items] == ["test of such a of test", None]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(JSON, JSON, st.none() | st.dictionaries(st.text(max_size=4), st.lists(st.integers(0, 9), max_size=3)))
def test_odd_answers_are_no_exception_but_ours(title, year, index):
    """Any JSON in the places that vary in life."""
    body = json.dumps({"results": [{"title": title, "publication_year": year, "abstract_inverted_index": index}, None]})
    assert len(decode.works(body.encode()).items) == 1


@pytest.mark.parametrize("body", [b"", b"x", b"[]", b"{}", b'{"results": null}'])
def test_what_holds_no_results_says_so(body):
    """Never an empty list."""
    with pytest.raises(decode.NoResultsError):
        decode.works(body)


class TestRecorded:
    """Recorded and reconstructed answers of the real service."""

    pytestmark = needs_corpus

    def test_every_work_decodes(self):
        """Single works and lists, whatever is null in them, with an identifier and a route."""
        seen = 0
        for path in sorted([*ROOT.glob("recorded/*.json"), *ROOT.glob("recorded-trimmed/*.json")]):
            answer = json.loads(path.read_bytes())
            listed = answer.get("results", [answer])
            for found in decode.works(json.dumps({"results": listed}).encode()).items:
                seen += 1
                assert route(found).kind in {"known_provider", "oa_link", "manual_upload"}
        assert seen > 15

    def test_routes_are_those_that_the_index_expects(self):
        """The record with bare digits for a PMCID reaches Europe PMC."""
        answer = json.loads((ROOT / "recorded/W2109415576.json").read_bytes())
        (found,) = decode.works(json.dumps({"results": [answer]}).encode()).items
        way = route(found)
        assert (way.kind, way.provider) == ("known_provider", "europepmc")

    def test_the_semantic_page_decodes(self):
        """With a record in which everything is null, and a count above what the specification expects."""
        found = decode.works((ROOT / "reconstructed/semantic_page.json").read_bytes())
        assert found.total == 53
        assert found.items[-1].title is None

    def test_kinds_of_work_decode(self):
        """Sorted by code, descriptions never null."""
        kinds = decode.work_types((ROOT / "reconstructed/work-types.json").read_bytes()).types
        assert len(kinds) == 24
        assert [kind.code for kind in kinds] == sorted(kind.code for kind in kinds)

    def test_every_refusal_gives_its_reason(self):
        """In one line."""
        for path in ROOT.glob("errors/*.json"):
            said = decode.reason(path.read_bytes())
            assert said != "no reason given", path.name
            assert "\n" not in said
