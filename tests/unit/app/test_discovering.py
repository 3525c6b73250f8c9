"""Discovery beside what the library holds: no empty page while there is more to see."""

from __future__ import annotations

import pytest

from prioris_mcp.app.discover import Discover
from prioris_mcp.domain.discovery import DiscoveryQuery, Work
from prioris_mcp.domain.page import Page

pytestmark = pytest.mark.anyio


class Index:
    """Knows some works, and counts what it is asked."""

    def __init__(self, count: int, total: int | None = None) -> None:
        self.works = [
            Work(f"W{n}", None, None, f"10.48550/arxiv.2106.{n:05}", None, None, (), None, 0.0, (), None)
            for n in range(count)
        ]
        self.total = count if total is None else total
        self.asked: list[tuple[int, int]] = []

    async def find(self, query):
        self.asked.append((query.page, query.max_results))
        start = (query.page - 1) * query.max_results
        return Page(self.works[start : start + query.max_results], self.total)


class Held:
    """Holds the first works of the index, by arXiv's numbers."""

    def __init__(self, count: int) -> None:
        self.names = {f"2106.{n:05}" for n in range(count)}

    async def holds(self, provider, identifier):
        return identifier in self.names

    async def knows(self, provider, alias):
        return False


@pytest.mark.parametrize(
    ("count", "total", "held", "page", "shown", "at", "more", "left_out", "requests"),
    [
        (30, 30, 0, 1, 5, 1, True, 0, 1),
        (30, 30, 3, 1, 2, 1, True, 3, 1),
        (30, 30, 5, 1, 5, 2, True, 5, 2),
        (30, 30, 23, 1, 2, 5, True, 23, 2),
        (30, 30, 30, 1, 0, 6, False, 30, 2),
        (30, 30, 30, 6, 0, 6, False, 5, 1),
        (30, 53, 30, 2, 0, 6, False, 25, 2),
        (0, 0, 0, 1, 0, 1, False, 0, 1),
        (0, 53, 0, 1, 0, 1, False, 0, 1),
    ],
)
async def test_an_empty_page_is_never_followed_by_another(
    count, total, held, page, shown, at, more, left_out, requests
):
    """The first later page that has something comes in its place; what was left out is counted, requests are few."""
    index = Index(count, total)
    found = await Discover(index, Held(held), 300)(DiscoveryQuery("x", 5, page))
    assert (len(found.works), found.query.page, found.has_more, found.held) == (shown, at, more, left_out)
    assert len(index.asked) == requests
