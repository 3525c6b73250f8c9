"""PDF to Markdown, page by page; runs in the worker process.

Every page of the document has its place in the text, also one that is blank, a scan, or could not be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from prioris_mcp.adapters.parsers.pdf_blocks import render
from prioris_mcp.adapters.parsers.pdf_ocr import Ocr
from prioris_mcp.adapters.parsers.pdf_pages import NO_PAGES, Page, read_pages
from prioris_mcp.adapters.parsers.pdf_polish import polish
from prioris_mcp.adapters.parsers.pdf_repair import rebuilt
from prioris_mcp.adapters.parsers.pdf_streams import Finding, Streams
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.errors import ParseError

_SNIFFED = 1024
_MAGIC = b"%PDF-"
_NOTICES = {
    Finding.DAMAGED: "[page {number} could not be read: its content is damaged]",
    Finding.TEXT: "[page {number} could not be read: it draws text that cannot be extracted]",
    Finding.IMAGE: "[page {number} is an image without a text layer; {hint}]",
    Finding.BLANK: "",
}
_UNMAPPED = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f]+")
"""Signs of fonts that do not tell their meaning, most often dashes and spaces: without them words would be glued."""


def parse(content: bytes, options: Mapping[str, object], progress: Callable[[int, int], None]) -> Markdown:
    """The Markdown of a PDF, one leaf a page, each ending with a blank line.

    Options: ``ocr`` (bool), ``tessdata`` (folder), ``language``. Raises ParseError when no page can be given.
    """
    ocr = Ocr.of(options)
    pages, pdf = _read(_from_magic(content), ocr, progress)
    polish([page.layout for page in pages])
    streams = Streams(pdf)
    shown = [_shown(number, page, streams, ocr) for number, page in enumerate(pages, 1)]
    return Markdown.of_pages([text.strip("\n") + "\n\n" for text in shown])


def _from_magic(content: bytes) -> bytes:
    """*content* without the junk some servers put before a PDF, which the library would take for another format."""
    start = content[: _SNIFFED + len(_MAGIC)].find(_MAGIC)
    if start < 0:
        raise ParseError("the document is not a PDF")
    return content[start:]


def _read(pdf: bytes, ocr: Ocr, progress: Callable[[int, int], None]) -> tuple[list[Page], bytes]:
    """The pages, and the bytes they were read from: those of a damaged file are put in order first."""
    try:
        return read_pages(pdf, ocr, progress), pdf
    except ParseError as exc:
        mended = rebuilt(pdf)
        if mended is None:
            raise
        pages = _attempt(mended, ocr, progress)
        if not any(page.shows_something for page in pages) and not (pages and str(exc) == NO_PAGES):
            raise
        return pages, mended


def _attempt(pdf: bytes, ocr: Ocr, progress: Callable[[int, int], None]) -> list[Page]:
    try:
        return read_pages(pdf, ocr, progress)
    except ParseError:
        return []


def _shown(number: int, page: Page, streams: Streams, ocr: Ocr) -> str:
    if page.error:
        return f"[page {number} could not be read: {page.error}]"
    # The blocks of vertical or rotated pages may be missing although there is text.
    text = render(page.layout.blocks) if page.layout.has_text else page.text.strip()
    if text or page.layout.has_text:
        return _UNMAPPED.sub(" ", text)
    finding = Finding.IMAGE if page.has_image else streams.examine(number)
    return _NOTICES[finding].format(number=number, hint=ocr.hint)
