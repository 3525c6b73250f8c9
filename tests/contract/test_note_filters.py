"""Which notes every NotesBackend finds, by filters and words."""

from __future__ import annotations

import pytest

from prioris_mcp.domain.documents import ProviderName, SourceFormat
from prioris_mcp.domain.notes.note import AuthorFilter, NoteChange, NoteFilter, Subject
from prioris_mcp.domain.page import PageRequest
from tests.contract.test_notes import ids
from tests.notes import ARTICLE, LORA, later, note

pytestmark = pytest.mark.anyio
OTHER = Subject(ProviderName("arxiv"), "2106.09685v1", SourceFormat.HTML)
OPEN = Subject(ProviderName("arxiv"), "2106.09685")
LONGER = Subject(ProviderName("arxiv"), "2106.0968")
FILE = Subject(ProviderName("localfile"), "20260729-1430-a3f2", SourceFormat.PDF)


@pytest.fixture
async def several(notes):
    """Six notes that differ in everything that can be filtered by."""
    for kept in (
        note(1, "alpha beta", LORA, tags=("x", "y"), metadata={"project": "x", "a.b": "1"}),
        note(2, "alpha", OTHER, author_name="Ada", tags=("x",), metadata={"project": "y"}),
        note(3, "beta beta alpha", OPEN, author_name="Grace", tags=("y", "z")),
        note(4, "gamma", LONGER, tags=("z",)),
        note(5, "delta", ARTICLE, author_name="Ada"),
        note(6, "alpha epsilon", FILE, tags=("x", "z", "X"), metadata={"project": "x"}),
    ):
        await notes.create(kept)
    return notes


ARXIV = ProviderName("arxiv")


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, [6, 5, 4, 3, 2, 1]),
        ({"provider": ARXIV}, [4, 3, 2, 1]),
        ({"provider": ProviderName("localfile")}, [6]),
        ({"provider": ARXIV, "identifiers": ("2106.09685",)}, [3, 2, 1]),
        ({"provider": ARXIV, "identifiers": ("2106.09685v2",)}, [1]),
        ({"provider": ARXIV, "identifiers": ("2106.09685v3",)}, []),
        ({"provider": ProviderName("europepmc"), "identifiers": ("MED:1", "PMC:PMC4767193")}, [5]),
        ({"format": SourceFormat.PDF}, [6, 1]),
        ({"since": later(3)}, [6, 5, 4, 3]),
        ({"until": later(3)}, [3, 2, 1]),
        ({"since": later(2), "until": later(2)}, [2]),
        ({"author": AuthorFilter.MINE}, [6, 4, 1]),
        ({"author": AuthorFilter.NAMED, "author_name": "Ada"}, [5, 2]),
        ({"author": AuthorFilter.NAMED, "author_name": "ada"}, []),
        ({"tags_all": ("x",)}, [6, 2, 1]),
        ({"tags_all": ("x", "y")}, [1]),
        ({"tags_any": ("y",)}, [3, 1]),
        ({"tags_any": ("x", "y")}, [6, 3, 2, 1]),
        ({"tags_exclude": ("x", "y")}, [5, 4]),
        ({"tags_all": ("x",), "tags_any": ("y", "z"), "tags_exclude": ("X",)}, [1]),
        ({"metadata": {"project": "x"}}, [6, 1]),
        ({"metadata": {"project": "x", "a.b": "1"}}, [1]),
        ({"metadata": {"project": "X"}}, []),
        ({"tags_all": ("x",), "metadata": {"project": "y"}}, [2]),
        ({"provider": ARXIV, "identifiers": ("2106.09685",), "metadata": {"project": "y"}}, [2]),
        ({"tags_all": ("x",), "provider": ARXIV, "author": AuthorFilter.MINE, "until": later(5)}, [1]),
        ({"provider": ARXIV, "identifiers": ("2106.09685",), "tags_any": ("x", "y"), "format": SourceFormat.HTML}, [2]),
    ],
)
@pytest.mark.parametrize("keyword", [None, "alpha"])
async def test_filters_hold_together(several, wanted, expected, keyword):
    """Every filter alone and some at once, with and without a keyword; the total says how many there are."""
    matching = {1, 2, 3, 6} if keyword else set(range(1, 7))
    found, total = await ids(several, NoteFilter(**wanted), keyword)
    assert sorted(found) == sorted(matching.intersection(expected))
    assert keyword or found == expected
    assert total == len(found)
    first, same = await ids(several, NoteFilter(**wanted), keyword, PageRequest(0, 1))
    assert (first, same) == (found[:1], total)


async def test_the_better_match_comes_first(several):
    """Whatever its age."""
    assert (await ids(several, keyword="beta"))[0] == [3, 1]


async def test_only_the_text_is_searched(several):
    """Neither tags nor authors nor identifiers."""
    for word in ("x", "Ada", "2106"):
        assert await ids(several, keyword=word) == ([], 0)


async def test_a_changed_text_is_found_by_its_new_words(several):
    """At once, and no longer by the old ones; other changes make no difference."""
    await several.update(note(4).id, NoteChange("zeta"), later(9))
    await several.update(note(5).id, NoteChange(tags=("n",)), later(9))
    assert (await ids(several, keyword="gamma"))[1] == 0
    assert await ids(several, keyword="zeta") == ([4], 1)
    assert await ids(several, keyword="delta") == ([5], 1)
