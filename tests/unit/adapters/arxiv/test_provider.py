"""The arXiv source over a made-up API: what is asked, and what is remembered."""

from __future__ import annotations

import pytest

from prioris_mcp.adapters.arxiv import queries
from prioris_mcp.adapters.arxiv.provider import ArxivProvider
from prioris_mcp.adapters.http.gateway import Answer, Limits
from prioris_mcp.adapters.memory.library import MemoryStorageBackend
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.sources.taxonomy import CODES
from prioris_mcp.errors import InvalidRequestError, NotFoundError
from prioris_mcp.models.arxiv import ArxivRecord

pytestmark = pytest.mark.anyio
PDF = SourceFormat.PDF


def record(identifier: str) -> ArxivRecord:
    return ArxivRecord(
        arxiv_id=identifier,
        title=identifier,
        authors=[],
        abstract="",
        categories=[],
        primary_category="",
        published="",
        updated="",
        pdf_url=f"https://arxiv.org/pdf/{identifier}",
    )


class Api:
    """Knows some papers, each with its newest version; refuses batches with a word that it dislikes."""

    def __init__(self, dislikes: str = "") -> None:
        self.newest = {"2106.09685": 2, "1706.03762": 7, "hep-th/9901001": 3}
        self.dislikes = dislikes
        self.asked: list[list[str]] = []

    async def look_up(self, identifiers):
        self.asked.append(list(identifiers))
        if self.dislikes in identifiers:
            raise InvalidRequestError(f"arXiv refused the request: incorrect id format for {self.dislikes}")
        found = [
            f"{base}v{tail or self.newest[base]}"
            for base, _, tail in (i.partition("v") for i in identifiers)
            if base in self.newest and (not tail or int(tail) <= self.newest[base])
        ]
        return tuple(record(identifier) for identifier in sorted(set(found), reverse=True))


class Upstream:
    """Serves a PDF at every address."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def get(self, url, limits):
        self.asked.append(url)
        return Answer(url, 200, {}, b"%PDF-1.7 %%EOF")


@pytest.fixture
def api():
    return Api()


@pytest.fixture
def store():
    return MemoryStorageBackend(lambda: "now")


@pytest.fixture
def provider(api, store):
    return ArxivProvider(api, Upstream(), store, download=Limits(1, 1000), pin_seconds=300)


async def test_metadata_comes_in_the_order_asked_for(provider, api):
    """Duplicates are answered each, malformed ones are never sent, spellings come back as they were given."""
    asked = ["hep-th/9901001", "abc", "arXiv:1706.03762", "1706.03762v2", "9999.99999", "hep-th/9901001"]
    found = await provider.fetch_metadata(asked)
    assert [item.arxiv_id for item in found.results] == [
        "hep-th/9901001v3",
        "1706.03762v7",
        "1706.03762v2",
        "hep-th/9901001v3",
    ]
    assert found.not_found == ["abc", "9999.99999"]
    assert api.asked == [["hep-th/9901001", "1706.03762", "1706.03762v2", "9999.99999"]]


async def test_large_batches_are_split(provider, api):
    """A hundred at a time."""
    await provider.fetch_metadata([f"2101.{number:05d}" for number in range(250)])
    assert [len(batch) for batch in api.asked] == [100, 100, 50]


async def test_an_identifier_that_arxiv_dislikes_is_left_out(store):
    """The others are still found."""
    api = Api(dislikes="2113.00001")
    provider = ArxivProvider(api, Upstream(), store, download=Limits(1, 1000), pin_seconds=300)
    found = await provider.fetch_metadata(["2113.00001", "2106.09685"])
    assert ([item.arxiv_id for item in found.results], found.not_found) == (["2106.09685v2"], ["2113.00001"])


async def test_an_empty_batch_is_refused(provider, api):
    """Nothing is sent."""
    with pytest.raises(InvalidRequestError, match="at least one"):
        await provider.fetch_metadata([])
    assert api.asked == []


async def test_a_pin_is_remembered(provider, api):
    """The second fetch of an unversioned identifier asks nothing, and a named version never does."""
    key = DocumentKey(ProviderName("arxiv"), "2106.09685v2", PDF)
    assert await provider.pin("2106.09685", PDF) == key
    assert await provider.pin("https://arxiv.org/abs/2106.09685", PDF) == key
    assert await provider.pin("2106.09685v1", PDF) != key
    assert len(api.asked) == 1


async def test_what_arxiv_does_not_know_is_not_found(provider):
    """In the words of the specification."""
    with pytest.raises(NotFoundError, match=r"arXiv identifier not recognised: 9999\.99999"):
        await provider.pin("9999.99999", PDF)
    with pytest.raises(NotFoundError, match=r"arXiv identifier not recognised: 2106\.99999v1"):
        await provider.download(DocumentKey(ProviderName("arxiv"), "2106.99999v1", PDF))


async def test_a_version_that_is_not_there_names_the_newest(provider):
    """Known from before, or asked for; and the sentence says what to do."""
    with pytest.raises(NotFoundError, match=r"2106\.09685v99: the newest version is 2106\.09685v2; check"):
        await provider.download(DocumentKey(ProviderName("arxiv"), "2106.09685v99", PDF))
    with pytest.raises(NotFoundError, match=r"arXiv knows no such paper; check the number, .* \{search arxiv\}"):
        await provider.download(DocumentKey(ProviderName("arxiv"), "2106.99999v1", PDF))


async def test_recalling_asks_no_network(provider, api, store):
    """The version that is known to be current if it is stored, else the newest stored one, else nothing."""
    assert await provider.recall("2106.09685", PDF) is None
    for version in (1, 3):
        key = DocumentKey(ProviderName("arxiv"), f"2106.09685v{version}", PDF)
        await store.write_document(key, b"%PDF", original_identifier="x")
    assert (await provider.recall("2106.09685", PDF)).identifier == "2106.09685v3"
    assert (await provider.recall("2106.09685v1", PDF)).identifier == "2106.09685v1"
    assert api.asked == []
    await provider.pin("2106.09685", PDF)
    assert (await provider.recall("2106.09685", PDF)).identifier == "2106.09685v3"


async def test_only_formats_that_arxiv_has(provider):
    """The sentence says which those are."""
    with pytest.raises(InvalidRequestError, match="arXiv offers pdf and html, not xml"):
        await provider.pin("2106.09685v1", SourceFormat.XML)


@pytest.mark.parametrize(
    ("include", "exclude", "query"),
    [
        (["cs.CL"], [], "cat%3Acs.CL"),
        (["CS.cl", "cs.CL", "cs.LG"], ["stat.ml"], "cat%3Acs.CL%20AND%20cat%3Acs.LG%20ANDNOT%20cat%3Astat.ML"),
        (["hep-ph"], ["nucl-th", "hep-ex"], "cat%3Ahep-ph%20ANDNOT%20%28cat%3Anucl-th%20OR%20cat%3Ahep-ex%29"),
    ],
)
def test_exclusions_are_bracketed(include, exclude, query):
    """arXiv's grammar is right-associative; capitals are put right, and doubles dropped."""
    assert f"search_query={query}&start=0&max_results=5&" in queries.newest(include, exclude, 5)


