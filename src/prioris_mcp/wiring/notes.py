"""Make what only commands about notes need."""

from __future__ import annotations

from pathlib import Path

from prioris_mcp.adapters.notefiles.folder import DiskNoteFolder
from prioris_mcp.ports.notes import NoteFolder


def note_folder(path: Path) -> NoteFolder:
    """Return the folder at *path*, which need not be there yet."""
    return DiskNoteFolder(path)
