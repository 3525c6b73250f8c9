"""OpenAlex: works that are near a text in meaning. The key is in the request, and nowhere else."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import TypeVar
from urllib.parse import quote

from prioris_mcp.adapters.http.gateway import Answer, Limits
from prioris_mcp.adapters.http.throttle import retry_after
from prioris_mcp.adapters.http.upstream import Upstream
from prioris_mcp.adapters.openalex import decode
from prioris_mcp.domain.discovery import DiscoveryQuery, Work
from prioris_mcp.domain.pacing import again
from prioris_mcp.domain.page import Page
from prioris_mcp.errors import ConfigurationError, InvalidRequestError, ProviderUnavailableError, RateLimitedError
from prioris_mcp.models.discovery import WorkTypes

# Requests are paid from a daily budget of the key: https://developers.openalex.org/api-reference/authentication
BASE = "https://api.openalex.org"
HOSTS = frozenset({"api.openalex.org"})
_TYPES_PAGE = 100
_OPERATORS = re.compile(r"\||(?:(?<=\s)|^)!+")
"""What OpenAlex takes for an operator, and then refuses."""
T = TypeVar("T")


def never_refused(_answer: Answer) -> bool:
    """OpenAlex's refusals are reported, never waited out: they last until midnight."""
    return False


class OpenAlexClient:
    """DiscoveryIndex of ``ports/sources.py``."""

    def __init__(self, upstream: Upstream, limits: Limits, key: str | None) -> None:
        self._upstream, self._limits, self._key = upstream, limits, key

    async def find(self, query: DiscoveryQuery) -> Page[Work]:
        text = " ".join(_OPERATORS.sub(" ", query.text).split())
        parts = [
            f"search.semantic={quote(text, safe='')}",
            f"per-page={query.max_results}",
            f"page={query.page}",
            *_filter(query),
        ]
        found = await self._ask("works", parts, decode.works)
        if query.page == 1 and found.total and not found.items:
            found = await self._ask("works", parts, decode.works)
        if query.page == 1 and found.total and not found.items:
            raise ProviderUnavailableError(
                f"OpenAlex counted {found.total} results and sent none (HTTP 200, twice); try again later"
            )
        return found

    async def work_types(self) -> WorkTypes:
        return await self._ask("work-types", [f"per-page={_TYPES_PAGE}"], decode.work_types)

    async def _ask(self, path: str, parts: list[str], read: Callable[[bytes], T]) -> T:
        if not self._key:
            raise ConfigurationError(
                "discovery needs a key for OpenAlex: get a free one at https://openalex.org/settings/api, set"
                " PRIORIS_MCP_OPENALEX_API_KEY and start the server again"
            )
        key = f"api_key={quote(self._key, safe='')}"
        url = f"{BASE}/{path}?{'&'.join([*parts, key])}"
        answer = await self._upstream.get(url, self._limits)
        _raise_for(answer)
        try:
            return read(answer.body)
        except decode.NoResultsError as exc:
            raise ProviderUnavailableError(
                f"OpenAlex answered HTTP {answer.status} without results ({exc}); try again later"
            ) from exc


def _filter(query: DiscoveryQuery) -> list[str]:
    """The filter with its colons, slashes and equals signs as they are, which OpenAlex insists on."""
    clauses = [
        f"publication_year:>={query.from_year}" if query.from_year is not None else "",
        f"publication_year:<={query.to_year}" if query.to_year is not None else "",
        "is_oa:true" if query.open_access_only else "",
    ]
    given = ",".join(clause for clause in clauses if clause)
    return [f"filter={quote(given, safe=':/=,')}"] if given else []


def _raise_for(answer: Answer) -> None:
    """The failure that a status stands for, with OpenAlex's own reason."""
    if answer.status == 200:
        return
    said = f"(HTTP {answer.status}: {decode.reason(answer.body)})"
    if answer.status == 429:
        seconds = decode.retry_after(answer.body) or retry_after(answer, time.time())
        raise RateLimitedError(f"OpenAlex refuses requests for now {said}; {again(seconds)}")
    if answer.status in (401, 403):
        raise ConfigurationError(f"OpenAlex does not take the key {said}; check PRIORIS_MCP_OPENALEX_API_KEY")
    if answer.status == 400:
        raise InvalidRequestError(f"OpenAlex refused the query {said}; shorten or change it, 1500 characters are safe")
    raise ProviderUnavailableError(f"OpenAlex failed {said}; try again later")
