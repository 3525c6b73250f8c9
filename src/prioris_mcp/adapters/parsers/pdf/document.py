"""PDF to Markdown, page by page; runs in the worker process.

Every page of the document has its place in the text, also one that is blank, a scan, or could not be read.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from prioris_mcp.adapters.parsers.markdown.interpreter import gc_paused
from prioris_mcp.adapters.parsers.pdf.blocks import Block, render
from prioris_mcp.adapters.parsers.pdf.border import neutral
from prioris_mcp.adapters.parsers.pdf.pictures import Gallery
from prioris_mcp.adapters.parsers.pdf.polish import polish
from prioris_mcp.adapters.parsers.pdf.reader.ocr import Ocr
from prioris_mcp.adapters.parsers.pdf.reader.pages import NO_PAGES, Page, read_pages
from prioris_mcp.adapters.parsers.pdf.reader.repair import rebuilt
from prioris_mcp.adapters.parsers.pdf.reader.scans import read_scans
from prioris_mcp.adapters.parsers.pdf.reader.streams import Finding, Streams
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.errors import ParseError

_SECONDS = 120.0
_SHARE = 0.8
"""Of the time for a document, the part after which no more pages are read by OCR."""
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


@gc_paused()
def parse(content: bytes, options: Mapping[str, object], progress: Callable[[int, int], None]) -> Markdown:
    """The Markdown of a PDF, one leaf a page, each ending with a blank line.

    Options: ``ocr`` (bool), ``tessdata`` (folder), ``language``, ``ocr_server`` (address) and ``ocr_headers`` for it,
    ``seconds`` for all, ``images`` (bool), ``files_at`` (where the text says that they are).
    Raises ParseError when no page can be given.
    """
    until = time.monotonic() + _SHARE * float(str(options.get("seconds") or _SECONDS))
    ocr = Ocr.of(options)
    files_at = str(options.get("files_at") or "") if options.get("images") else ""

    steps = _Steps(progress)

    def report(pages: list[Page], total: int) -> None:
        steps(sum(not (ocr.enabled and page.is_scan) for page in pages), total)

    read = partial(read_pages, progress=report, images=bool(files_at), stamped=ocr.enabled)
    pages, pdf = _read(_from_magic(content), read)
    streams = Streams(pdf)
    if ocr.enabled:
        scans = [replace(page, is_scan=_is_scan(number, page, streams)) for number, page in enumerate(pages, 1)]
        pages = read_scans(scans, pdf, ocr, lambda: until - time.monotonic(), steps)
    steps(len(pages), len(pages))
    gallery = Gallery([page.pictures for page in pages], files_at)
    polish([page.layout for page in pages])
    shown = [_shown(number, page, streams, ocr, gallery) for number, page in enumerate(pages, 1)]
    return replace(Markdown.of_pages([text.strip("\n") + "\n\n" for text in shown]), images=gallery.images)


class _Steps:
    """Reports progress, always more than before."""

    def __init__(self, progress: Callable[[int, int], None]) -> None:
        self._progress, self._last = progress, 0

    def __call__(self, done: int, total: int) -> None:
        if done > self._last:
            self._last = done
            self._progress(done, total)


def _from_magic(content: bytes) -> bytes:
    """*content* without the junk some servers put before a PDF, which the library would take for another format."""
    start = content[: _SNIFFED + len(_MAGIC)].find(_MAGIC)
    if start < 0:
        raise ParseError("the document is not a PDF")
    return content[start:]


def _read(pdf: bytes, read: Callable[[bytes], list[Page]]) -> tuple[list[Page], bytes]:
    """The pages, and the bytes they were read from: those of a damaged file are put in order first."""
    try:
        return read(pdf), pdf
    except ParseError as exc:
        mended = rebuilt(pdf)
        if mended is None:
            raise
        pages = _attempt(mended, read)
        if not any(page.shows_something for page in pages) and not (pages and str(exc) == NO_PAGES):
            raise
        return pages, mended


def _attempt(pdf: bytes, read: Callable[[bytes], list[Page]]) -> list[Page]:
    try:
        return read(pdf)
    except ParseError:
        return []


def _is_scan(number: int, page: Page, streams: Streams) -> bool:
    """Whether there is anything for OCR to read: blank pages look like scans to the library."""
    return page.is_scan and (page.has_image or streams.examine(number) in (Finding.IMAGE, Finding.TEXT))


def _shown(number: int, page: Page, streams: Streams, ocr: Ocr, gallery: Gallery) -> str:
    if page.error:
        return f"[page {number} could not be read: {page.error}]"
    blocks = page.layout.blocks
    if not page.layout.has_text:
        # The blocks of vertical or rotated pages may be missing although there is text.
        blocks = [Block("paragraph", page.text.strip() or _notice(number, page, streams, ocr))]
    blocks = [*map(neutral, blocks)]
    gallery.hang(number, page.pictures, blocks)
    text = render(blocks)
    return text if text.replace("\n", "").isprintable() else _UNMAPPED.sub(" ", text)


def _notice(number: int, page: Page, streams: Streams, ocr: Ocr) -> str:
    finding = Finding.IMAGE if page.has_image else streams.examine(number)
    return _NOTICES[finding].format(number=number, hint=page.unread or ocr.hint)
