"""A simulation of OpenAlex: semantic search over a few works, and its kinds of work."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any

from tests.replay.papers import DATA
from tests.replay.wire import Request, Response

KEY = "k-planted-secret"
"""The only key that it takes."""
_TYPES = [
    {"id": "https://openalex.org/types/preprint", "display_name": "preprint", "description": None},
    {"id": "https://openalex.org/types/article", "display_name": "article", "description": "A journal article"},
]


@functools.cache
def works() -> tuple[dict[str, Any], ...]:
    """Every work, the nearest first."""
    return tuple(json.loads((DATA / "works.json").read_text("utf-8")))


def answer(request: Request) -> Response | None:
    """`/works` and `/work-types`; refusals carry their reason as JSON."""
    asked = request.query
    if asked.get("api_key") != KEY:
        return _json({"error": "Invalid or missing API key", "message": "API key not found"}, 401)
    if request.path == "/work-types":
        return _json({"meta": {"count": len(_TYPES)}, "results": _TYPES})
    if request.path != "/works":
        return None
    return _found(asked)


def _found(asked: dict[str, str]) -> Response:
    text, size, page = asked["search.semantic"], int(asked["per-page"]), int(asked["page"])
    if len(text) > 1500:
        return _json({"error": "Search query too long", "message": "at most 1500 characters"}, 400)
    if "|" in text:
        return _json({"error": "Invalid query parameters error.", "message": "no operators here"}, 400)
    shown = works()[(page - 1) * size : page * size]
    return _json({"meta": {"count": 53, "page": page, "per_page": size}, "results": shown})


def _json(value: dict[str, Any], status: int = 200) -> Response:
    return Response(status, json.dumps(value).encode(), "application/json")


HANDLERS: dict[str, Callable[[Request], Response | None]] = {"api.openalex.org": answer}
