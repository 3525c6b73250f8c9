"""Commands about papers: search, fetch, read."""

from __future__ import annotations

import argparse

from prioris_mcp.app.services import Services
from prioris_mcp.cli.terminal import Outcome, progress_line, wrapped
from prioris_mcp.domain.documents import ProviderName, SourceFormat
from prioris_mcp.domain.localfiles import is_localfile
from prioris_mcp.domain.markdown import Slice, Window
from prioris_mcp.errors import NotFoundError
from prioris_mcp.models.arxiv import ArxivRecord

_MOST_AUTHORS = 6


async def search(services: Services, options: argparse.Namespace) -> Outcome:
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
    return Outcome(found.model_dump(), "\n".join([*map(_paper, found.results), count]))


async def fetch(services: Services, options: argparse.Namespace) -> Outcome:
    """A paper into the library."""
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
    return Outcome(facts, f"{result.key}: {how}, {result.size} bytes")


async def read(services: Services, options: argparse.Namespace) -> Outcome:
    """A window of a stored document."""
    provider = ProviderName.LOCALFILE if is_localfile(options.identifier) else ProviderName.ARXIV
    window, format_ = Window(options.offset, options.limit, options.page), SourceFormat(options.format)
    try:
        found = await services.parse(provider, options.identifier, format_, window, _pages_done)
    except NotFoundError as exc:
        fetch_it = f"fetch {options.identifier} --format {format_}"
        hint = f"prioris-mcp {'add FILE' if provider is ProviderName.LOCALFILE else fetch_it}"
        raise NotFoundError(f"{exc} (here: {hint})") from exc
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
    return Outcome(facts, part.text, _where(part))


async def _pages_done(done: float, total: float) -> None:
    progress_line(f"parsing: {done:.0f} of {total:.0f} pages")


def _where(part: Slice) -> str:
    pages = f", pages {part.page_range[0]} to {part.page_range[1]} of {part.total_pages}" if part.page_range else ""
    more = f"; go on with --offset {part.span.end}" if part.has_more else ""
    return f"[characters {part.span.start} to {part.span.end} of {part.total_length}{pages}{more}]"


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
