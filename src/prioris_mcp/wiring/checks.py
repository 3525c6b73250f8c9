"""Choose what ``prioris-mcp doctor`` looks at."""

from __future__ import annotations

from contextlib import ExitStack

from prioris_mcp import __version__
from prioris_mcp.adapters.filesystem.housekeeping import Survey, named
from prioris_mcp.adapters.parsers.workers.pool import WorkerPool
from prioris_mcp.adapters.sqlite.connections import missing_options, sqlite_version
from prioris_mcp.adapters.sqlite.database_file import NewerError
from prioris_mcp.adapters.sqlite.notes.backend import SqliteNotesBackend
from prioris_mcp.app.indexing.text import Indexer
from prioris_mcp.errors import StorageError
from prioris_mcp.ports.library import StorageBackend
from prioris_mcp.settings import Settings
from prioris_mcp.wiring import diagnosis
from prioris_mcp.wiring.diagnosis import Check
from prioris_mcp.wiring.embedders import embedder_of
from prioris_mcp.wiring.parsers import parsers_over
from prioris_mcp.wiring.stores import Stores, open_stores

_MEND = "prioris-mcp doctor --repair mends it"


def checks(settings: Settings) -> list[Check]:
    """Return one finding for each thing that the server depends on."""
    embedder = embedder_of(settings)
    folders = ("storage_dir", "notes_dir", "vector_dir", "state_dir")
    return [
        Check("prioris-mcp", True, __version__),
        diagnosis.python(),
        diagnosis.sqlite(sqlite_version(), missing_options()),
        *(diagnosis.folder(name, getattr(settings, name)) for name in folders),
        diagnosis.module("pdf parser", "liteparse"),
        diagnosis.module("html parser", "lxml"),
        diagnosis.ocr(
            settings.pdf_ocr_enabled,
            settings.pdf_ocr_tessdata_path,
            settings.pdf_ocr_language,
            settings.pdf_ocr_server_url,
        ),
        diagnosis.embedding(settings.embedding_model, embedder.unavailable_reason(), embedder.wrong()),
        diagnosis.key("openalex key", settings.openalex_api_key is not None),
    ]


def wrong_settings(settings: Settings) -> list[str]:
    """Return a sentence for each value that the disk shows to be of no use. No server starts with one."""
    named = settings.pdf_ocr_tessdata_path if "pdf_ocr_tessdata_path" in settings.model_fields_set else None
    reading = diagnosis.ocr(settings.pdf_ocr_enabled, named, settings.pdf_ocr_language, settings.pdf_ocr_server_url)
    tessdata = (
        f"PRIORIS_MCP_PDF_OCR_TESSDATA_PATH is not allowed: {reading.text}; name another folder, or leave it unset"
    )
    return [*filter(None, [embedder_of(settings).wrong()]), *([tessdata] if reading.ok is False else [])]


async def library_checks(settings: Settings, *, repair: bool) -> list[Check]:
    """Report the library's state; with *repair* mend it first, and say what was done."""
    if not settings.storage_dir.is_dir():
        return [Check("library", None, "empty: nothing was fetched yet")]
    with ExitStack() as lifetimes:
        stores = open_stores(settings, lifetimes)
        try:
            done = await _mended(stores) if repair else []
            survey = await stores.house.survey()
            return [_library(survey, done, repair=repair), await _markdown_check(settings, stores.library)]
        except StorageError as exc:
            hopeless = repair or isinstance(exc, NewerError)
            return [Check("library", False, str(exc) if hopeless else f"{exc}; {_MEND}")]


async def _mended(stores: Stores) -> list[str]:
    house = stores.house
    done = [
        f"{await house.recover()} artefacts listed again",
        f"{await house.let_go()} damaged ones let go",
        f"{await house.sweep()} strays removed",
    ]
    stores.text.database.discard()
    await Indexer(stores.library, stores.text).follow()
    return [*done, "index built anew"]


def _library(survey: Survey, done: list[str], *, repair: bool) -> Check:
    state = [f"{survey.listed} artefacts, {survey.strays} strays, {survey.unlisted} not in the catalogue"]
    if survey.damaged:
        state.append(f"damaged or gone: {named(survey.damaged)}")
    if survey.foreign:
        state.append(f"not the library's, and left alone: {named(survey.foreign)}")
    sound = not (survey.strays or survey.unlisted or survey.damaged)
    return Check("library", sound, "; ".join([*state, *done, *([] if sound or repair else [_MEND])]))


def index_check(settings: Settings, *, repair: bool) -> Check:
    """Report what is wrong with files that may be lost; with *repair* make room for new ones."""
    with ExitStack() as lifetimes:
        wrong = {}
        for database in open_stores(settings, lifetimes).disposable:
            if found := database.examine():
                wrong[found] = database
                if repair:
                    database.discard()
    if not wrong:
        return Check("indexes", True, "whatever is there can be used")
    then = "made anew at the next use" if repair else f"made anew at the next use, or {_MEND}"
    return Check("indexes", True if repair else None, f"{'; '.join(wrong)}; {then}")


async def notes_check(settings: Settings) -> Check:
    """Report whether the notes can be read, and how many there are."""
    path = settings.notes_dir / "notes.sqlite"
    if not (path.exists() or path.is_symlink()):
        return Check("notes", None, "none yet")
    notes = SqliteNotesBackend(settings.notes_dir)
    try:
        count, damaged = await notes.sound()
    except StorageError as exc:
        return Check("notes", False, f"{exc}; restore it from a copy, or from what `notes export` wrote")
    finally:
        notes.close()
    if damaged:
        return Check("notes", None, f"{count} notes; in part damaged, change or delete them: {named(damaged)}")
    return Check("notes", True, f"{count} notes")


async def _markdown_check(settings: Settings, library: StorageBackend) -> Check:
    versions = {format_: parser.version for format_, parser in parsers_over(settings, WorkerPool(1)).items()}
    return diagnosis.parsers(await library.parsed(), versions)
