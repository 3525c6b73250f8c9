"""Name files that hold one note each, and report what becomes of notes on their way."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from prioris_mcp.domain.notes.note import MergeOutcome, Note
from prioris_mcp.errors import PriorisError

_LONGEST = 60
_MOST_BYTES = 200
_MARKED_LATIN = re.compile(r"([A-Za-z])[\u0300-\u036f]+")


@dataclass(frozen=True, slots=True)
class NoteFile:
    """Name a Markdown file of a folder; *id* is that of the note in it, None where none is to be seen."""

    name: str
    id: str | None


@dataclass(frozen=True, slots=True)
class FileResult:
    """Report one file, what became of it, and what went wrong where it failed."""

    name: str
    fate: MergeOutcome
    failure: PriorisError | None = None


def file_name(note: Note) -> str:
    """Return a name that says what is in it, that no other note has, and that every file system takes."""
    return f"{_slug(note.content.text)}-{note.id}.md"


def _slug(text: str) -> str:
    """Return the first line with text as at most sixty letters and digits of any script, words joined by hyphens.

    Take the accents off Latin letters. Return no name that is longer than a file system takes.
    """
    line = text.strip()[:1000].splitlines()[0] if text.strip() else ""
    plain = _MARKED_LATIN.sub(r"\1", unicodedata.normalize("NFKD", line))
    letters = unicodedata.normalize("NFC", plain).lower()
    words = re.sub(r"-+", "-", "".join(letter if _is_word(letter) else "-" for letter in letters)).strip("-")
    if len(words) > _LONGEST:
        cut = words[: _LONGEST + 1].rfind("-")
        words = words[: cut if cut > 0 else _LONGEST]
    while len(words.encode()) > _MOST_BYTES:
        words = words[:-1]
    return words or "note"


def _is_word(letter: str) -> bool:
    """Return whether it is a letter, a digit, or a mark on one, such as the vowels of Devanagari."""
    return unicodedata.category(letter)[0] in "LNM"
