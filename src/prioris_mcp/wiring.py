"""The composition root: the one place where classes are chosen and objects that live are made."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime

from prioris_mcp import __version__
from prioris_mcp.adapters.arxiv.client import ArxivApi, refused
from prioris_mcp.adapters.arxiv.provider import HOSTS, ArxivProvider
from prioris_mcp.adapters.filesystem.backend import FilesystemStorageBackend, catalogue_of
from prioris_mcp.adapters.filesystem.blobs import Blobs
from prioris_mcp.adapters.filesystem.housekeeping import Housekeeping
from prioris_mcp.adapters.http.gates import FallbackGates
from prioris_mcp.adapters.http.gateway import Gateway, Limits
from prioris_mcp.adapters.http.throttle import Throttle
from prioris_mcp.adapters.http.upstream import Upstream
from prioris_mcp.adapters.localfile.provider import LocalFileProvider
from prioris_mcp.adapters.memory.coordination import MemoryGates
from prioris_mcp.adapters.memory.uploads import MemoryUploads
from prioris_mcp.adapters.parsers.isolated import HtmlToMarkdownBackend, LiteParsePdfBackend
from prioris_mcp.adapters.parsers.pool import WorkerPool
from prioris_mcp.adapters.sqlite import abilities
from prioris_mcp.adapters.sqlite.coordination import SqliteGates, SqliteLeases
from prioris_mcp.adapters.sqlite.text_index import SqliteFts5SearchIndex
from prioris_mcp.app import diagnosis
from prioris_mcp.app.diagnosis import Check
from prioris_mcp.app.fetching import Fetch, OneAtATime
from prioris_mcp.app.indexing import Indexer
from prioris_mcp.app.library import DeleteFromLibrary, ListLibrary
from prioris_mcp.app.reading import Library, ParseAndRead, ReadMarkdown
from prioris_mcp.app.searching import SearchLibrary
from prioris_mcp.app.services import Services
from prioris_mcp.app.uploads import AddFile, UploadFile
from prioris_mcp.domain.documents import ProviderName, SourceFormat
from prioris_mcp.domain.localfiles import UploadLimits
from prioris_mcp.domain.pacing import Pace
from prioris_mcp.errors import PriorisError, StorageError
from prioris_mcp.ports.parsing import Parser
from prioris_mcp.settings import Settings

_log = logging.getLogger(__name__)
_DOWNLOAD_PATIENCE = 4
"""A whole document may take this many times as long as the longest silence that is tolerated."""

Parsers = Mapping[SourceFormat, Parser]


@asynccontextmanager
async def open_services(settings: Settings, parsers: Parsers | None = None) -> AsyncGenerator[Services]:
    """The use cases over real adapters, for as long as the block lasts. Opens no file and no connection yet.

    *parsers*: in place of the real ones.
    """
    async with AsyncExitStack() as lifetimes:
        blobs, catalogue = Blobs(settings.storage_dir), catalogue_of(settings.storage_dir)
        store = FilesystemStorageBackend(blobs, catalogue, _now)
        leases = SqliteLeases(settings.storage_dir / "leases.sqlite")
        gates = SqliteGates(settings.state_dir / "gates.sqlite")
        index = SqliteFts5SearchIndex(settings.storage_dir / "search.sqlite3")
        for closing in (catalogue, leases, gates, index):
            lifetimes.callback(closing.close)
        gateway = _gateway(settings)
        lifetimes.push_async_callback(gateway.aclose)
        if parsers is None:
            pool = WorkerPool(settings.parse_max_concurrency)
            lifetimes.push_async_callback(pool.aclose)
            parsers = _parsers(settings, pool)
        arxiv = _arxiv(settings, gateway, FallbackGates(gates, MemoryGates()), store)
        indexer = Indexer(store, index)
        library = Library({ProviderName.ARXIV: arxiv, ProviderName.LOCALFILE: LocalFileProvider()}, store)
        runs = OneAtATime(leases)
        add = AddFile(store, settings.local_file_max_size_bytes, lambda: datetime.now(UTC))
        async with _background(Housekeeping(blobs, catalogue), indexer):
            yield Services(
                arxiv=arxiv,
                fetch=Fetch({ProviderName.ARXIV: arxiv}, store, runs),
                parse=ParseAndRead(library, store, parsers, runs, indexer, settings.max_inline_chars),
                read=ReadMarkdown(library, settings.max_inline_chars),
                library=library,
                add=add,
                upload=UploadFile(MemoryUploads(), add, _upload_limits(settings)),
                list=ListLibrary(store),
                delete=DeleteFromLibrary(library, store, indexer),
                search=SearchLibrary(library, store, index, indexer, settings.vector_search_default_limit),
            )


def checks(settings: Settings) -> list[Check]:
    """What ``prioris-mcp doctor`` shows: one finding for each thing that the server depends on."""
    folders = ("storage_dir", "notes_dir", "vector_dir", "state_dir")
    return [
        Check("prioris-mcp", True, __version__),
        diagnosis.python(),
        diagnosis.sqlite(abilities.version(), abilities.missing()),
        *(diagnosis.folder(name, getattr(settings, name)) for name in folders),
        diagnosis.module("pdf parser", "liteparse"),
        diagnosis.module("html parser", "lxml"),
        diagnosis.ocr(settings.pdf_ocr_enabled, settings.pdf_ocr_tessdata_path, settings.pdf_ocr_language),
        diagnosis.embedding(settings.embedding_model),
        diagnosis.key("openalex key", settings.openalex_api_key is not None),
    ]


async def library_checks(settings: Settings, *, repair: bool) -> list[Check]:
    """The library's state; with *repair* it is mended first, and the findings say what was done."""
    if not settings.storage_dir.is_dir():
        return [Check("library", None, "empty: nothing was fetched yet")]
    blobs, catalogue = Blobs(settings.storage_dir), catalogue_of(settings.storage_dir)
    index = SqliteFts5SearchIndex(settings.storage_dir / "search.sqlite3")
    house = Housekeeping(blobs, catalogue)
    try:
        done = []
        if repair:
            done = [f"{await house.recover()} artefacts listed again", f"{await house.sweep()} strays removed"]
            await index.reset("")
            await Indexer(FilesystemStorageBackend(blobs, catalogue, _now), index).follow()
            done.append("index built anew")
        survey = await house.survey()
        state = f"{survey.listed} artefacts, {survey.strays} strays, {survey.unlisted} not in the catalogue"
        sound = not (survey.strays or survey.unlisted)
        return [Check("library", sound, "; ".join([state, *done, *([] if sound or repair else [_MEND])]))]
    except StorageError as exc:
        return [Check("library", False, f"{exc}; {_MEND}")]
    finally:
        index.close()
        catalogue.close()


