"""Every failure a caller can see, each with a category and whether trying again may help.

PriorisError
├── NotFoundError             the source or the library does not have it
├── FormatUnavailableError    the item exists, but not in this format
├── UnsupportedProviderError  no source of ours serves it
├── InvalidRequestError       the arguments are wrong
├── FileTooLargeError         more bytes than the limit allows
├── ParseError                the stored document could not be turned into Markdown
├── ConfigurationError        a setting is missing or wrong
├── StorageError              the library's disk or database failed
│   ├── DamagedDocumentError  a stored file does not hold what was stored
│   ├── StorageBusyError      another program is at work on it              (retryable)
│   └── IndexLostError        a search index had to begin anew              (retryable)
├── RateLimitedError          the source asked us to wait longer than we may   (retryable)
└── ProviderUnavailableError  the source did not answer, or not usefully       (retryable)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from prioris_mcp.remedies import Remedy


class PriorisError(Exception):
    """Base of all failures that may cross a border of this package: the parts of a sentence, with remedies in it."""

    code: ClassVar[str] = "internal_error"
    retryable: ClassVar[bool] = False
    args: tuple[str | Remedy, ...]

    def __init__(self, *sentence: str | Remedy) -> None:
        super().__init__(*sentence)

    def __str__(self) -> str:
        return self.said(str)

    def said(self, words: Callable[[Remedy], str]) -> str:
        """Return the sentence, with each remedy in the *words* of a user interface."""
        return "".join(part if isinstance(part, str) else words(part) for part in self.args)


class NotFoundError(PriorisError):
    """The source does not know the identifier, or the library does not hold it."""

    code = "not_found"


class FormatUnavailableError(PriorisError):
    """The item exists, but the source does not offer it in the requested format."""

    code = "format_unavailable"


class UnsupportedProviderError(PriorisError):
    """The identifier belongs to something that no source of ours serves."""

    code = "unsupported_provider"


class InvalidRequestError(PriorisError):
    """An argument is wrong: nothing was written, and nothing was sent unless the source itself refused it."""

    code = "invalid_request"


class FileTooLargeError(PriorisError):
    """The document is larger than the configured limit."""

    code = "file_too_large"


class ParseError(PriorisError):
    """The stored document could not be turned into Markdown; the document itself is kept."""

    code = "parse_failed"


class ConfigurationError(PriorisError):
    """A setting that this operation needs is missing or not allowed."""

    code = "configuration_error"


class StorageError(PriorisError):
    """The library could not be read or written; what was there before is unchanged."""

    code = "storage_failed"


class DamagedDocumentError(StorageError):
    """A stored file does not hold what was stored; fetching or parsing it anew mends it."""


class StorageBusyError(StorageError):
    """Another program holds or replaces the library's database; a retry can help."""

    retryable = True


class IndexLostError(StorageError):
    """A search index had to begin anew; what was asked of it can be asked again."""

    retryable = True


class RateLimitedError(PriorisError):
    """The source asks us to wait longer than the configured budget allows."""

    code = "rate_limited"
    retryable = True


class ProviderUnavailableError(PriorisError):
    """The source timed out, refused the connection, failed, or answered with something unusable."""

    code = "provider_unavailable"
    retryable = True


class MisdirectedError(ProviderUnavailableError):
    """The source points to a place where it is not asked; that does not change by trying again."""

    retryable = False
