"""Names for files that hold one note each, and what becomes of notes on their way."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from prioris_mcp.domain.notes import Fate, Note

_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Filed:
    """A Markdown file of a folder; *id* is that of the note in it, None where none is to be seen."""

    name: str
    id: str | None


@dataclass(frozen=True, slots=True)
class Moved:
    """One file, what became of it, and for a failure the reason."""

    name: str
    fate: Fate
    reason: str = ""


def file_name(note: Note) -> str:
    """A name that says what is in it, that no other note has, and that every file system takes."""
    return f"{_slug(note.content.text)}-{note.id}.md"


def _slug(text: str) -> str:
    """The first line with anything in it, in at most sixty of the characters a-z, 0-9 and the hyphen."""
    line = text.strip()[:1000].splitlines()[0] if text.strip() else ""
    plain = unicodedata.normalize("NFKD", line).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    if len(words) > _LONGEST:
        cut = words[: _LONGEST + 1].rfind("-")
        words = words[: cut if cut > 0 else _LONGEST]
    return words or "note"
