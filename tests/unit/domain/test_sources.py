"""The table of sources: what follows from a row."""

from __future__ import annotations

import anyio.lowlevel
import pytest

from prioris_mcp.adapters.memory.coordination import MemoryLeases
from prioris_mcp.adapters.memory.library import MemoryStorageBackend
from prioris_mcp.app.concurrency import KeyedLock
from prioris_mcp.app.fetch import Fetch
from prioris_mcp.app.resolve import Resolve
from prioris_mcp.domain.documents import Resolution, SourceFormat
from prioris_mcp.domain.sources.arxiv import ARXIV, ArxivId
from prioris_mcp.domain.sources.doi import Doi
from prioris_mcp.domain.sources.europepmc import EUROPEPMC
from prioris_mcp.domain.sources.localfiles import LOCALFILE
from prioris_mcp.domain.sources.providers import own_name, parse, serving, source_of, unversioned
from prioris_mcp.domain.sources.table import SOURCES, named, provider_named, takes_dois
from prioris_mcp.errors import InvalidRequestError, ProviderUnavailableError, UnsupportedProviderError
from prioris_mcp.remedies import ADD_FILE, Action, Remedy

EXAMPLES = {"arxiv": "hep-th/9901001v1", "europepmc": "PMC4767193", "localfile": "20260729-1430-a3f2"}
each = pytest.mark.parametrize("spec", SOURCES.values(), ids=SOURCES)


@each
def test_a_source_reads_its_own_identifiers(spec):
    """Also from the spelling that we keep; and it is the one that serves them."""
    found = parse(spec, EXAMPLES[spec.name])
    assert parse(spec, str(found)) == found
    assert serving(found) is spec
    assert source_of(str(found)) is spec


@each
def test_a_source_makes_keys_in_its_formats_only(spec):
    """The error names those that there are."""
    for format_ in SourceFormat:
        if format_ in spec.formats:
            assert spec.key("x", format_).format is format_
        else:
            with pytest.raises(InvalidRequestError, match=f"not {format_}; give format='{spec.formats[0]}'"):
                spec.key("x", format_)


def test_an_identifier_that_tells_nothing_is_meant_for_the_first_source():
    """Which says what its own look like."""
    assert source_of("my own words") is next(iter(SOURCES.values()))


@pytest.mark.parametrize("name", ["", "Arxiv", "zenodo", "x" * 1000])
def test_there_is_no_source_without_a_row(name):
    """To the letter."""
    with pytest.raises(ValueError, match="there is no source"):
        provider_named(name)


def test_dois_belong_to_who_registered_them_and_else_to_who_looks_them_up():
    """With a version where they name one; arXiv has registered them without."""
    own, other, broken = Doi("10.48550/arxiv.2106.09685v2"), Doi("10.1038/nature12373"), Doi("10.48550/arxiv.nothing")
    assert own_name(own) == ArxivId("2106.09685", 2)
    assert [own_name(doi) for doi in (other, broken)] == [None, None]
    assert [serving(doi) for doi in (own, other, broken)] == [ARXIV, EUROPEPMC, EUROPEPMC]
    assert [unversioned(doi) for doi in (own, other, broken)] == [Doi("10.48550/arxiv.2106.09685"), other, broken]
    assert named(takes_dois) == [EUROPEPMC.name]


class Pages:
    """Where DOIs lead; an error that they lead to is raised."""

    def __init__(self, leads):
        self.leads, self.asked = leads, []

    async def landing(self, doi):
        self.asked.append(str(doi))
        if isinstance(self.leads, Exception):
            raise self.leads
        return self.leads


class Source:
    async def resolve(self, identifier, format):
        return Resolution(ARXIV.key(identifier, format), "address")


async def resolved(text, leads):
    pages = Pages(leads)
    found = await Resolve(dict.fromkeys(SOURCES, Source()), pages)(text)
    return found.key.identifier, pages.asked


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("leads", "identifier"),
    [
        ("https://arxiv.org/abs/2106.09685", "2106.09685v2"),
        ("https://arxiv.org/abs/2106.00001v3", "2106.00001v3"),
        (ProviderUnavailableError("away"), "2106.09685v2"),
    ],
)
async def test_a_version_in_a_doi_is_kept(leads, identifier):
    """Where the DOI leads to that paper, or where nobody says where; it is asked about without."""
    assert await resolved("10.48550/arXiv.2106.09685v2", leads) == (identifier, ["10.48550/arxiv.2106.09685"])


@pytest.mark.anyio
@pytest.mark.parametrize("doi", ["10.1038/nature12373", "10.48550/arxiv.2106.09685"])
async def test_a_doi_that_leads_elsewhere_may_be_known_to_who_looks_dois_up(doi):
    """Whoever registered it."""
    with pytest.raises(UnsupportedProviderError) as refused:
        await resolved(doi, "https://publisher.example/x")
    assert {Remedy(Action.LOOK_UP, "europepmc", doi), ADD_FILE} <= set(refused.value.args)


@pytest.mark.anyio
async def test_a_file_of_the_caller_s_own_is_fetched_from_nowhere():
    """A sentence says so, and how it gets into the library."""
    store = MemoryStorageBackend(lambda: "now")
    fetch = Fetch({}, store, KeyedLock(MemoryLeases()), set(), anyio.lowlevel.checkpoint)
    with pytest.raises(UnsupportedProviderError, match="is a local file, which nobody serves") as refused:
        await fetch(LOCALFILE.name, "20260729-1430-a3f2", SourceFormat.PDF)
    assert refused.value.args[-1] == ADD_FILE
