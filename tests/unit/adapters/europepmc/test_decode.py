"""Europe PMC's answers, decoded."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prioris_mcp.adapters.europepmc import decode
from prioris_mcp.adapters.europepmc.provider import _document
from prioris_mcp.adapters.http.gateway import Answer
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from tests.corpus import UPSTREAM, needs_corpus

ROOT = UPSTREAM / "europepmc"


def page(body: bytes, cursor: str = "*", size: int = 25) -> decode.ArticlesPage:
    return decode.decode(body, sent_cursor=cursor, page_size=size)


def answer(*results: object, **more: object) -> bytes:
    return json.dumps({"hitCount": len(results), "resultList": {"result": list(results)}, **more}).encode()


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("H<sub>2</sub>O and <i>E. coli</i>", "H2O and E. coli"),
        ("10<sup>7</sup> cells, P<0.001, n > 3", "10^7 cells, P<0.001, n > 3"),
        ("<h4>Background</h4>Text.<h4>Results:</h4><p>More.</p>", "Background: Text. Results: More."),
        ("a &amp; b &#945; so\u00adft", "a & b α soft"),
        ("if a<b and c>d", "if a<b and c>d"),
        ("  two\n lines ", "two lines"),
        ("", None),
        (None, None),
    ],
)
def test_markup_becomes_what_it_meant(text, plain):
    """In titles and abstracts."""
    (found,) = page(answer({"source": "MED", "id": "1", "title": text})).articles
    assert found.record.title == plain


@pytest.mark.parametrize(
    ("flags", "available", "number"),
    [
        ({"inEPMC": "Y", "pmcid": "PMC1"}, True, "PMC1"),
        ({"inEPMC": "N", "isOpenAccess": "Y", "fullTextIdList": {"fullTextId": ["PPR1"]}}, True, "PPR1"),
        ({"inEPMC": "N", "isOpenAccess": "N", "fullTextIdList": {"fullTextId": ["PPR1"]}}, False, "PPR1"),
        ({"inEPMC": "Y"}, False, None),
        ({"inEPMC": "N", "pmcid": "PMC1"}, False, "PMC1"),
    ],
)
def test_full_text_is_available_where_it_is_served(flags, available, number):
    """Hosted, or an open-access record with a number of its own."""
    (found,) = page(answer({"source": "MED", "id": "1", **flags})).articles
    assert (found.record.full_text_available, found.full_text_id) == (available, number)


def test_a_record_goes_by_all_its_names():
    """Its own, its PMID, its PMCID and its DOI; the stored one is the PMCID where there is one."""
    result = {"source": "MED", "id": "1", "pmid": "1", "pmcid": "PMC2", "doi": "10.1/ABC"}
    (found,) = page(answer(result)).articles
    assert found.names() == {"MED:1", "PMC:PMC2", "10.1/abc"}
    assert found.canonical == "PMC:PMC2"
    (other,) = page(answer({"source": "PPR", "id": "PPR1"})).articles
    assert other.canonical == "PPR:PPR1"


@pytest.mark.parametrize(
    ("sent", "returned", "count", "hits", "expected"),
    [
        ("*", "AoE=", 2, 3, "AoE="),
        ("*", "AoE=", 2, 2, None),
        ("AoE+", "AoE=", 2, 2, "AoE="),
        ("AoE=", "AoE=", 2, 9, None),
        ("*", "AoE=", 1, 9, None),
        ("*", None, 2, 9, None),
        ("*", 7, 2, 9, None),
        ("*", "A", 0, 0, None),
    ],
)
def test_the_cursor_ends_with_the_pages(sent, returned, count, hits, expected):
    """It is None on a page that is not full, where it does not move, and on a first page that holds every hit."""
    results = [{"source": "MED", "id": str(number)} for number in range(count)]
    assert page(answer(*results, nextCursorMark=returned, hitCount=hits), sent, 2).cursor == expected


@pytest.mark.parametrize(
    ("body", "refused"),
    [
        (b'{"errCode":404,"errMsg":"No search criteria provided."}', True),
        (b'{"errCode":404,"errMsg":"Invalid page size provided."}', True),
        (b'{"errCode":500,"errMsg":"internal"}', False),
        (b'{"version":"6.10"}', True),
        (b"<html>", False),
        (b"", False),
        (b"[1]", False),
    ],
)
def test_an_answer_without_results_is_an_error(body, refused):
    """And says whether what was asked is to blame."""
    with pytest.raises(decode.EnvelopeError) as caught:
        page(body)
    assert caught.value.refused is refused


@given(
    st.dictionaries(
        st.sampled_from(["title", "authorList", "journalInfo", "pubYear", "doi"]), st.none() | st.text() | st.integers()
    )
)
def test_odd_fields_are_no_exception(fields):
    """Any scalar in the places that vary in life."""
    fields = {k: v for k, v in fields.items() if k != "authorList" or v is None}
    assert len(page(answer({"source": "MED", "id": "1", **fields})).articles) == 1


def _articles(body: bytes) -> list[decode.Article]:
    """The records of a recorded file: one answer, a chain of them, or a bare record."""
    answers = json.loads(body)
    found: list[decode.Article] = []
    for each in answers if isinstance(answers, list) else [answers]:
        inner = each.get("response") or each.get("body") or each
        whole = inner if "hitCount" in inner else {"hitCount": 1, "resultList": {"result": [inner]}}
        found += page(json.dumps(whole).encode()).articles
    return found


class TestRecorded:
    """Recorded answers of the real service."""

    pytestmark = needs_corpus

    def test_every_answer_decodes_to_what_it_holds(self):
        """All shapes, core and lite, from JSON and from XML."""
        found = [article for path in sorted(ROOT.glob("rec*/*.json")) for article in _articles(path.read_bytes())]
        assert len(found) > 60
        for article in found:
            assert ":" in article.record.identifier
            assert "<h4>" not in (article.record.abstract or "")

    def test_collective_authors_have_their_name(self):
        """In full_name."""
        body = json.loads((ROOT / "reconstructed/collective_author_core.json").read_bytes())
        envelope = body if "resultList" in body else {"hitCount": 1, "resultList": {"result": [body]}}
        authors = page(json.dumps(envelope).encode()).articles[0].record.authors
        assert all(author.full_name for author in authors)

    def test_every_error_is_an_error(self):
        """Also those under HTTP 200."""
        for path in ROOT.glob("errors/*.json"):
            with pytest.raises(decode.EnvelopeError):
                page(path.read_bytes())

    def test_real_articles_are_full_text(self):
        """Each recorded XML document is taken for what it is."""
        key = DocumentKey(ProviderName("europepmc"), "PMC:PMC1", SourceFormat.XML)
        for path in ROOT.glob("fulltext/*.xml"):
            assert _document(Answer("", 200, {}, path.read_bytes()), key)
