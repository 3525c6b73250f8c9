"""arXiv: searching, listing, metadata, and full text under identifiers that name a version."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from cachetools import LRUCache, TTLCache

from prioris_mcp.adapters.arxiv import ar5iv, files, queries
from prioris_mcp.adapters.arxiv.ar5iv import Ar5iv
from prioris_mcp.adapters.arxiv.client import ArxivApi
from prioris_mcp.adapters.http.gateway import Limits
from prioris_mcp.adapters.http.upstream import Upstream
from prioris_mcp.domain.documents import DocumentKey, Download, Resolution, SourceFormat
from prioris_mcp.domain.sources import arxiv
from prioris_mcp.domain.sources.arxiv import ARXIV, ArxivId
from prioris_mcp.domain.sources.providers import parse
from prioris_mcp.errors import FormatUnavailableError, InvalidRequestError, NotFoundError
from prioris_mcp.models.arxiv import ArxivCategories, ArxivMetadataResult, ArxivRecord, ArxivSearchResult
from prioris_mcp.ports.library import Catalogue
from prioris_mcp.ports.parsing import Progress
from prioris_mcp.ports.sources import SortBy, SortOrder
from prioris_mcp.remedies import Action, Remedy

HOSTS = arxiv.HOSTS | {"oaipmh.arxiv.org"}
"""Everything that arXiv's terms count as one service: one queue, one request in flight."""
_BATCH = 100
_MOST_DROPPED = 3
_REFUSED_ID = re.compile(r"incorrect id format for (\S+)")
_MOST_RECORDS = 1024


