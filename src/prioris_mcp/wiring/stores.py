"""Open the files that a server keeps its state in, as late as each is needed."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime

from prioris_mcp.adapters.filesystem.backend import FilesystemStorageBackend, catalogue_of
from prioris_mcp.adapters.filesystem.blobs import Blobs
from prioris_mcp.adapters.filesystem.housekeeping import StoreMaintenance
from prioris_mcp.adapters.sqlite.coordination import SqliteGates, SqliteLeases
from prioris_mcp.adapters.sqlite.engine import Database
from prioris_mcp.adapters.sqlite.fts.index import SqliteFts5SearchIndex
from prioris_mcp.adapters.sqlite.notes.backend import SqliteNotesBackend
from prioris_mcp.adapters.sqlite.vectors.index import DOCUMENTS, NOTES, SqliteVectorIndex
from prioris_mcp.domain.documents import DocumentKey
from prioris_mcp.settings import Settings


@dataclass(frozen=True, slots=True)
class Stores:
    """Hold one object for each file or folder."""

    library: FilesystemStorageBackend
    house: StoreMaintenance
    leases: SqliteLeases
    gates: SqliteGates
    text: SqliteFts5SearchIndex
    vectors: SqliteVectorIndex[DocumentKey]
    note_vectors: SqliteVectorIndex[str]
    notes: SqliteNotesBackend

    @property
    def durable(self) -> tuple[Database, ...]:
        """Return the files that may not be lost."""
        return (self.house.database, self.notes.database)

    @property
    def disposable(self) -> tuple[Database, ...]:
        """Return the files that may be lost at any time."""
        holders = (self.leases, self.gates, self.text, self.vectors, self.note_vectors, self.notes.index)
        return tuple(holder.database for holder in holders)


def open_stores(settings: Settings, lifetimes: ExitStack) -> Stores:
    """Open all stores; *lifetimes* closes them."""
    memory = settings.vector_memory_mib * 2**20
    blobs, catalogue = Blobs(settings.storage_dir), catalogue_of(settings.storage_dir)
    stores = Stores(
        library=FilesystemStorageBackend(blobs, catalogue, now),
        house=StoreMaintenance(blobs, catalogue),
        leases=SqliteLeases(settings.storage_dir / "leases.sqlite"),
        gates=SqliteGates(settings.state_dir / "gates.sqlite"),
        text=SqliteFts5SearchIndex(settings.storage_dir / "search.sqlite3"),
        vectors=SqliteVectorIndex(settings.vector_dir / "vectors.sqlite3", DOCUMENTS, memory),
        note_vectors=SqliteVectorIndex(settings.vector_dir / "notes-vectors.sqlite3", NOTES, memory),
        notes=SqliteNotesBackend(settings.notes_dir),
    )
    indexes = (stores.text, stores.vectors, stores.note_vectors)
    for closing in (catalogue, stores.leases, stores.gates, *indexes, stores.notes):
        lifetimes.callback(closing.close)
    return stores


def now() -> str:
    """Return the time, ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
