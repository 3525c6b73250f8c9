"""Keep notes as files in a folder on the disk."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from anyio import to_thread

from prioris_mcp.adapters.notefiles import frontmatter
from prioris_mcp.domain.notes.files import NoteFile
from prioris_mcp.domain.notes.note import Note
from prioris_mcp.errors import InvalidRequestError, StorageError

T = TypeVar("T")
_GLANCE = 4096
"""Number of bytes at the beginning of a file in which its id is looked for."""


class DiskNoteFolder:
    """Implement NoteFolder of ``ports/notes.py``."""

    def __init__(self, root: Path) -> None:
        self._root = root

    async def holdings(self) -> tuple[NoteFile, ...]:
        return await _in_thread("read", lambda: tuple(sorted(self._files(), key=lambda filed: filed.name)))

    async def read(self, name: str) -> Note:
        return await _in_thread("read", lambda: frontmatter.read(_text(self._root / name)))

    async def write(self, name: str, note: Note, *, new: bool) -> None:
        path = self._root / name
        if new and (path.exists() or path.is_symlink()):
            raise InvalidRequestError("a file of this name holds something else; rename it, or export elsewhere")
        await _in_thread("written", lambda: _replace(path, frontmatter.written(note).encode()))

    def _files(self) -> Iterator[NoteFile]:
        for path in self._root.rglob("*.md"):
            parts = path.relative_to(self._root).parts
            if path.is_file() and not any(part.startswith(".") for part in parts):
                yield NoteFile("/".join(parts), _id(path))


async def _in_thread(verb: str, work: Callable[[], T]) -> T:
    try:
        return await to_thread.run_sync(work)
    except OSError as exc:
        raise StorageError(f"it could not be {verb}: {exc.strerror or 'the disk failed'}") from exc


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError:
        raise InvalidRequestError("it is no UTF-8 text") from None


def _id(path: Path) -> str | None:
    """Return the id of the note in a file; None for an unreadable one."""
    try:
        with path.open("rb") as file:
            return frontmatter.id_in(file.read(_GLANCE).decode(errors="replace"))
    except OSError:
        return None


def _replace(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    staged = path.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        staged.write_bytes(content)
        staged.replace(path)
    finally:
        staged.unlink(missing_ok=True)
