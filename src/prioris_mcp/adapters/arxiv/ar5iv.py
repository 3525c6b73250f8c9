"""ar5iv: pages that arXiv's own converter made of older papers, one of each paper, of its newest version then."""

from __future__ import annotations

import re
from datetime import datetime

from prioris_mcp.adapters.arxiv import pages
from prioris_mcp.adapters.arxiv.pages import PageKind
from prioris_mcp.adapters.http.gateway import Limits
from prioris_mcp.adapters.http.upstream import Upstream
from prioris_mcp.domain.sources.arxiv import ARXIV
from prioris_mcp.domain.sources.providers import parse
from prioris_mcp.errors import FormatUnavailableError, ProviderUnavailableError
from prioris_mcp.models.arxiv import ArxivRecord

HOST = "ar5iv.labs.arxiv.org"
_MADE = re.compile(rb"Generated\s+on\s+\w{3}\s+(\w{3})\s+(\d{1,2})\s+[\d:]{8}\s+(\d{4})\s+by")
_FOOTER = 20_000
"""Bytes at the end of a page, where LaTeXML says when it made it."""


class Ar5iv:
    """Asks ar5iv, through arXiv's queue, since both are run by arXiv."""

    def __init__(self, upstream: Upstream, limits: Limits) -> None:
        self._upstream, self._limits = upstream, limits

    async def page(self, record: ArxivRecord, unavailable: str) -> bytes:
        """The page of the paper of *record*, whose version is the newest.

        FormatUnavailableError, with what arXiv's sentence *unavailable* says, where ar5iv has none of this version;
        ProviderUnavailableError where it does not answer as it should.
        """
        identifier = parse(ARXIV, record.arxiv_id)
        # What was not converted is a redirect to arXiv's own page about the paper, which is not followed.
        answer = await self._upstream.get(f"https://{HOST}/html/{identifier.base}", self._limits, leave=True)
        if answer.status not in (200, 404) and not 300 <= answer.status < 400:
            raise ProviderUnavailableError(
                f"ar5iv answered HTTP {answer.status} for {record.arxiv_id}, of which arXiv itself has no page;"
                " try again later, or try format='pdf'"
            )
        if answer.status != 200 or pages.kind(answer.body) is not PageKind.PAPER or _is_older(answer.body, record):
            raise FormatUnavailableError(f"{unavailable}; ar5iv has no page of it either")
        return answer.body


def _is_older(page: bytes, record: ArxivRecord) -> bool:
    """Whether *page* says that it was made before the version of *record* came."""
    made = _MADE.search(page, max(0, len(page) - _FOOTER))
    if made is None:
        return False
    try:
        day = datetime.strptime(b" ".join(made.groups()).decode(), "%b %d %Y").date()  # noqa: DTZ007 - a day
    except ValueError:
        return False
    return day.isoformat() < record.updated[:10]
