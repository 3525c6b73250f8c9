"""OpenAlex's answers, decoded: bytes in, records out. Nearly every field of a work can be null."""

from __future__ import annotations

import re
from typing import Any

from prioris_mcp.adapters.http import jsonbody
from prioris_mcp.domain.discovery import Work, WorkLocation
from prioris_mcp.domain.page import Page
from prioris_mcp.domain.plaintext import plain
from prioris_mcp.models.discovery import WorkType, WorkTypes

_PMCID = re.compile(r"(?:PMC|articles/)?(\d+)/?", re.IGNORECASE)
_LARGEST = 2.0**53
_DOI_PAGE = re.compile(r"https?://(?:dx\.)?doi\.org/", re.IGNORECASE)


class NoResultsError(ValueError):
    """The answer holds no results; the text says why."""


def works(body: bytes) -> Page[Work]:
    """The works in *body*."""
    answer = _object(body)
    total = _number(_part(answer, "meta").get("count"))
    found = tuple(_work(result) for result in answer["results"] if isinstance(result, dict))
    return Page(found, len(found) if total is None else int(total))


def work_types(body: bytes) -> WorkTypes:
    """The kinds of work in *body*, by code."""
    found = [
        WorkType(
            code=_last_segment(result.get("id")),
            name=_text(result.get("display_name")) or "",
            description=_text(result.get("description")) or "",
        )
        for result in _object(body)["results"]
        if isinstance(result, dict)
    ]
    return WorkTypes(types=sorted(found, key=lambda kind: kind.code))


def reason(body: bytes) -> str:
    """What OpenAlex says of a failure, as one line."""
    answer = _object_or_none(body) or {}
    said = f"{_text(answer.get('error')) or ''}: {_text(answer.get('message')) or ''}".strip(": ")
    return " ".join(said.split())[:300] or "no reason given"


def retry_after(body: bytes) -> float | None:
    """Seconds that OpenAlex asks to wait, from the body of a refusal."""
    return _number((_object_or_none(body) or {}).get("retryAfter"))


def _object(body: bytes) -> dict[str, Any]:
    try:
        answer = jsonbody.decoded(body)
    except jsonbody.NotJsonError as exc:
        raise NoResultsError(str(exc)) from None
    if not isinstance(answer, dict) or not isinstance(answer.get("results"), list):
        raise NoResultsError("no results in the answer")
    return answer


def _object_or_none(body: bytes) -> dict[str, Any] | None:
    try:
        answer = jsonbody.decoded(body)
    except jsonbody.NotJsonError:
        return None
    return answer if isinstance(answer, dict) else None


def _work(result: dict[str, Any]) -> Work:
    pmcid = _PMCID.search(_last_segment(_part(result, "ids").get("pmcid")))
    year, best = _number(result.get("publication_year")), result.get("best_oa_location")
    doi = _text(result.get("doi"))
    return Work(
        openalex_id=_last_segment(result.get("id")),
        title=plain(_text(result.get("title")) or _text(result.get("display_name")) or ""),
        year=None if year is None else int(year),
        doi=_DOI_PAGE.sub("", doi) if doi else None,
        pmcid=f"PMC{pmcid[1]}" if pmcid else None,
        abstract=_abstract(result.get("abstract_inverted_index")),
        authors=tuple(name for item in _list(result.get("authorships")) if (name := _author(item))),
        kind=_text(result.get("type")),
        score=_number(result.get("relevance_score")) or 0.0,
        locations=tuple(_location(place) for place in _list(result.get("locations"))),
        best_oa=_location(best) if isinstance(best, dict) and best else None,
        more_authors=result.get("is_authors_truncated") is True,
    )


def _author(item: dict[str, Any]) -> str | None:
    """The name as OpenAlex knows it, or else as it stands on the paper."""
    return _text(_part(item, "author").get("display_name")) or _text(item.get("raw_author_name"))


def _location(place: dict[str, Any]) -> WorkLocation:
    return WorkLocation(_text(place.get("landing_page_url")), _text(place.get("pdf_url")), _text(place.get("version")))


def _last_segment(address: Any) -> str:
    return (_text(address) or "").rstrip("/").rpartition("/")[2]


def _abstract(index: Any) -> str | None:
    """The text whose words stand at the positions of *index*."""
    if not isinstance(index, dict):
        return None
    placed = sorted(
        (position, word)
        for word, positions in index.items()
        for position in (positions if isinstance(positions, list) else [])
        if isinstance(position, int)
    )
    return plain(" ".join(word for _, word in placed))


def _part(fields: dict[str, Any], name: str) -> dict[str, Any]:
    value = fields.get(name)
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str | None:
    """*value* where it is text or a number, else None."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return str(value).strip() or None


def _number(value: Any) -> float | None:
    """*value* where it is a number of a size that anything here can have."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and abs(value) < _LARGEST else None
