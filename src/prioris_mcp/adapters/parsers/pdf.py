"""PDF to Markdown, page by page; runs in the worker process.

Every page of the document has its place in the text, also one that is blank, a scan, or could not be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from prioris_mcp.adapters.parsers.pdf_ocr import Ocr
from prioris_mcp.adapters.parsers.pdf_pages import Page, read_pages
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
_EMPTY_FENCE = re.compile(r"\s*```\w*\s*```\s*")
"""What liteparse gives for a page without text."""


def parse(content: bytes, options: Mapping[str, object], progress: Callable[[int, int], None]) -> Markdown:
    """The Markdown of a PDF, one leaf a page, each ending with a blank line.

    Options: ``ocr`` (bool), ``tessdata`` (folder), ``language``. Raises ParseError when no page can be given.
    """
    pdf = _from_magic(content)
    ocr = Ocr.of(options)
    pages = read_pages(pdf, ocr, progress)
    streams = Streams(pdf)
    shown = [_shown(number, page, streams, ocr) for number, page in enumerate(pages, 1)]
    return Markdown.of_pages([text.strip("\n") + "\n\n" for text in shown])


def _from_magic(content: bytes) -> bytes:
    """*content* without the junk some servers put before a PDF, which the library would take for another format."""
    start = content[: _SNIFFED + len(_MAGIC)].find(_MAGIC)
    if start < 0:
        raise ParseError("the document is not a PDF")
    return content[start:]


def _shown(number: int, page: Page, streams: Streams, ocr: Ocr) -> str:
    if page.error:
        return f"[page {number} could not be read: {page.error}]"
    markdown = "" if _EMPTY_FENCE.fullmatch(page.markdown) else page.markdown
    # The Markdown of vertical or rotated pages may be empty although there is text.
    if text := markdown.strip() or page.text.strip():
        return _UNMAPPED.sub(" ", text)
    finding = Finding.IMAGE if page.has_image else streams.examine(number)
    return _NOTICES[finding].format(number=number, hint=ocr.hint)
