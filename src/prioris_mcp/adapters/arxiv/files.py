"""arXiv's PDF and HTML files: what an answer from arxiv.org really is."""

from __future__ import annotations

from prioris_mcp.adapters.arxiv import pages
from prioris_mcp.adapters.arxiv.pages import PageKind
from prioris_mcp.adapters.http.gateway import Answer
from prioris_mcp.domain import pdfs
from prioris_mcp.domain.documents import DocumentKey, SourceFormat
from prioris_mcp.errors import FormatUnavailableError, ProviderUnavailableError

_PERMANENT = b"file unavailable"


def is_paper(content: bytes, format_: SourceFormat) -> bool:
    """Whether *content* is a whole paper in *format_*, by marks of its own, whatever its source said."""
    if format_ is SourceFormat.PDF:
        return pdfs.begins(content) and pdfs.ends(content)
    return pages.kind(content) is PageKind.PAPER


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
    if not pdfs.begins(answer.body):
        kind = answer.headers.get("content-type", "unknown type").split(";")[0][:100]
        raise _unusable(key, f"something that is no PDF ({kind}, {len(answer.body)} bytes)")
    if not pdfs.ends(answer.body):
        raise _unusable(key, f"a PDF that breaks off after {len(answer.body)} bytes")
    return answer.body


def _html(answer: Answer, key: DocumentKey) -> bytes:
    match pages.kind(answer.body):
        case PageKind.PAPER:
            return answer.body
        case PageKind.LISTING:
            raise FormatUnavailableError(_unavailable(key, "arXiv offers a list of files instead of one page"))
        case PageKind.NONE:
            raise FormatUnavailableError(_unavailable(key, _reason(answer)))
        case PageKind.CUT:
            raise _unusable(key, f"a page that breaks off after {len(answer.body)} bytes")
        case _:
            about = f": {heading}" if (heading := pages.heading(answer.body)) else ""
            raise _unusable(key, f"something that is no HTML paper ({len(answer.body)} bytes{about})")


def _unusable(key: DocumentKey, what: str) -> ProviderUnavailableError:
    return ProviderUnavailableError(
        f"arXiv answered HTTP 200 with {what} for {key}; nothing was stored, try again later"
    )


def _unavailable(key: DocumentKey, reason: str) -> str:
    other = "html" if key.format is SourceFormat.PDF else "pdf"
    return (
        f"arXiv offers no {key.format} of {key.identifier}: {reason};"
        f" try format='{other}', or an earlier version of the paper"
    )


def _reason(answer: Answer) -> str:
    """The heading of an error page, as plain text."""
    return pages.heading(answer.body) or f"HTTP {answer.status}"
