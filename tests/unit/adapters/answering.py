"""Sources that answer what they are told, and answers that are as they should be."""

from __future__ import annotations

from typing import Any

from prioris_mcp.adapters.europepmc.client import EuropePmcApi
from prioris_mcp.adapters.europepmc.provider import EuropePmcProvider
from prioris_mcp.adapters.http.gateway import Answer, Limits
from prioris_mcp.adapters.memory.library import MemoryStorageBackend
from prioris_mcp.adapters.openalex.client import OpenAlexClient
from prioris_mcp.ports.parsing import ArticleKind
from tests.replay import arxiv_feed
from tests.replay.europepmc import articles
from tests.replay.openalex import works
from tests.replay.papers import papers

LIMITS = Limits(1, 1000)
RECORDS = [{k: v for k, v in item.items() if not k.startswith("_")} for item in articles()[:4]]
PAGE = {"version": "6.9", "hitCount": 4, "nextCursorMark": "A", "resultList": {"result": RECORDS}}
WORKS = {"meta": {"count": 53, "page": 1}, "results": list(works()[:3])}
FEED = arxiv_feed.results(list(papers().values())[:3], search="x", ids="", start=0, count=3).body.decode()


class Upstream:
    """Answers everything with the bodies that it was given, one after the other and the last for ever."""

    def __init__(self, *bodies: bytes, status: int = 200, **headers: str) -> None:
        self.bodies, self.status, self.headers, self.asked = list(bodies), status, headers, 0

    async def get(self, url: str, limits: Limits, **more: Any) -> Answer:
        self.asked += 1
        body = self.bodies.pop(0) if len(self.bodies) > 1 else self.bodies[0]
        return Answer(url, self.status, {k.replace("_", "-"): v for k, v in self.headers.items()}, body)


def europepmc(upstream: Upstream) -> EuropePmcProvider:
    store = MemoryStorageBackend(lambda: "now")
    kind = ArticleKind.FULL_TEXT
    return EuropePmcProvider(
        EuropePmcApi(upstream, LIMITS), upstream, store, lambda _: kind, download=LIMITS, seconds=0
    )


def openalex(upstream: Upstream) -> OpenAlexClient:
    return OpenAlexClient(upstream, LIMITS, "key")
