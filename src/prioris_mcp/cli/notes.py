"""Commands about notes: list, search, export, import."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from typing import Any

from prioris_mcp.app.services import Services
from prioris_mcp.cli.remedies import said
from prioris_mcp.cli.terminal import CommandResult, progress_line, table
from prioris_mcp.domain.notes.files import FileResult
from prioris_mcp.domain.notes.note import MergeOutcome, Note, NoteFilter
from prioris_mcp.domain.page import PageRequest
from prioris_mcp.domain.search import FTS
from prioris_mcp.errors import InvalidRequestError
from prioris_mcp.wiring.notes import note_folder

_WIDEST = 60
_SILENT = (MergeOutcome.UNCHANGED,)


async def notes(services: Services, options: argparse.Namespace) -> CommandResult:
    """One of the four."""
    if options.action in ("list", "search"):
        return await _listed(services, options)
    if options.action == "import" and not options.folder.is_dir():
        raise InvalidRequestError(f"there is no folder {options.folder}; name one that there is")
    folder = note_folder(options.folder)
    progress_line(f"{options.action}ing notes …")
    move = services.note_files.export if options.action == "export" else services.note_files.import_
    moved = await move(folder, dry_run=options.dry_run)
    progress_line("")
    return _moved(moved, dry_run=options.dry_run)


async def _listed(services: Services, options: argparse.Namespace) -> CommandResult:
    keyword = " ".join(options.query) if options.action == "search" else None
    page = PageRequest(options.offset, options.limit)
    found = (await services.notes.search(NoteFilter(), None, keyword, FTS, page)).fts or page.of((), 0)
    rows = [_row(note) for note in found.items]
    shown = table([list(rows[0]), *([str(value) for value in row.values()] for row in rows)]) + "\n" if rows else ""
    return CommandResult({"notes": rows, "total": found.total}, f"{shown}{len(rows)} of {found.total} notes")


def _row(note: Note) -> dict[str, Any]:
    line = " ".join(note.content.text.split())
    return {
        "id": note.id,
        "created_at": str(note.created_at)[:19],
        "about": f"{note.subject.provider}:{note.subject.identifier}",
        "text": line if len(line) <= _WIDEST else f"{line[:_WIDEST]}…",
    }


def _moved(moved: Sequence[FileResult], *, dry_run: bool) -> CommandResult:
    counts = Counter(item.fate for item in moved)
    lines = [_line(item) for item in moved if item.fate not in _SILENT]
    total = ", ".join(f"{counts[fate]} {fate}" for fate in MergeOutcome if counts[fate]) or "no notes"
    facts = {
        "files": [{"file": item.name, "outcome": item.fate, "reason": said(item.failure)} for item in moved],
        "counts": {fate: counts[fate] for fate in MergeOutcome},
        "dry_run": dry_run,
    }
    what = f"{total} (dry run: nothing was done)" if dry_run else total
    return CommandResult(facts, "\n".join([*lines, what]), code=1 if counts[MergeOutcome.FAILED] else 0)


def _line(item: FileResult) -> str:
    return f"{item.name}: {said(item.failure) or item.fate}"