_MEND = "prioris-mcp doctor --repair mends it"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _gateway(settings: Settings) -> Gateway:
    if settings.unverified_https:
        _log.warning(
            "certificates of the sources are not checked (PRIORIS_MCP_UNVERIFIED_HTTPS): answers can be forged"
        )
    agent = f"PriorisMCP/{__version__} (Model Context Protocol server for research papers; one request at a time)"
    return Gateway(user_agent=agent, timeout=settings.http_timeout_seconds, verify=not settings.unverified_https)


def _arxiv(
    settings: Settings, gateway: Gateway, gates: FallbackGates, store: FilesystemStorageBackend
) -> ArxivProvider:
    seconds, most = settings.http_timeout_seconds, settings.max_download_bytes
    pace = Pace(
        spacing=settings.request_spacing_seconds,
        first_backoff=settings.request_spacing_seconds,
        budget=settings.rate_limit_backoff_budget_seconds,
    )
    queue_seconds = settings.rate_limit_backoff_budget_seconds + seconds
    throttle = Throttle("arxiv", "arXiv", gates, pace, queue_seconds)
    upstream = Upstream("arXiv", HOSTS, gateway, throttle, refused)
    return ArxivProvider(
        ArxivApi(upstream, Limits(seconds, most)),
        upstream,
        store,
        download=Limits(seconds * _DOWNLOAD_PATIENCE, most),
        pin_seconds=settings.response_cache_ttl,
    )


def _upload_limits(settings: Settings) -> UploadLimits:
    return UploadLimits(
        chunk=settings.local_file_upload_max_chunk_bytes,
        file=settings.local_file_max_size_bytes,
        sessions=settings.local_file_upload_max_concurrent_sessions,
        seconds=settings.local_file_upload_session_ttl_seconds,
    )


def _parsers(settings: Settings, pool: WorkerPool) -> Parsers:
    seconds, memory = settings.parse_timeout_seconds, settings.parse_memory_mib * 2**20
    tessdata = settings.pdf_ocr_tessdata_path
    ocr = {
        "ocr": settings.pdf_ocr_enabled,
        "tessdata": str(tessdata) if tessdata else None,
        "language": settings.pdf_ocr_language,
    }
    return {
        SourceFormat.PDF: LiteParsePdfBackend(pool, seconds=seconds, memory=memory, options=ocr),
        SourceFormat.HTML: HtmlToMarkdownBackend(pool, seconds=seconds, memory=memory),
    }


@asynccontextmanager
async def _background(house: Housekeeping, indexer: Indexer) -> AsyncGenerator[None]:
    """Work that goes on beside the calls: what a killed process left behind is cleared, the index completed."""

    async def heal() -> None:
        try:
            if swept := await house.sweep():
                _log.info("removed %d files that a stopped process had left behind", swept)
        except PriorisError as exc:
            _log.warning("the library could not be checked: %s", exc)
        await indexer.follow()

    task = asyncio.create_task(heal())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])
