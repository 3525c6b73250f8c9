"""Files of the store: written whole, under names that are never used twice.

A name that is never used again cannot be deleted by one process while another writes it anew.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from prioris_mcp.adapters.owners import is_dead, new_owner
from prioris_mcp.domain.documents import DocumentKey
from prioris_mcp.errors import StorageError

T = TypeVar("T")

SIDECAR = "metadata.jsonl"


def folder_of(key: DocumentKey) -> str:
    """Folder of one format of one work, relative to the blob root: hashes and fixed words only."""
    return f"{key.work_digest}/{key.format}"


def new_name(kind: str) -> str:
    """A file name for one artefact or image, unlike any before."""
    return f"{kind}-{secrets.token_hex(6)}"


@dataclass(frozen=True, slots=True)
class Blobs:
    """The folder ``documents/`` of a store, and ``incoming/`` beside it for what is not yet placed."""

    root: Path

    @property
    def documents(self) -> Path:
        """Where placed files live, as ``{work}/{format}/{name}``."""
        return self.root / "documents"

    @property
    def _incoming(self) -> Path:
        return self.root / "incoming"

    def stage(self, content: bytes) -> Path:
        """Write *content* to disk, durably, where nobody reads; OSError leaves nothing behind."""
        self._incoming.mkdir(parents=True, exist_ok=True)
        path = self._incoming / new_owner()
        try:
            with path.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            path.unlink(missing_ok=True)
            raise
        return path

    def place(self, staged: Path, folder: str, name: str) -> None:
        """Move a staged file to its place. To be called inside the write transaction that lists it."""
        target = self.documents / folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        staged.replace(target)
        _sync_folder(target.parent)

    def read(self, folder: str, name: str) -> bytes | None:
        """The bytes of a placed file; None where it is not there."""
        try:
            return (self.documents / folder / name).read_bytes()
        except FileNotFoundError:
            return None

    def size(self, folder: str, name: str) -> int | None:
        """Size in bytes of a placed file; None where it is not there."""
        try:
            return (self.documents / folder / name).stat().st_size
        except FileNotFoundError:
            return None

    def remove(self, folder: str, name: str) -> None:
        """Delete one placed file, if it is there."""
        (self.documents / folder / name).unlink(missing_ok=True)

    def prune(self, folder: str) -> None:
        """Remove the format's folder and the work's, where they are empty."""
        path = self.documents / folder
        for level in (path, path.parent):
            with suppress(OSError):
                level.rmdir()

    def folders(self) -> Iterator[str]:
        """Every format folder, as ``{work}/{format}``."""
        for work in _folders(self.documents):
            for format_ in _folders(work):
                yield f"{work.name}/{format_.name}"

    def names_in(self, folder: str) -> list[str]:
        """The names of the files in *folder*."""
        path = self.documents / folder
        return sorted(child.name for child in path.iterdir()) if path.is_dir() else []

    def drop_abandoned(self) -> int:
        """Delete staged files whose process is gone; how many there were."""
        gone = [path for path in self._incoming.glob("*") if is_dead(path.name)]
        for path in gone:
            path.unlink(missing_ok=True)
        return len(gone)


def on_disk(work: Callable[..., T], *args: object) -> T:
    """Run *work*; a failing disk is a StorageError that names no path."""
    try:
        return work(*args)
    except OSError as exc:
        raise StorageError(f"the library's disk failed: {exc.strerror or type(exc).__name__}") from exc


def _folders(parent: Path) -> list[Path]:
    return sorted(path for path in parent.iterdir() if path.is_dir()) if parent.is_dir() else []


def _sync_folder(path: Path) -> None:
    """Make a rename durable. Where folders cannot be synchronised, the file system does it by itself."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        return
    finally:
        os.close(descriptor)
