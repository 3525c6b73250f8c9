"""What ``prioris-mcp doctor`` looks at."""

from __future__ import annotations

from datetime import UTC, datetime

from prioris_mcp import __version__
from prioris_mcp.adapters.filesystem.backend import FilesystemStorageBackend, catalogue_of
from prioris_mcp.adapters.filesystem.blobs import Blobs
from prioris_mcp.adapters.filesystem.housekeeping import Housekeeping
from prioris_mcp.adapters.parsers.pool import WorkerPool
from prioris_mcp.adapters.sqlite import abilities
from prioris_mcp.adapters.sqlite.engine import Database
from prioris_mcp.adapters.sqlite.notes import SqliteNotesBackend
from prioris_mcp.adapters.sqlite.text_index import SqliteFts5SearchIndex
from prioris_mcp.app import diagnosis
from prioris_mcp.app.diagnosis import Check
from prioris_mcp.app.indexing import Indexer
from prioris_mcp.errors import StorageError
from prioris_mcp.settings import Settings
from prioris_mcp.wiring.embedders import embedder_of
from prioris_mcp.wiring.parsers import parsers_over

_MEND = "prioris-mcp doctor --repair mends it"


def checks(settings: Settings) -> list[Check]:
    """One finding for each thing that the server depends on."""
    folders = ("storage_dir", "notes_dir", "vector_dir", "state_dir")
    return [
        Check("prioris-mcp", True, __version__),
        diagnosis.python(),
        diagnosis.sqlite(abilities.version(), abilities.missing()),
        *(diagnosis.folder(name, getattr(settings, name)) for name in folders),
        diagnosis.module("pdf parser", "liteparse"),
        diagnosis.module("html parser", "lxml"),
        diagnosis.ocr(
            settings.pdf_ocr_enabled,
            settings.pdf_ocr_tessdata_path,
            settings.pdf_ocr_language,
            settings.pdf_ocr_server_url,
        ),
        diagnosis.embedding(settings.embedding_model, embedder_of(settings).lacking()),
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
            index.discard()
            await Indexer(FilesystemStorageBackend(blobs, catalogue, now), index).follow()
            done.append("index built anew")
        survey = await house.survey()
        state = f"{survey.listed} artefacts, {survey.strays} strays, {survey.unlisted} not in the catalogue"
        sound = not (survey.strays or survey.unlisted)
        state = "; ".join([state, *done, *([] if sound or repair else [_MEND])])
        return [Check("library", sound, state), await _markdown_check(settings, blobs, catalogue)]
    except StorageError as exc:
        return [Check("library", False, f"{exc}; {_MEND}")]
    finally:
        index.close()
        catalogue.close()


async def notes_check(settings: Settings) -> Check:
    """Whether the notes can be read, and how many there are."""
    if not (settings.notes_dir / "notes.sqlite").is_file():
        return Check("notes", None, "none yet")
    notes = SqliteNotesBackend(settings.notes_dir)
    try:
        return Check("notes", True, f"{await notes.sound()} notes")
    except StorageError as exc:
        return Check("notes", False, f"{exc}; restore it from a copy, or from what `notes export` wrote")
    finally:
        notes.close()


async def _markdown_check(settings: Settings, blobs: Blobs, catalogue: Database) -> Check:
    versions = {format_: parser.version for format_, parser in parsers_over(settings, WorkerPool(1)).items()}
    return diagnosis.parsers(await FilesystemStorageBackend(blobs, catalogue, now).parsed(), versions)


def now() -> str:
    """The time, ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
