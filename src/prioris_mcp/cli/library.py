"""Commands about the library: add, list, search-library, delete."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from anyio import to_thread

from prioris_mcp.app.catalogue import Deletion
from prioris_mcp.app.indexing.embedding import Rebuild
from prioris_mcp.app.search.documents import scope_of
from prioris_mcp.app.search.find import Citable
from prioris_mcp.app.services import Services
from prioris_mcp.cli import regular_files
from prioris_mcp.cli.remedies import said
from prioris_mcp.cli.terminal import CommandResult, progress_line, table, wrapped
from prioris_mcp.domain.documents import Entry, SourceFormat
from prioris_mcp.domain.notes.note import Note
from prioris_mcp.domain.page import PageRequest
from prioris_mcp.domain.search import Strength
from prioris_mcp.domain.sources.providers import source_of
from prioris_mcp.errors import InvalidRequestError, PriorisError

_DOUBTS: dict[Strength, str] = {
    "strong": "",
    "weak": "; none answers well",
    "none": "; the library has nothing on this",
}
_SNIPPETS = 20000
_PATIENCE = 60.0


async def add(services: Services, options: argparse.Namespace) -> CommandResult:
    """PDF files into the library; one that fails does not keep the others out."""
    facts: list[dict[str, Any]] = []
    for number, path in enumerate(options.files, 1):
        progress_line(f"adding {path.name} ({number} of {len(options.files)}) …")
        facts.append(await _added(services, path))
    progress_line("")
    failed = sum("error" in fact for fact in facts)
    return CommandResult(facts, "\n".join(map(_added_line, facts)), code=1 if failed else 0)


async def _added(services: Services, path: Path) -> dict[str, Any]:
    try:
        content = await to_thread.run_sync(regular_files.content, path)
        result = await services.add(content, path.name)
    except PriorisError as exc:
        return {"file": str(path), "error": said(exc)}
    except ValueError as exc:
        return {"file": str(path), "error": str(exc)}
    except OSError as exc:
        return {"file": str(path), "error": exc.strerror or type(exc).__name__}
    return {
        "file": str(path),
        "id": result.key.identifier,
        "size_bytes": result.size_bytes,
        "served_from_storage": result.served_from_storage,
    }


def _added_line(fact: dict[str, Any]) -> str:
    if "error" in fact:
        return f"{fact['file']}: {fact['error']}"
    how = ", was in the library already" if fact["served_from_storage"] else ""
    return f"{fact['file']}: {fact['id']}, {fact['size_bytes']} bytes{how}"


async def list_(services: Services, options: argparse.Namespace) -> CommandResult:
    """What the library holds."""
    scope = scope_of(options.provider, None, options.format)
    listed = await services.list(scope.provider, scope.format, PageRequest(options.offset, options.limit))
    rows = [_row(entry) for entry in listed.items]
    shown = table([list(rows[0]), *([str(value) for value in row.values()] for row in rows)]) + "\n" if rows else ""
    total = listed.total
    return CommandResult({"entries": rows, "total": total}, f"{shown}{len(rows)} of {total} entries")


async def search(services: Services, options: argparse.Namespace) -> CommandResult:
    """Passages of stored documents. What has no vectors yet gets them first, as far as that takes no minute."""
    await services.embedding.completed(_PATIENCE, _watch)
    if options.notes:
        await services.note_embedding.completed(_PATIENCE, _watch)
    progress_line("")
    scope = scope_of(options.provider, options.identifier, options.format)
    page = PageRequest(options.offset, options.limit)
    found = await services.find(" ".join(options.query), scope, page, _SNIPPETS, notes=options.notes)
    facts = {
        "hits": [_match(hit) for hit in found.hits.items],
        "total": found.hits.total,
        "strength": found.strength,
        "note": found.without_meaning,
    }
    count = f"{len(found.hits.items)} of {found.hits.total} passages{_DOUBTS[found.strength]}"
    return CommandResult(
        facts, "\n".join([*map(_shown, found.hits.items), count]), _gap(services, found.without_meaning)
    )


def _watch(rebuild: Rebuild) -> None:
    progress_line(f"building vectors ({rebuild.total - rebuild.pending} of {rebuild.total}) …")


def _gap(services: Services, without_meaning: str | None) -> str:
    """What the search could not take into account."""
    if without_meaning:
        return f"[words only: {without_meaning}]"
    left = services.embedding.rebuild.pending
    return f"[{left} documents have no vectors yet; search again, or leave a server running]" if left else ""


async def delete(services: Services, options: argparse.Namespace) -> CommandResult:
    """Documents out of the library."""
    format_ = SourceFormat(options.format) if options.format else None
    wanted = [
        Deletion(source_of(identifier).name, identifier, format_, options.artefact)
        for identifier in options.identifiers
    ]
    result = await services.delete(wanted)
    gone = [f"{item.provider}:{item.identifier} ({item.format})" for item in result.deleted]
    if not gone:
        raise InvalidRequestError(
            f"nothing in the library is called {', '.join(options.identifiers)}; prioris-mcp list shows what there is"
        )
    return CommandResult({"deleted": gone}, "\n".join(f"{name}: deleted" for name in gone))


def _row(entry: Entry) -> dict[str, str | int]:
    return {
        **asdict(entry.key),
        "artefact": entry.artefact,
        "size_bytes": entry.size,
        "stored_at": entry.stored_at,
    }


def _match(hit: Citable) -> dict[str, Any]:
    facts = {"title": hit.title, "section": list(hit.path), "pages": hit.pages, "score": round(hit.candidate.score, 4)}
    what = hit.candidate.what
    if isinstance(what, Note):
        subject = what.subject
        about = {"provider": subject.provider, "identifier": subject.identifier, "note_id": what.id}
        return {**about, **facts, "snippet": hit.snippet}
    return {**asdict(what.key), **facts, "offset": what.span.start, "snippet": hit.snippet}


def _shown(hit: Citable) -> str:
    what = hit.candidate.what
    if isinstance(what, Note):
        head = f"note {what.id} about {what.subject.provider}:{what.subject.identifier}"
        return f"{head}\n{wrapped(hit.snippet, '    ')}\n"
    first, last = hit.pages or (0, 0)
    pages = f", pages {first} to {last}" if last > first else f", page {first}" if first else ""
    where = " › ".join(hit.path) or hit.title
    head = f"{what.key}, from character {what.span.start}{pages}"
    return f"{head}\n{wrapped(where, '  ')}\n{wrapped(hit.snippet, '    ')}\n"
