"""The commands for people: the same use cases as the server's, shown as text or JSON."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from prioris_mcp.app.services import Services
from prioris_mcp.cli.terminal import progress_line, table, wrapped
from prioris_mcp.domain.documents import Entry, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Window
from prioris_mcp.errors import NotFoundError
from prioris_mcp.models.arxiv import ArxivRecord
from prioris_mcp.settings import Settings
from prioris_mcp.wiring import checks, open_services

QUIET = logging.WARNING
"""Commands log less than the server: what goes wrong is said in their own words."""
_MOST_AUTHORS = 6


async def run(options: argparse.Namespace, settings: Settings) -> int:
    """Run the command that *options* name, and return its exit code."""
    if options.command == "doctor":
        return doctor(settings)
    async with open_services(settings) as services:
        await _COMMANDS[options.command](services, options)
    return 0


def doctor(settings: Settings) -> int:
    """One line for each thing the server depends on; 1 if something needed is broken."""
    found = checks(settings)
    marks = {True: "ok", False: "FAILED", None: "-"}
    print(table([[check.name, marks[check.ok], check.text] for check in found]))
    return 1 if any(check.ok is False for check in found) else 0


async def _search(services: Services, options: argparse.Namespace) -> None:
    progress_line("asking arXiv …")
    found = await services.arxiv.search(
        " ".join(options.query),
        start=options.start,
        max_results=options.max_results,
        sort_by="submittedDate" if options.newest else "relevance",
        sort_order="descending",
    )
    progress_line("")
    if options.json:
        print(found.model_dump_json(indent=2))
        return
    for record in found.results:
        print(_paper(record))
    print(f"{len(found.results)} of {found.total_results} papers")


async def _fetch(services: Services, options: argparse.Namespace) -> None:
    progress_line(f"fetching {options.identifier} from arXiv …")
    result = await services.fetch(ProviderName.ARXIV, options.identifier, SourceFormat(options.format))
    progress_line("")
    facts = {
        "identifier": result.key.identifier,
        "format": result.key.format.value,
        "size_bytes": result.size,
        "served_from_storage": result.from_storage,
    }
    how = "was in the library already" if result.from_storage else "fetched"
    _say(options, facts, f"{result.key}: {how}, {result.size} bytes")


async def _read(services: Services, options: argparse.Namespace) -> None:
    async def progress(done: float, total: float) -> None:
        progress_line(f"parsing: {done:.0f} of {total:.0f} pages")

    window = Window(options.offset, options.limit, options.page)
    format_ = SourceFormat(options.format)
    try:
        read = await services.parse(ProviderName.ARXIV, options.identifier, format_, window, progress)
    except NotFoundError as exc:
        hint = f"prioris-mcp fetch {options.identifier} --format {format_}"
        raise NotFoundError(f"{exc} (here: {hint})") from exc
    progress_line("")
    part = read.slice
    facts = {
        "identifier": read.key.identifier,
        "offset": part.span.start,
        "total_length": part.total_length,
        "total_pages": part.total_pages,
        "page_range": part.page_range,
        "has_more": part.has_more,
        "markdown": part.text,
    }
    _say(options, facts, part.text)
    if not options.json:
        pages = f", pages {part.page_range[0]} to {part.page_range[1]} of {part.total_pages}" if part.page_range else ""
        more = f"; go on with --offset {part.span.end}" if part.has_more else ""
        print(f"[characters {part.span.start} to {part.span.end} of {part.total_length}{pages}{more}]", file=sys.stderr)


async def _list(services: Services, options: argparse.Namespace) -> None:
    provider = ProviderName(options.provider) if options.provider else None
    format_ = SourceFormat(options.format) if options.format else None
    entries = await services.store.list(provider, format_, offset=options.offset, limit=options.limit)
    rows = [_row(entry) for entry in entries.items]
    if options.json:
        print(json.dumps({"entries": rows, "total": entries.total}, indent=2))
        return
    if rows:
        print(table([list(rows[0]), *([str(value) for value in row.values()] for row in rows)]))
    print(f"{len(rows)} of {entries.total} entries")


def _row(entry: Entry) -> dict[str, str | int]:
    return {
        "provider": entry.key.provider.value,
        "identifier": entry.key.identifier,
        "format": entry.key.format.value,
        "artefact": entry.artefact.value,
        "size_bytes": entry.size,
        "stored_at": entry.stored_at,
    }


def _paper(record: ArxivRecord) -> str:
    names = [author.name for author in record.authors]
    shown = ", ".join(names[:_MOST_AUTHORS]) + (" and others" if len(names) > _MOST_AUTHORS else "")
    return "\n".join(
        [
            f"{record.arxiv_id}  {record.published[:10]}  {' '.join(record.categories)}",
            wrapped(record.title, "  "),
            wrapped(shown, "  "),
            "",
        ]
    )


def _say(options: argparse.Namespace, facts: dict[str, Any], text: str) -> None:
    print(json.dumps(facts, indent=2, ensure_ascii=False) if options.json else text)


_COMMANDS: dict[str, Callable[[Services, argparse.Namespace], Awaitable[None]]] = {
    "search": _search,
    "fetch": _fetch,
    "read": _read,
    "list": _list,
}
