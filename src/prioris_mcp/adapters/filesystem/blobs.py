"""Write files of the store whole, under names that are never used twice.

A name that is never used again cannot be deleted by one process while another writes it anew. A user may keep other
things in the same folders: only regular files with the store's own names, in folders with its own names, are ever read
or deleted, and never through a link.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import TypeVar

from prioris_mcp.adapters.owners import is_dead, is_owner, new_owner
from prioris_mcp.domain.documents import DocumentKey, SourceFormat
from prioris_mcp.errors import StorageError

T = TypeVar("T")

Stamp = tuple[int, int, int]
SIDECAR = "metadata.jsonl"
_FOLDER = re.compile(r"[0-9a-f]{64}")
_FORMATS = frozenset(SourceFormat)
_NAME = re.compile(r"(document|markdown|image)-[0-9a-f]{12}|metadata\.jsonl", re.ASCII)

_MOST_FOREIGN = 100
_ASIDE = "damaged-"


def folder_of(key: DocumentKey) -> str:
    """Return the folder of one format of one work, relative to the blob root: hashes and fixed words only."""
    return f"{key.work_digest}/{key.format}"


def new_name(kind: str) -> str:
    """Return a file name for one artefact or image, unlike any before."""
    return f"{kind}-{secrets.token_hex(6)}"


@dataclass(frozen=True, slots=True)
class Blobs:
    """Keep the folder ``documents/`` of a store, and ``incoming/`` beside it for what is not yet placed."""

    root: Path

    @property
    def documents(self) -> Path:
        """Return the folder where placed files live, as ``{work}/{format}/{name}``."""
        return self.root / "documents"

    @property
    def _incoming(self) -> Path:
        return self.root / "incoming"

    def stage(self, content: bytes) -> Path:
        """Write *content* to disk, durably, where nobody reads; leave nothing behind where that raises OSError."""
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
        """Move a staged file to its place. Call it inside the write transaction that lists it."""
        target = self.documents / folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if _is_folder(target):
            target.rename(target.with_name(f"{_ASIDE}{name}"))
        staged.replace(target)
        _sync_folder(target.parent)

    def read(self, folder: str, name: str) -> bytes | None:
        """Return the bytes of a placed file; None where it is not there."""
        path = self._path(folder, name)
        try:
            return path.read_bytes() if path and _is_file(path) else None
        except FileNotFoundError:
            return None

    def size(self, folder: str, name: str) -> int | None:
        """Return the size in bytes of a placed file; None where it is not there."""
        path = self._path(folder, name)
        try:
            return path.stat().st_size if path and _is_file(path) else None
        except FileNotFoundError:
            return None

    def stamp(self, folder: str, name: str) -> Stamp | None:
        """Return what changes when a placed file is touched; None where it is not there."""
        path = self._path(folder, name)
        try:
            found = path.stat() if path else None
        except FileNotFoundError:
            return None
        return (found.st_ino, found.st_mtime_ns, found.st_size) if found else None

    def remove(self, folder: str, name: str) -> None:
        """Delete one placed file, if it is there."""
        path = self._path(folder, name)
        if path and _is_file(path):
            path.unlink(missing_ok=True)

    def set_aside(self, folder: str, name: str) -> None:
        """Give a damaged file a name that is nobody's, so that whoever wants it finds it."""
        path = self._path(folder, name)
        if path and (path.exists() or path.is_symlink()):
            path.rename(path.with_name(f"{_ASIDE}{name}"))

    def prune(self, folder: str) -> None:
        """Remove the format's folder and the work's, where they are empty."""
        path = self.documents / folder
        for level in (path, path.parent):
            with suppress(OSError):
                level.rmdir()

    def empty_works(self) -> list[Path]:
        """Return empty folders of works, as a process leaves that was killed between two steps."""
        return [work for work in _folders(self.documents, _is_work) if not _children(work)]

    def prune_works(self) -> int:
        """Remove empty folders of works; return how many there were."""
        empty = self.empty_works()
        for work in empty:
            with suppress(OSError):
                work.rmdir()
        return len(empty)

    def folders(self) -> Iterator[str]:
        """Return every format folder of ours, as ``{work}/{format}``."""
        for work in _folders(self.documents, _is_work):
            for format_ in _folders(work, _FORMATS.__contains__):
                yield f"{work.name}/{format_.name}"

    def names_in(self, folder: str) -> list[str]:
        """Return the names of our files in *folder*."""
        return sorted(child.name for child in _children(self.documents / folder) if _is_ours(child))

    def foreign(self) -> list[str]:
        """Return what lies in the store's folders and is not the store's, relative to its root; at most 100 names."""
        return sorted(path.relative_to(self.root).as_posix() for path in islice(self._foreign(), _MOST_FOREIGN))

    def _foreign(self) -> Iterator[Path]:
        for staged in _children(self._incoming):
            if not is_owner(staged.name) or not staged.is_file(follow_symlinks=False):
                yield Path(staged)
        if self.documents.is_symlink():
            yield self.documents
        for work in _children(self.documents):
            if not _is_work(work.name) or not work.is_dir(follow_symlinks=False):
                yield Path(work)
                continue
            for format_ in _children(work):
                if format_.name not in _FORMATS or not format_.is_dir(follow_symlinks=False):
                    yield Path(format_)
                else:
                    yield from (Path(child) for child in _children(format_) if not _is_ours(child))

    def drop_abandoned(self) -> int:
        """Delete staged files whose process is gone; return how many there were."""
        gone = [
            found for found in _children(self._incoming) if is_dead(found.name) and found.is_file(follow_symlinks=False)
        ]
        for found in gone:
            Path(found).unlink(missing_ok=True)
        return len(gone)

    def _path(self, folder: str, name: str) -> Path | None:
        """Return where a file of ours is; None for what a damaged catalogue might name, which can be anywhere."""
        work, _, format_ = folder.partition("/")
        own = _is_work(work) and format_ in _FORMATS and _NAME.fullmatch(name)
        return self.documents / work / format_ / name if own else None


def on_disk(work: Callable[..., T], *args: object) -> T:
    """Run *work*. Raise StorageError, which names no path, where the disk fails."""
    try:
        return work(*args)
    except OSError as exc:
        reason = exc.strerror or "no reason given"
        raise StorageError(f"the library's disk failed: {reason}; check its room and the rights of its folder") from exc


def _children(parent: str | os.PathLike[str]) -> list[os.DirEntry[str]]:
    """Return what is in a folder; nothing where that is none, or a link to one. Entries know their kind."""
    if not _is_folder(parent):
        return []
    with os.scandir(parent) as found:
        return list(found)


def _folders(parent: str | os.PathLike[str], wanted: Callable[[str], bool]) -> list[Path]:
    return sorted(
        Path(found) for found in _children(parent) if wanted(found.name) and found.is_dir(follow_symlinks=False)
    )


def _is_folder(path: str | os.PathLike[str]) -> bool:
    return S_ISDIR(_mode(path))


def _is_file(path: str | os.PathLike[str]) -> bool:
    return S_ISREG(_mode(path))


def _mode(path: str | os.PathLike[str]) -> int:
    """Return the kind of what lies there, and not of what it links to; 0 for nothing."""
    try:
        return os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return 0


def _is_work(name: str) -> bool:
    return _FOLDER.fullmatch(name) is not None


def _is_ours(found: os.DirEntry[str]) -> bool:
    return _NAME.fullmatch(found.name) is not None and found.is_file(follow_symlinks=False)


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
