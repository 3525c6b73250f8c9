"""OpenAlex's answers, decoded: bytes in, records out. Nearly every field of a work can be null."""

from __future__ import annotations

import html
import json
import re
from typing import Any

from prioris_mcp.domain.discovery import Location, Work, Works
from prioris_mcp.models.discovery import WorkType, WorkTypes

_PMCID = re.compile(r"(?:PMC|articles/)?(\d+)/?", re.IGNORECASE)
_DOI_PAGE = re.compile(r"https?://(?:dx\.)?doi\.org/", re.IGNORECASE)


class NoResultsError(ValueError):
    """The answer holds no results; the text says why."""


def works(body: bytes) -> Works:
    """The works in *body*."""
    answer = _object(body)
    total = (answer.get("meta") or {}).get("count")
    found = [_work(result) for result in answer["results"] if isinstance(result, dict)]
    return Works(found, total if isinstance(total, int) else len(found))


def work_types(body: bytes) -> WorkTypes:
    """The kinds of work in *body*, by code."""
    found = [
        WorkType(
            code=_last_segment(result.get("id")),
            name=str(result.get("display_name") or ""),
            description=str(result.get("description") or ""),
        )
        for result in _object(body)["results"]
    ]
    return WorkTypes(types=sorted(found, key=lambda kind: kind.code))


def reason(body: bytes) -> str:
    """What OpenAlex says of a failure, as one line."""
    try:
        answer = json.loads(body)
        said = f"{answer.get('error') or ''}: {answer.get('message') or ''}".strip(": ")
    except (ValueError, AttributeError):
        said = ""
    return " ".join(said.split())[:300] or "no reason given"


def retry_after(body: bytes) -> float | None:
    """Seconds that OpenAlex asks to wait, from the body of a refusal."""
    try:
        found = json.loads(body).get("retryAfter")
    except (ValueError, AttributeError):
        return None
    return float(found) if isinstance(found, int | float) else None


def _object(body: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(body)
    except ValueError as exc:
        raise NoResultsError(f"no JSON ({exc})") from None
    if not isinstance(answer, dict) or not isinstance(answer.get("results"), list):
        raise NoResultsError("no results in the answer")
    return answer


def _work(result: dict[str, Any]) -> Work:
    ids, score = result.get("ids") or {}, result.get("relevance_score")
    pmcid = _PMCID.search(_last_segment(ids.get("pmcid"))) if ids.get("pmcid") else None
    year = result.get("publication_year")
    title = result.get("title") or result.get("display_name")
    return Work(
        openalex_id=_last_segment(result.get("id")),
        title=html.unescape(str(title)) if title else None,
        year=year if isinstance(year, int) else None,
        doi=_DOI_PAGE.sub("", str(result["doi"])) if result.get("doi") else None,
        pmcid=f"PMC{pmcid[1]}" if pmcid else None,
        abstract=_abstract(result.get("abstract_inverted_index")),
        authors=tuple(name for item in result.get("authorships") or [] if (name := _author(item))),
        kind=result.get("type"),
        score=float(score) if isinstance(score, int | float) else 0.0,
        locations=tuple(_location(place) for place in result.get("locations") or [] if isinstance(place, dict)),
        best_oa=_location(result["best_oa_location"]) if result.get("best_oa_location") else None,
    )


def _author(item: Any) -> str | None:
    author = item.get("author") if isinstance(item, dict) else None
    return str(author["display_name"]) if author and author.get("display_name") else None


def _location(place: dict[str, Any]) -> Location:
    return Location(place.get("landing_page_url"), place.get("pdf_url"), place.get("version"))


def _last_segment(address: Any) -> str:
    return str(address or "").rstrip("/").rpartition("/")[2]


def _abstract(index: Any) -> str | None:
    """The text whose words stand at the positions of *index*."""
    if not isinstance(index, dict):
        return None
    placed = sorted((position, word) for word, positions in index.items() for position in positions or [])
    return " ".join(word for _, word in placed) or None
