"""The simulated arXiv must itself be right, or the tests that rest on it prove nothing."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import httpx2
import pytest

from tests.replay.arxiv_query import QueryCrashError, QuerySyntaxError, matcher
from tests.replay.papers import DATA, papers
from tests.unit.replay.asking import API, ATOM, OAI, entries, feed

pytestmark = pytest.mark.anyio


async def test_a_batch_loses_order_duplicates_and_strangers(client: httpx2.AsyncClient) -> None:
    """Order is not kept, repeats are merged, unknown papers vanish, and no version means the latest."""
    ids = "2106.09685v2,2106.09685,1706.03762v1,9999.99999,hep-th/9901001,2106.09685v9"
    answer = await feed(client, id_list=ids)
    assert answer.status_code == 200
    assert entries(answer) == ["1706.03762v1", "2106.09685v2", "hep-th/9901001v3"]


async def test_a_batch_is_cut_to_ten(client: httpx2.AsyncClient) -> None:
    """Without max_results even a list of identifiers gives ten papers."""
    ids = ",".join(list(papers())[:14])
    assert len(entries(await feed(client, id_list=ids))) == 10
    assert len(entries(await feed(client, id_list=ids, max_results=14))) == 14


@pytest.mark.parametrize("bad", ["abc", "10.1000/x", ""])
async def test_a_bad_spelling_spoils_the_batch(client: httpx2.AsyncClient, bad: str) -> None:
    """One malformed identifier makes the whole batch an error feed that looks like a paper."""
    answer = await feed(client, id_list=f"2106.09685,{bad}")
    assert answer.status_code == 400
    assert entries(answer) == [f"https://arxiv.org/api/errors#incorrect_id_format_for_{bad}"]
    assert ET.fromstring(answer.content).findtext(f"{ATOM}entry/{ATOM}title") == "Error"


@pytest.mark.parametrize("spelling", ["arXiv:2106.09685", " 2106.09685", "2106.09685V2", "math.GT/0309136"])
async def test_some_spellings_match_nothing(client: httpx2.AsyncClient, spelling: str) -> None:
    """Spellings that arXiv accepts but does not normalise find no paper."""
    answer = await feed(client, id_list=spelling)
    assert (answer.status_code, entries(answer)) == (200, [])


@pytest.mark.parametrize(
    ("params", "status"),
    [
        ({"start": "-1"}, 400),
        ({"max_results": "-1"}, 400),
        ({"start": "x"}, 400),
        ({"max_results": "1.5"}, 400),
        ({"max_results": "0"}, 500),
        ({"start": "10000"}, 500),
        ({"sortBy": "title"}, 400),
        ({"search_query": "("}, 400),
        ({"search_query": "*x"}, 500),
        ({"search_query": ""}, 400),
    ],
)
async def test_bad_parameters_give_error_feeds(client: httpx2.AsyncClient, params: dict[str, str], status: int) -> None:
    """Numbers, orders and queries that arXiv dislikes come back as error feeds."""
    answer = await feed(client, **({"search_query": "all:the"} | params))
    assert answer.status_code == status
    assert len(entries(answer)) == 1 and entries(answer)[0].startswith("https://arxiv.org/api/errors")


async def test_an_entry_has_all_its_parts(client: httpx2.AsyncClient) -> None:
    """Affiliation, comment, reference, several DOIs, categories and links are rendered as arXiv does."""
    text = (await feed(client, id_list="astro-ph/0601001,hep-th/9711200,cond-mat/0410550")).text
    for part in (
        "<arxiv:affiliation>Ohio State</arxiv:affiliation>",
        "<arxiv:journal_ref>Science 306, 666 (2004)</arxiv:journal_ref>",
        "<arxiv:comment>62 pages including",
        '<arxiv:primary_category term="cond-mat.mtrl-sci"/>',
        '<link href="https://arxiv.org/pdf/astro-ph/0601001v1" rel="related" type="application/pdf" title="pdf"/>',
        '<link href="https://arxiv.org/abs/astro-ph/0601001v1" rel="alternate" type="text/html"/>',
    ):
        assert part in text
    assert text.count("<arxiv:doi>") == 3


async def test_a_form_works_like_a_query(client: httpx2.AsyncClient) -> None:
    """Long batches may be posted."""
    answer = await client.post(API, data={"id_list": "1512.03385"})
    assert entries(answer) == ["1512.03385v1"]


# -- arXiv: search


def found(query: str) -> set[str]:
    """The papers that a query matches."""
    return set(filter(lambda identifier: matcher(query)(papers()[identifier]), papers()))


def test_operators_take_all_that_follows() -> None:
    """A second ANDNOT takes back a part of the first, unless parentheses forbid it."""
    cs, lg, ai = found("cat:cs.CL"), found("cat:cs.LG"), found("cat:cs.AI")
    assert found("cat:cs.CL ANDNOT cat:cs.LG ANDNOT cat:cs.AI") == cs - (lg - ai)
    assert found("cat:cs.CL ANDNOT (cat:cs.LG OR cat:cs.AI)") == cs - lg - ai
    assert found("cat:cs.CL AND cat:cs.LG OR cat:cs.CV") == cs & (lg | found("cat:cs.CV"))
    assert found("cat:cs.CL AND NOT cat:cs.LG") == cs - lg
    assert cs - (lg - ai) != cs - lg - ai


@pytest.mark.parametrize(
    ("query", "same"),
    [
        ("language image", "all:language OR all:image"),
        ("language and image", "all:language OR all:and OR all:image"),
        ("abs:(language image)", "abs:language OR abs:image"),
        ('ti:"residual learning', "ti:residual OR all:learning"),
        ("title:attention", "ti:attention"),
        ("au:muller_lukasiewicz", 'au:"Müller-Łukasiewicz"'),
    ],
)
def test_loose_queries_are_read_as_arxiv_reads_them(query: str, same: str) -> None:
    """Bare words are joined with OR, small letters make no operator, and an odd quote is dropped."""
    assert found(query) == found(same) != set()


def test_terms() -> None:
    """Phrases, wildcards, dates, and the case of categories matter."""
    assert found('ti:"attention is all you need"') == {"1706.03762"}
    assert found('ti:"need you all is attention"') == set()
    assert found('""') == set(papers())
    assert found("cat:cs.lg") == set() and found("cat:cs.*") > found("cat:cs.LG")
    assert found("submittedDate:[20170101 TO 201712312359]") == {"1706.03762"}
    assert found("lastUpdatedDate:[2017 TO 2017]") == {"1706.03762"}


@pytest.mark.parametrize("query", ["()", "all:x AND", "all:AND", "ti:x (is", "x)"])
def test_malformed_queries(query: str) -> None:
    """Parentheses and operators that do not fit together are refused."""
    with pytest.raises(QuerySyntaxError):
        matcher(query)


@pytest.mark.parametrize("query", ["all:*foo", "submittedDate:[* TO 2024]", "submittedDate:[2024-01-01 TO 2024]"])
def test_queries_that_crash(query: str) -> None:
    """A leading wildcard and a strange date are internal errors of arXiv."""
    with pytest.raises(QueryCrashError):
        matcher(query)


async def test_pages_and_orders(client: httpx2.AsyncClient) -> None:
    """Results can be ordered by date and are cut into pages with a total."""
    params = {"search_query": "cat:cs.LG", "sortBy": "submittedDate", "max_results": "4"}
    first, second = await feed(client, **params), await feed(client, **params, start="4")
    dates = re.findall(r"<published>(.*?)</published>", first.text + second.text)
    assert dates == sorted(dates, reverse=True) and len(set(entries(first) + entries(second))) == 8
    assert re.findall(r"<opensearch:totalResults>(\d+)<", first.text) == [str(len(found("cat:cs.LG")))]
    beyond = await feed(client, **params, start="400")
    assert (beyond.status_code, entries(beyond)) == (200, [])


# -- arXiv: documents and sets


async def test_pdf(client: httpx2.AsyncClient) -> None:
    """PDFs come chunked, for every known version, old identifiers included."""
    for name in ("2106.09685v1", "2106.09685", "hep-th/9901001v3", "1511.07473v1"):
        answer = await client.get(f"https://arxiv.org/pdf/{name}")
        assert answer.headers["content-type"] == "application/pdf" and answer.content.startswith(b"%PDF-")
        assert "content-length" not in answer.headers


@pytest.mark.parametrize(
    ("path", "heading"),
    [
        ("/pdf/1511.07473v2", "This version of 1511.07473v2 has been withdrawn and is unavailable"),
        ("/html/1511.07473", "This version of 1511.07473 has been withdrawn and is unavailable"),
        ("/html/1412.6980v9", "No HTML for '1412.6980v9'"),
        ("/pdf/2106.09685v7", "No document for '2106.09685v7'"),
        ("/pdf/abc", "No article for 'abc'"),
    ],
)
async def test_missing_documents(client: httpx2.AsyncClient, path: str, heading: str) -> None:
    """The reason for a missing document is the heading of a 404 page."""
    answer = await client.get(f"https://arxiv.org{path}")
    assert answer.status_code == 404 and f"<h1>{heading}</h1>" in answer.text


async def test_html(client: httpx2.AsyncClient) -> None:
    """One paper has a full page with mathematics, the others a short one with their own title."""
    full = (await client.get("https://arxiv.org/html/2106.09685v2")).text
    assert 'alttext="h=W_{0}x+\\Delta Wx=W_{0}x+BAx."' in full
    short = (await client.get("https://arxiv.org/html/1706.03762v7")).text
    assert '<h1 class="ltx_title ltx_title_document">Attention Is All You Need</h1>' in short


@pytest.mark.parametrize(
    ("url", "location"),
    [
        ("https://arxiv.org/pdf/2106.09685v2.pdf", "/pdf/2106.09685v2"),
        ("https://arxiv.org/pdf/2106.09685v2?x=1", "/pdf/2106.09685v2"),
        ("http://arxiv.org/pdf/2106.09685v2", "https://arxiv.org/pdf/2106.09685v2"),
    ],
)
async def test_redirects(client: httpx2.AsyncClient, url: str, location: str) -> None:
    """Old addresses and plain http are sent on."""
    answer = await client.get(url)
    assert (answer.status_code, answer.headers["location"]) == (301, location)


async def test_sets(client: httpx2.AsyncClient) -> None:
    """The category list has groups, archives and subjects, and names some archives twice."""
    answer = await client.get("https://oaipmh.arxiv.org/oai?verb=ListSets")
    specs = [item.text for item in ET.fromstring(answer.content).iter(f"{OAI}setSpec")]
    assert {"physics", "physics:astro-ph", "physics:astro-ph:CO", "cs:cs:LG"} <= set(specs)
    assert specs.count("physics:hep-th") == specs.count("physics:quant-ph") == 2
    wrong = await client.get("https://oaipmh.arxiv.org/oai?verb=ListSets&set=cs")
    assert wrong.status_code == 200 and 'code="badArgument"' in wrong.text


def test_fixtures_are_small_and_odd() -> None:
    """The files in the repository are small, and the odd ones begin as they should."""
    assert (DATA / "pdf" / "sample-paper.pdf").stat().st_size <= 60_000
    starts = {path.name: path.read_bytes()[:5] for path in (DATA / "odd").iterdir()}
    assert starts.pop("page.pdf") == b"<!DOC"
    assert starts == dict.fromkeys(("empty.pdf", "garbage.pdf", "truncated.pdf"), b"%PDF-")
