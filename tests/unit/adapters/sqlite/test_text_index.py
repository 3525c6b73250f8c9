"""The full-text file: thrown away at any time, and never noticed by a caller."""

from __future__ import annotations

import apsw
import pytest

from prioris_mcp.adapters.sqlite.fts.index import SqliteFts5SearchIndex
from prioris_mcp.domain.changes import Position
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Span
from prioris_mcp.domain.page import PageRequest
from prioris_mcp.domain.search import Scope, Section
from prioris_mcp.errors import IndexLostError

pytestmark = pytest.mark.anyio
KEY = DocumentKey(ProviderName("arxiv"), "2106.09685v2", SourceFormat.PDF)


async def put(index, text, number=1):
    await index.index_entries(KEY, [Section((), Span(0, len(text)), text)], Position("one", number))


async def first_of(index, query):
    """Where the best hit begins."""
    return (await index.search(query, Scope(), PageRequest(0, 5))).items[0].span.start


async def total(index, query):
    return (await index.search(query, Scope(), PageRequest(0, 5))).total


async def test_words_are_stemmed_and_accents_folded(tmp_path):
    """As the tokenizer promises."""
    index = SqliteFts5SearchIndex(tmp_path / "search.sqlite3")
    await put(index, "Naïve Schrödinger equations were solved")
    assert [await total(index, query) for query in ("naive", "schrodinger", "equation", "solving", "solvent")] == [
        1,
        1,
        1,
        1,
        0,
    ]
    index.close()


async def test_two_processes_see_each_others_rows(tmp_path):
    """Two indexes on one file."""
    one, two = (SqliteFts5SearchIndex(tmp_path / "search.sqlite3") for _ in range(2))
    await put(one, "alpha")
    assert await total(two, "alpha") == 1
    await two.remove_document(KEY, Position("one", 2))
    assert await total(one, "alpha") == 0
    one.close()
    two.close()


async def test_a_removed_file_is_noticed(tmp_path):
    """Another one is begun, although the old one is still open."""
    index = SqliteFts5SearchIndex(tmp_path / "search.sqlite3")
    await put(index, "alpha")
    for path in tmp_path.iterdir():
        path.unlink()
    assert await index.position() == Position()
    await put(index, "beta")
    assert await total(index, "beta") == 1
    assert (tmp_path / "search.sqlite3").exists()
    index.close()


async def test_a_damaged_file_is_replaced(tmp_path):
    """Before it is open, it is an empty one; while it is, the caller is told once, and then finds an empty index."""
    path = tmp_path / "search.sqlite3"
    path.write_bytes(b"garbage" * 1000)
    index = SqliteFts5SearchIndex(path)
    assert await index.position() == Position()
    await put(index, "alpha")
    with apsw.Connection(str(path)) as other:
        other.execute("DROP TABLE position")
    with pytest.raises(IndexLostError):
        await index.position()
    assert await index.position() == Position()
    index.close()


async def test_a_query_cannot_reach_other_tables(tmp_path):
    """Column filters and SQL are words like any other."""
    index = SqliteFts5SearchIndex(tmp_path / "search.sqlite3")
    await put(index, "alpha")
    for query in ("rowid: alpha", "'; DROP TABLE section; --", "alpha) OR (rowid:1"):
        await total(index, query)
    assert await total(index, "alpha") == 1
    index.close()


async def test_a_word_in_a_heading_counts_twice(tmp_path):
    """The section named by a word comes before one that mentions it, and after one that speaks of it all the time."""
    index = SqliteFts5SearchIndex(tmp_path / "search.sqlite3")
    rest = "words about something else altogether " * 3
    sections = [
        Section(("Else",), Span(1, 9), f"adapters {rest}"),
        Section(("Adapters",), Span(2, 9), f"nothing {rest}"),
        Section(("Else",), Span(3, 9), "rank rank rank rank"),
        Section(("Rank",), Span(4, 9), f"nothing {rest}"),
    ]
    await index.index_entries(KEY, sections, Position("one", 1))
    assert await first_of(index, "adapters") == 2
    assert await first_of(index, "rank") == 3
    index.close()
