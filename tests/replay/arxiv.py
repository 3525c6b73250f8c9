"""A simulation of arXiv: its search API, its category list and its documents."""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import attrgetter

from tests.replay import arxiv_feed, arxiv_files
from tests.replay.arxiv_oai import oai
from tests.replay.arxiv_query import QueryCrashError, QuerySyntaxError, matcher
from tests.replay.papers import Paper, find, papers
from tests.replay.wire import Request, Response

# What arXiv takes for an identifier.  Some of it, such as "arXiv:2106.09685", then matches no paper.
ACCEPTED = re.compile(r"\s*(arxiv:)?(\d{4}\.\d{4,5}|[a-z-]+(\.[a-z]{2})?/\d{7})(v\d+)?\s*", re.IGNORECASE)
DEEPEST = 10_000
INTERNAL = "The server encountered an internal error"
ORDERS = {"relevance": None, "submittedDate": "published", "lastUpdatedDate": "updated"}


class RefusalError(Exception):
    """An error feed instead of results."""

    def __init__(self, message: str, status: int = 400, *, fragment: str = "") -> None:
        super().__init__(message)
        self.response = arxiv_feed.error(message, status, fragment=fragment)


def api_query(request: Request) -> Response:
    """`/api/query`: search, look-up by identifier, or both; a form does as well as a query."""
    asked = request.query | request.form
    search, ids = asked.get("search_query", ""), asked.get("id_list", "")
    try:
        start, count = _number(asked, "start", 0), _number(asked, "max_results", 10)
        _check_depth(start, count)
        found = _order(_found(search, ids), asked)
    except RefusalError as refusal:
        return refusal.response
    return arxiv_feed.results(found, search=search, ids=ids, start=start, count=count)


def _number(asked: dict[str, str], name: str, default: int) -> int:
    text = asked.get(name, "") or str(default)
    if not re.fullmatch(r"-?\d+", text):
        raise RefusalError(f"{name} must be an integer", fragment=f"#{name}_must_be_an_integer")
    if int(text) < 0:
        raise RefusalError(f"{name} must be non-negative", fragment=f"#{name}_must_be_non-negative")
    return int(text)


def _check_depth(start: int, count: int) -> None:
    """No results at all, or results too far down, are internal errors."""
    if count == 0 or round(start / count) + 1 > DEEPEST // count:
        raise RefusalError(INTERNAL, 500)


def _found(search: str, ids: str) -> list[Paper]:
    if not search and not ids:
        raise RefusalError("Either a search_query or id_list must be specified")
    chosen = _by_id(ids) if ids else list(papers().values())
    try:
        return list(filter(matcher(search), chosen)) if search else chosen
    except QuerySyntaxError:
        raise RefusalError(f"Invalid query string: '{search}'") from None
    except QueryCrashError:
        raise RefusalError(INTERNAL, 500) from None


def _by_id(ids: str) -> list[Paper]:
    """Look up a batch: one bad spelling spoils it, unknown papers are left out, the order is not kept."""
    wanted = ids.split(",")
    for name in wanted:
        if not ACCEPTED.fullmatch(name):
            raise RefusalError(f"incorrect id format for {name}", fragment=f"#incorrect_id_format_for_{name}")
    found = {paper.name: paper for name in wanted if (paper := find(name))}
    return [found[name] for name in sorted(found)]


def _order(found: list[Paper], asked: dict[str, str]) -> list[Paper]:
    by, direction = asked.get("sortBy") or "relevance", asked.get("sortOrder") or "descending"
    if by not in ORDERS:
        raise RefusalError("sortBy must be in: relevance, lastUpdatedDate, submittedDate")
    if direction not in ("ascending", "descending"):
        raise RefusalError("sortOrder must be in: ascending, descending")
    key = ORDERS[by]
    return sorted(found, key=attrgetter(key), reverse=direction == "descending") if key else found


PAGES: dict[str, list[tuple[str, Callable[[Request], Response]]]] = {
    "export.arxiv.org": [("/api/query", api_query), ("/pdf/", arxiv_files.pdf), ("/html/", arxiv_files.html)],
    "arxiv.org": [("/pdf/", arxiv_files.pdf), ("/html/", arxiv_files.html)],
    "oaipmh.arxiv.org": [("/oai", oai)],
    "ar5iv.labs.arxiv.org": [("/html/", arxiv_files.ar5iv)],
}


def arxiv(request: Request) -> Response | None:
    """Answer for any host of arXiv; plain http is sent to https."""
    if request.scheme == "http":
        return Response(301, b"", None, {"Location": f"https://{request.host}{request.target}"})
    pages = (page for start, page in PAGES[request.host] if _is_under(request.path, start))
    return next((page(request) for page in pages), None)


def _is_under(path: str, start: str) -> bool:
    return path.startswith(start) if start.endswith("/") else path == start


HANDLERS = dict.fromkeys(PAGES, arxiv)
