"""A simulation of Europe PMC: its search service and the full text of its open-access articles."""

from __future__ import annotations

import base64
import functools
import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from tests.replay.papers import DATA
from tests.replay.wire import Request, Response

SEARCH = "/europepmc/webservices/rest/search"
_FULL_TEXT = re.compile(r"/europepmc/webservices/rest/([^/]+)/fullTextXML")
_CLAUSE = re.compile(r'\(?\s*(?:EXT_ID:(\S+) AND SRC:(\w+)|PMCID:(\w+)|DOI:"([^"]+)")\s*\)?')
_MOST = 1000


@functools.cache
def articles() -> tuple[dict[str, Any], ...]:
    """Every record, as a search answers it, with `_text` naming the file of its full text; and many plain ones."""
    plain = (
        {"id": str(number), "source": "MED", "pmid": str(number), "title": f"Filler article {number}", "inEPMC": "N"}
        for number in range(31000000, 31000120)
    )
    return (*json.loads((DATA / "articles.json").read_text("utf-8")), *plain)


def search(request: Request) -> Response:
    """Records that match; errors come under HTTP 200, as they do in life."""
    asked = request.query
    query, size, cursor = asked.get("query", "").strip(), asked.get("pageSize", "25"), asked.get("cursorMark", "*")
    if not query:
        return _json({"errCode": 404, "errMsg": "No search criteria provided."})
    if not size.isdecimal() or not 1 <= int(size) <= _MOST:
        return _json({"errCode": 404, "errMsg": "Invalid page size provided. Valid size is between 1 and 1000"})
    start = 0 if cursor == "*" else _unmark(cursor)
    if start is None:
        return _json({"version": "6.9"})
    found = [article for article in articles() if _matches(query, article)]
    page = found[start : start + int(size)]
    answer: dict[str, Any] = {"version": "6.9", "hitCount": len(found)}
    if found:
        answer["nextCursorMark"] = _mark(start + len(page)) if page else cursor
    shown = [{name: value for name, value in article.items() if not name.startswith("_")} for article in page]
    return _json(answer | {"resultList": {"result": shown}})


def full_text(request: Request) -> Response | None:
    """`/{id}/fullTextXML`: an empty 404 outside the open-access subset."""
    match = _FULL_TEXT.fullmatch(unquote(request.path))
    if match is None:
        return None
    known = {name: article for article in articles() for name in _text_ids(article)}
    article = known.get(match[1])
    if article is None or "_text" not in article:
        return Response(404, b"", "application/xml")
    return Response(200, (DATA / "xml" / article["_text"]).read_bytes(), "application/xml")


def _ebi(request: Request) -> Response | None:
    return search(request) if request.path == SEARCH else full_text(request)


HANDLERS: dict[str, Callable[[Request], Response | None]] = {"www.ebi.ac.uk": _ebi}


def _matches(query: str, article: dict[str, Any]) -> bool:
    clauses = list(_CLAUSE.finditer(query))
    if clauses:
        return any(_names(clause, article) for clause in clauses)
    text = f"{article.get('title', '')} {article.get('abstractText', '')}".lower()
    return all(word in text for word in re.findall(r"\w+", query.lower()) if word not in ("and", "or", "not"))


def _names(clause: re.Match[str], article: dict[str, Any]) -> bool:
    """Whether one clause names the record. A quoted EXT_ID matches nothing; SRC is the record's own source."""
    number, source, pmcid, doi = clause.groups()
    if pmcid:
        return bool(article.get("pmcid") == pmcid)
    if doi:
        return str(article.get("doi", "")).lower() == doi.lower()
    return (article["id"], article["source"]) == (number.rstrip(")"), source)


def _text_ids(article: dict[str, Any]) -> list[str]:
    return [article.get("pmcid", ""), *(article.get("fullTextIdList") or {}).get("fullTextId", [])]


def _mark(start: int) -> str:
    return base64.b64encode(f"AoE+/{start}".encode()).decode()


def _unmark(mark: str) -> int | None:
    try:
        return int(base64.b64decode(mark, validate=True).decode().removeprefix("AoE+/"))
    except ValueError:
        return None


def _json(value: dict[str, Any]) -> Response:
    return Response(200, json.dumps(value).encode(), "application/json;charset=UTF-8")