class ArxivProvider:
    """The arXiv source: FullTextSource and ArxivCatalogue of ``ports/sources.py``."""

    def __init__(
        self,
        api: ArxivApi,
        upstream: Upstream,
        store: Catalogue,
        *,
        download: Limits,
        pin_seconds: float,
        older: Ar5iv | None = None,
    ) -> None:
        """*pin_seconds*: how long the current version of an unversioned identifier is remembered.

        *older*: who is asked for pages of papers of which arXiv has none.
        """
        self._api, self._upstream, self._store, self._ar5iv = api, upstream, store, older
        self._download = download
        self._pins: TTLCache[str, ArxivId] = TTLCache(_MOST_RECORDS, pin_seconds)
        self._records: LRUCache[str, ArxivRecord] = LRUCache(_MOST_RECORDS)

    async def search(
        self, query: str, *, start: int, max_results: int, sort_by: SortBy, sort_order: SortOrder
    ) -> ArxivSearchResult:
        """One page of the papers that match *query* (arXiv's own syntax: bare words are OR-ed)."""
        url = queries.search(query, start, max_results, sort_by, sort_order)
        feed = await self._api.page(url, start, start + max_results)
        self._remember_current(feed.records)
        return ArxivSearchResult(results=list(feed.records), total_results=feed.total)

    async def list_top_n(self, include: Sequence[str], exclude: Sequence[str], n: int) -> ArxivSearchResult:
        """The *n* papers submitted last that are in every class of *include* and in none of *exclude*."""
        feed = await self._api.page(queries.newest(include, exclude, n), 0, n)
        self._remember_current(feed.records)
        unknown = () if feed.records else queries.unknown([*include, *exclude])
        warnings = tuple(
            f"{code}: no subject class has this code; read research://arxiv/categories" for code in unknown
        )
        return ArxivSearchResult(results=list(feed.records), total_results=len(feed.records), warnings=warnings)

    async def categories(self) -> ArxivCategories:
        """All subject classes, by code."""
        return await self._api.categories()

    async def fetch_metadata(self, identifiers: Sequence[str]) -> ArxivMetadataResult:
        """The records of *identifiers* in their order; what is malformed or unknown is ``not_found``."""
        if not identifiers:
            raise InvalidRequestError("arxiv_ids must name at least one paper, such as 2106.09685")
        read = {text: _read(text) for text in identifiers}
        found = await self._look_up(identifier for identifier in read.values() if identifier)
        answers = [(text, found.get(identifier) if (identifier := read[text]) else None) for text in identifiers]
        return ArxivMetadataResult(
            results=[record for _, record in answers if record],
            not_found=list(dict.fromkeys(text for text, record in answers if not record)),
        )

    async def pin(self, identifier: str, format: SourceFormat) -> DocumentKey:
        wanted = parse(ARXIV, identifier)
        if wanted.version == 0:
            raise _unknown(wanted, "versions begin at v1")
        known = wanted if wanted.pinned else self._pins.get(wanted.base)
        if known is None:
            record = (await self._look_up([wanted])).get(wanted)
            if record is None:
                raise _unknown(wanted)
            known = parse(ARXIV, record.arxiv_id)
        return ARXIV.key(known, format)

    async def recall(self, identifier: str, format: SourceFormat) -> DocumentKey | None:
        wanted = parse(ARXIV, identifier)
        if wanted.pinned:
            return ARXIV.key(wanted, format)
        stored = await self._store.versions(ARXIV.name, wanted.base, format)
        pinned = self._pins.get(wanted.base)
        current = ARXIV.key(pinned, format) if pinned else None
        return current if current in stored else next(reversed(stored), None)

    async def resolve(self, identifier: str, format: SourceFormat) -> Resolution:
        key = await self.pin(identifier, format)
        return Resolution(key, f"https://arxiv.org/{format}/{key.identifier}")

    async def download(self, key: DocumentKey, progress: Progress | None = None) -> Download:
        identifier = parse(ARXIV, key.identifier)
        record = self._records.get(key.identifier) or (await self._look_up([identifier])).get(identifier)
        if record is None:
            raise _unknown(identifier, await self._newer(identifier))
        page = f"https://arxiv.org/html/{key.identifier}"
        url = record.pdf_url if key.format is SourceFormat.PDF else page
        answer = await self._upstream.get(url, self._download, progress=progress)
        try:
            return Download(files.document(answer, key))
        except FormatUnavailableError as exc:
            if key.format is not SourceFormat.HTML or self._ar5iv is None or not await self._is_newest(identifier):
                raise
            return Download(await self._ar5iv.page(record, str(exc)), elsewhere=ar5iv.HOST)

    async def _is_newest(self, identifier: ArxivId) -> bool:
        """Return whether there is no later version, asking where that is not known."""
        if identifier.base not in self._pins:
            await self._look_up([ArxivId(identifier.base)])
        return self._pins.get(identifier.base) == identifier

    def is_paper(self, content: bytes, format: SourceFormat) -> bool:
        return files.is_paper(content, format)

    def files_at(self, key: DocumentKey) -> str:
        return f"https://arxiv.org/html/{key.identifier}/"

    async def _newer(self, identifier: ArxivId) -> str | None:
        """What there is instead of a version that there is not."""
        work = ArxivId(identifier.base)
        newest = self._pins.get(work.base)
        if newest is None and (record := (await self._look_up([work])).get(work)):
            newest = parse(ARXIV, record.arxiv_id)
        return f"the newest version is {newest}" if newest else None

    async def _look_up(self, identifiers: Iterable[ArxivId]) -> dict[ArxivId, ArxivRecord]:
        """What arXiv knows of *identifiers*; an unversioned one gets its newest version, which is remembered."""
        wanted = list(dict.fromkeys(identifiers))
        found: dict[ArxivId, ArxivRecord] = {}
        for start in range(0, len(wanted), _BATCH):
            records = await self._ask(wanted[start : start + _BATCH])
            found |= {identifier: record for record in records if (identifier := parse(ARXIV, record.arxiv_id)).pinned}
        for identifier, record in found.items():
            self._records[str(identifier)] = record
        for open_ in (identifier for identifier in wanted if not identifier.pinned):
            if newest := _newest(open_, found):
                self._pins[open_.base] = newest
                found[open_] = found[newest]
        return found

    def _remember_current(self, records: Iterable[ArxivRecord]) -> None:
        """A search finds current versions only: fetching one of its papers need not look it up again."""
        for record in records:
            if (identifier := parse(ARXIV, record.arxiv_id)).pinned:
                self._records[record.arxiv_id] = record
                self._pins[identifier.base] = identifier

    async def _ask(self, batch: list[ArxivId]) -> tuple[ArxivRecord, ...]:
        """One look-up; an identifier that arXiv calls malformed fails the whole batch, so it is left out."""
        names = [str(identifier) for identifier in batch]
        for _ in range(_MOST_DROPPED):
            try:
                return await self._api.look_up(names)
            except InvalidRequestError as exc:
                match = _REFUSED_ID.search(str(exc))
                if match is None or match[1] not in names:
                    raise
                names.remove(match[1])
                if not names:
                    return ()
        return await self._api.look_up(names)


def _unknown(wanted: ArxivId, why: str | None = None) -> NotFoundError:
    """For a well-formed identifier that names nothing; *why* says what would."""
    why = why or "arXiv knows no such paper"
    return NotFoundError(
        f"arXiv identifier not recognised: {wanted}: {why}; check the number, or look for the paper with ",
        Remedy(Action.SEARCH, ARXIV.name),
    )


def _read(text: str) -> ArxivId | None:
    try:
        return parse(ARXIV, text)
    except InvalidRequestError:
        return None


def _newest(work: ArxivId, among: Iterable[ArxivId]) -> ArxivId | None:
    versions = [found for found in among if found.base == work.base and found.pinned]
    return max(versions, key=lambda found: found.version or 0, default=None)
