"""A simulation of doi.org: redirects to where works live."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote

from tests.replay.europepmc import articles
from tests.replay.papers import find
from tests.replay.wire import Request, Response

_ARXIV = "10.48550/arxiv."
_ELSEWHERE = {"10.1103/physrevb.102.165125": "https://link.aps.org/doi/10.1103/PhysRevB.102.165125"}


def landing(request: Request) -> Response:
    """302 to the work's page, 404 for an unknown DOI, 400 for what is none."""
    doi = unquote(request.path).lstrip("/").lower()
    if not doi.startswith("10.") or "/" not in doi:
        return Response(400, b"<html><body>not a DOI</body></html>", "text/html;charset=utf-8")
    found = _page(doi)
    if found is None:
        return Response(404, b"<html><title>Error: DOI Not Found</title></html>", "text/html;charset=utf-8")
    return Response(302, b"Handle Redirect", "text/html;charset=utf-8", {"Location": found})


def _page(doi: str) -> str | None:
    if doi.startswith(_ARXIV):
        paper = find(doi.removeprefix(_ARXIV))
        return f"https://arxiv.org/abs/{paper.id}" if paper else None
    known = {str(article["doi"]).lower(): article for article in articles() if article.get("doi")}
    if doi in known:
        return str(known[doi].get("_landing") or f"https://publisher.example/{doi}")
    return _ELSEWHERE.get(doi)


HANDLERS: dict[str, Callable[[Request], Response | None]] = {"doi.org": landing}
