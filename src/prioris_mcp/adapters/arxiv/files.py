"""arXiv's PDF and HTML files: what an answer from arxiv.org really is."""

from __future__ import annotations

import html
import re

from prioris_mcp.adapters.http.gateway import Answer
from prioris_mcp.domain.documents import DocumentKey, SourceFormat
from prioris_mcp.errors import FormatUnavailableError, ProviderUnavailableError

_HEADING = re.compile(rb"<h1[^>]*>(.*?)</h1>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_SNIFFED = 1024
_LISTING = b"The following files are available for"
_PERMANENT = b"file unavailable"


def document(answer: Answer, key: DocumentKey) -> bytes:
    """The document in *answer*.

    FormatUnavailableError where arXiv says that there is none in this format, ProviderUnavailableError
    where the answer is not what it should be. An error page is never a document.
    """
    if answer.status == 404 or (answer.status == 500 and _PERMANENT in answer.body.lower()):
        raise FormatUnavailableError(_unavailable(key, _reason(answer)))
    if answer.status != 200:
        raise ProviderUnavailableError(
            f"arXiv answered HTTP {answer.status} (unexpected status) for {key}: {_reason(answer)}; try again later"
        )
    if key.format is SourceFormat.PDF:
        return _pdf(answer, key)
    return _html(answer, key)


def _pdf(answer: Answer, key: DocumentKey) -> bytes:
    if b"%PDF-" not in answer.body[:_SNIFFED]:
        kind = answer.headers.get("content-type", "unknown type").split(";")[0]
        raise ProviderUnavailableError(
            f"arXiv answered HTTP 200 with something that is no PDF ({kind}, {len(answer.body)} bytes) for {key};"
            " nothing was stored, try again later"
        )
    return answer.body


def _html(answer: Answer, key: DocumentKey) -> bytes:
    if _LISTING in answer.body:
        raise FormatUnavailableError(_unavailable(key, "arXiv offers a list of files instead of one page"))
    if b"<html" not in answer.body[: 8 * _SNIFFED].lower():
        raise ProviderUnavailableError(
            f"arXiv answered HTTP 200 with something that is no HTML page ({len(answer.body)} bytes) for {key};"
            " nothing was stored, try again later"
        )
    return answer.body


def _unavailable(key: DocumentKey, reason: str) -> str:
    other = "html" if key.format is SourceFormat.PDF else "pdf"
    return (
        f"arXiv offers no {key.format} of {key.identifier}: {reason};"
        f" try format='{other}', or an earlier version of the paper"
    )


def _reason(answer: Answer) -> str:
    """The heading of an error page, as plain text."""
    match = _HEADING.search(answer.body[:20000])
    text = html.unescape(_TAG.sub(" ", match[1].decode("utf-8", "replace"))) if match else ""
    return " ".join(text.split())[:200] or f"HTTP {answer.status}"
