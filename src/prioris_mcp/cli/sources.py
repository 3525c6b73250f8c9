"""Commands about papers: search, fetch, read."""

from __future__ import annotations

import argparse
from typing import Any

from prioris_mcp.app.services import Services
from prioris_mcp.cli.terminal import CommandResult, progress_line, wrapped
from prioris_mcp.domain.discovery import DiscoveryQuery, Work, route
from prioris_mcp.domain.documents import SourceFormat
from prioris_mcp.domain.markdown import Slice, Window
from prioris_mcp.domain.sources.providers import source_of
from prioris_mcp.domain.sources.spec import SourceSpec
from prioris_mcp.models.arxiv import ArxivRecord

_MOST_AUTHORS = 6


async def search(services: Services, options: argparse.Namespace) -> CommandResult:
    """Papers on arXiv."""
    progress_line("asking arXiv …")
    found = await services.arxiv.search(
        " ".join(options.query),
        start=options.start,
        max_results=options.max_results,
        sort_by="submittedDate" if options.newest else "relevance",
        sort_order="descending",
    )
    progress_line("")
    count = f"{len(found.results)} of {found.total_results} papers"
    return CommandResult(found.model_dump(), "\n".join([*map(_paper, found.results), count]))


async def discover(services: Services, options: argparse.Namespace) -> CommandResult:
    """Works of every publisher."""
    query = DiscoveryQuery(
        " ".join(options.query),
        options.max_results,
        options.page,
        options.from_year,
        options.to_year,
        options.open_access,
    )
    progress_line("asking OpenAlex …")
    found = await services.discover(query)
    progress_line("")
    facts = [
        {"openalex_id": work.openalex_id, "title": work.title, "year": work.year, "doi": work.doi, "next": _way(work)}
        for work in found.works
    ]
    count = f"{len(found.works)} works, {found.total} match"
    return CommandResult({"works": facts, "total": found.total}, "\n".join([*map(_work, found.works), count]))


async def fetch(services: Services, options: argparse.Namespace) -> CommandResult:
    """A paper into the library."""
    spec = source_of(options.identifier)
    progress_line(f"fetching {options.identifier} …")
    result = await services.fetch(spec.name, options.identifier, _format(options, spec), _bytes_done)
    progress_line("")
    facts = {
        "identifier": result.key.identifier,
        "format": result.key.format.value,
        "size_bytes": result.size_bytes,
        "served_from_storage": result.served_from_storage,
    }
    how = "was in the library already" if result.served_from_storage else "fetched"
    return CommandResult(facts, f"{result.key}: {how}, {result.size_bytes} bytes")


async def read(services: Services, options: argparse.Namespace) -> CommandResult:
    """A window of a stored document."""
    spec = source_of(options.identifier)
    window, format_ = Window(options.offset, options.limit, options.page), _format(options, spec)
    found = await services.parse(spec.name, options.identifier, format_, window, _pages_done)
    progress_line("")
    part = found.slice
    facts = {
        "identifier": found.key.identifier,
        "offset": part.span.start,
        "total_length": part.total_length,
        "total_pages": part.total_pages,
        "page_range": part.page_range,
        "has_more": part.has_more,
        "markdown": part.text,
    }
    return CommandResult(facts, part.text, _where(part))


def _format(options: argparse.Namespace, spec: SourceSpec[Any]) -> SourceFormat:
    return SourceFormat(options.format) if options.format else spec.formats[0]


async def _bytes_done(done: float, total: float) -> None:
    progress_line(f"fetching: {done / 1e6:.1f} of {total / 1e6:.1f} MB")


async def _pages_done(done: float, total: float) -> None:
    progress_line(f"parsing: {done:.0f} of {total:.0f} pages")


def _where(part: Slice) -> str:
    pages = f", pages {part.page_range[0]} to {part.page_range[1]} of {part.total_pages}" if part.page_range else ""
    more = f"; go on with --offset {part.span.end}" if part.has_more else ""
    return f"[characters {part.span.start} to {part.span.end} of {part.total_length}{pages}{more}]"


def _way(work: Work) -> str:
    """How a person gets at the full text."""
    way = route(work)
    if way.kind == "known_provider":
        return f"prioris-mcp fetch {way.identifier}"
    return (
        f"download {way.pdf_url}, then prioris-mcp add FILE"
        if way.pdf_url
        else "get the PDF, then prioris-mcp add FILE"
    )


def _work(work: Work) -> str:
    head = f"{work.year or 'no year'}  {work.doi or work.openalex_id}"
    return "\n".join([head, wrapped(work.title or "untitled", "  "), wrapped(_way(work), "  "), ""])


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
