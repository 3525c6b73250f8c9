"""Make the parsers, one for each format of documents."""

from __future__ import annotations

from collections.abc import Mapping

from prioris_mcp.adapters.parsers.workers.backends import (
    HtmlToMarkdownBackend,
    JatsMarkdownBackend,
    LiteParsePdfBackend,
)
from prioris_mcp.adapters.parsers.workers.pool import WorkerPool
from prioris_mcp.domain.documents import SourceFormat
from prioris_mcp.ports.parsing import Parser
from prioris_mcp.settings import Settings

Parsers = Mapping[SourceFormat, Parser]


def parsers_over(settings: Settings, pool: WorkerPool) -> Parsers:
    """Return all parsers; none starts anything before the first document."""
    seconds, memory = settings.parse_timeout_seconds, settings.parse_memory_mib * 2**20
    tessdata, headers = settings.pdf_ocr_tessdata_path, settings.pdf_ocr_server_headers
    options = {
        "ocr": settings.pdf_ocr_enabled,
        "tessdata": str(tessdata) if tessdata else None,
        "language": settings.pdf_ocr_language,
        "ocr_server": settings.pdf_ocr_server_url,
        "ocr_headers": {name: value.get_secret_value() for name, value in headers.items()},
        "images": settings.pdf_extract_images,
    }
    return {
        SourceFormat.PDF: LiteParsePdfBackend(pool, seconds=seconds, memory=memory, options=options),
        SourceFormat.HTML: HtmlToMarkdownBackend(pool, seconds=seconds, memory=memory),
        SourceFormat.XML: JatsMarkdownBackend(
            pool, seconds=seconds, memory=memory, at_once=settings.jats_max_concurrent_transforms
        ),
    }