@pytest.mark.parametrize(
    "wrong",
    [([], [], 5), (["cs.LG OR cat:cs.CL"], [], 5), (["cs.CL"], ["x)"], 5), (["cs.CL"], [], 0), (["cs.CL"], [], 2001)],
)
def test_listings_that_arxiv_cannot_take(wrong):
    """Are refused before anything is sent."""
    with pytest.raises(InvalidRequestError):
        queries.newest(*wrong)


@pytest.mark.parametrize(
    ("query", "start", "size"),
    [
        ("", 0, 5),
        ("  ", 0, 5),
        ('""', 0, 5),
        ("()", 0, 5),
        ("*foo", 0, 5),
        ("ti:?x", 0, 5),
        ("submittedDate:[2024-01-01 TO 2024-02-01]", 0, 5),
        ("submittedDate:[2024 TO *]", 0, 5),
        ("submittedDate:2024", 0, 5),
        ("x", -1, 5),
        ("x", 0, 0),
        ("x", 0, 2001),
        ("x", 29999, 2),
    ],
)
def test_searches_that_arxiv_cannot_take(query, start, size):
    """Are refused before anything is sent."""
    with pytest.raises(InvalidRequestError):
        queries.search(query, start, size, "relevance", "descending")


def test_good_queries_are_encoded_once():
    """Dates, brackets, quotes and a literal plus survive."""
    url = queries.search(
        '("mixture of experts" OR C++) AND submittedDate:[202512070000 TO 202512142359]',
        0,
        5,
        "relevance",
        "descending",
    )
    assert "%28%22mixture%20of%20experts%22%20OR%20C%2B%2B%29" in url
    assert "submittedDate%3A%5B202512070000%20TO%20202512142359%5D" in url


def test_the_taxonomy_is_whole():
    """155 classes, and two archives that were classes once."""
    assert len(CODES) == 157
