"""Check what ``prioris-mcp doctor`` reports, without asking the network or changing anything."""

from __future__ import annotations

import importlib.util
import platform
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from prioris_mcp.domain.changes import Parsed
from prioris_mcp.domain.documents import SourceFormat

_OLDEST = (3, 11)
_NAMED = 10
"""Number of documents that one line names; the others are counted."""


@dataclass(frozen=True, slots=True)
class Check:
    """Report one finding. *ok* is None for something optional that is not there."""

    name: str
    ok: bool | None
    text: str


def python() -> Check:
    """Report the Python that runs this."""
    return Check("python", sys.version_info >= _OLDEST, f"{platform.python_version()} ({sys.executable})")


def sqlite(version: str, missing: list[str]) -> Check:
    """Report the SQLite of the library."""
    return Check(
        "sqlite", not missing, f"{version}, lacks {', '.join(missing)}" if missing else f"{version}, with FTS5"
    )


def folder(name: str, path: Path) -> Check:
    """Check that files can be written below *path*, which may be made when it is first needed."""
    existing = next(parent for parent in (path, *path.parents) if parent.exists())
    made = "" if existing == path else " (made when first needed)"
    try:
        with tempfile.TemporaryFile(dir=existing):
            return Check(name, True, f"{path}{made}")
    except OSError as exc:
        return Check(name, False, f"{path} cannot be written: {exc.strerror}")


def module(name: str, package: str) -> Check:
    """Check that a package that the server needs is installed."""
    found = importlib.util.find_spec(package) is not None
    return Check(name, found, package if found else f"{package} is not installed; install this program again")


def ocr(enabled: bool, folder: Path | None, language: str, server: str | None = None) -> Check:
    """Check that scanned pages can be read. Name only the host of a server: its address may hold a secret."""
    if not enabled:
        return Check("ocr", None, "switched off")
    if server:
        return Check(
            "ocr", True, f"{language} by the server at {urlsplit(server).hostname}, which gets the scanned pages"
        )
    if folder is None:
        return Check(
            "ocr", None, "no language data: scanned pages are named, not read (PRIORIS_MCP_PDF_OCR_TESSDATA_PATH)"
        )
    lacking = [part for part in language.split("+") if not (folder / f"{part}.traineddata").is_file()]
    if lacking:
        return Check("ocr", False, f"{folder} has no {lacking[0]}.traineddata")
    return Check("ocr", True, f"{language} in {folder}")


def embedding(model: str, unavailable: str | None, wrong: str | None) -> Check:
    """Check that the model for semantic search can be used; with a *wrong* name no server starts."""
    if wrong:
        return Check("embedding model", False, wrong)
    return Check("embedding model", None if unavailable else True, f"{model}: {unavailable}" if unavailable else model)


def key(name: str, present: bool) -> Check:
    """Report whether a key is set; never which."""
    return Check(name, True if present else None, "set" if present else "not set: discovery is not available")


def parsers(stored: Sequence[Parsed], versions: Mapping[SourceFormat, str]) -> Check:
    """Report which Markdown was made by another version of its parser."""
    old = [
        f"{item.key} by {item.parser or 'one unknown'}" for item in stored if item.parser != versions[item.key.format]
    ]
    if not old:
        return Check("markdown", True, f"{len(stored)} documents, all by the parsers of this version")
    more = f" and {len(old) - _NAMED} more" if len(old) > _NAMED else ""
    named = ", ".join(old[:_NAMED]) + more
    text = (
        f"{len(old)} of {len(stored)} documents were parsed by other versions: {named}; prioris-mcp reparse renews them"
    )
    return Check("markdown", None, text)
