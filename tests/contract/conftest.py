"""Every test of this folder runs on every adapter named here; a new one adds an entry."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from prioris_mcp.adapters.filesystem.backend import FilesystemStorageBackend, catalogue_of
from prioris_mcp.adapters.filesystem.blobs import Blobs
from prioris_mcp.adapters.memory.coordination import MemoryGates, MemoryLeases
from prioris_mcp.adapters.memory.library import MemoryStorageBackend
from prioris_mcp.adapters.memory.notes import MemoryNotesBackend
from prioris_mcp.adapters.memory.text_index import MemorySearchIndex
from prioris_mcp.adapters.memory.vectors import MemoryVectorIndex
from prioris_mcp.adapters.sqlite.coordination import SqliteGates, SqliteLeases
from prioris_mcp.adapters.sqlite.fts.index import SqliteFts5SearchIndex
from prioris_mcp.adapters.sqlite.notes.backend import SqliteNotesBackend
from prioris_mcp.adapters.sqlite.vectors.index import DOCUMENTS, SqliteVectorIndex
from prioris_mcp.domain.documents import DocumentKey
from prioris_mcp.ports.coordination import Gates, Leases
from prioris_mcp.ports.embedding import VectorIndex
from prioris_mcp.ports.indexes import SearchIndex
from prioris_mcp.ports.library import StorageBackend
from prioris_mcp.ports.notes import NotesBackend


@pytest.fixture(params=["memory", "filesystem"])
def store(request: pytest.FixtureRequest, tmp_path: Path):
    """A StorageBackend whose clock counts seconds."""
    seconds = count()

    def now() -> str:
        return f"2026-01-01T00:00:{next(seconds):02d}+00:00"

    if request.param == "memory":
        yield MemoryStorageBackend(now)
        return
    catalogue = catalogue_of(tmp_path)
    backend: StorageBackend = FilesystemStorageBackend(Blobs(tmp_path), catalogue, now)
    yield backend
    catalogue.close()


@pytest.fixture(params=["memory", "sqlite"])
def leases(request: pytest.FixtureRequest, tmp_path: Path):
    """Leases of each kind."""
    if request.param == "memory":
        yield MemoryLeases()
        return
    found = SqliteLeases(tmp_path / "leases.sqlite")
    port: Leases = found
    yield port
    found.close()


@pytest.fixture(params=["memory", "sqlite"])
def gates(request: pytest.FixtureRequest, tmp_path: Path):
    """Gates of each kind."""
    if request.param == "memory":
        yield MemoryGates()
        return
    found = SqliteGates(tmp_path / "gates.sqlite")
    port: Gates = found
    yield port
    found.close()


@pytest.fixture(params=["memory", "sqlite"])
def index(request: pytest.FixtureRequest, tmp_path: Path):
    """A SearchIndex of each kind."""
    if request.param == "memory":
        yield MemorySearchIndex()
        return
    found = SqliteFts5SearchIndex(tmp_path / "search.sqlite3")
    port: SearchIndex = found
    yield port
    found.close()


@pytest.fixture(params=["memory", "sqlite", "streamed"])
def vectors(request: pytest.FixtureRequest, tmp_path: Path):
    """A VectorIndex of each kind."""
    if request.param == "memory":
        yield MemoryVectorIndex()
        return
    found = SqliteVectorIndex(
        tmp_path / "vectors.sqlite3", DOCUMENTS, memory=0 if request.param == "streamed" else 2**28
    )
    port: VectorIndex[DocumentKey] = found
    yield port
    found.close()


@pytest.fixture(params=["memory", "sqlite"])
def notes(request: pytest.FixtureRequest, tmp_path: Path):
    """A NotesBackend of each kind."""
    if request.param == "memory":
        yield MemoryNotesBackend()
        return
    found = SqliteNotesBackend(tmp_path / "notes")
    port: NotesBackend = found
    yield port
    found.close()
