"""What the library holds: documents, named by a key whose identifier never changes its meaning."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType
from urllib.parse import quote

ProviderName = NewType("ProviderName", str)
"""The name of a source; `domain.sources.table` has a row for each."""


class SourceFormat(StrEnum):
    """Name the formats in which a source offers full text."""

    PDF = "pdf"
    HTML = "html"
    XML = "xml"

    @property
    def paged(self) -> bool:
        """Tell whether the format has pages."""
        return self is SourceFormat.PDF


class Artefact(StrEnum):
    """Tell what is kept of one document in one format: the bytes as fetched, and the Markdown made of them."""

    DOCUMENT = "document"
    MARKDOWN = "markdown"


@dataclass(frozen=True, slots=True, order=True)
class DocumentKey:
    """Name one document in one format.

    *identifier* is pinned: for a network source only that source's ``pin()`` makes one, so it always
    names the same bytes (``2106.09685v2``, never ``2106.09685``).
    """

    provider: ProviderName
    identifier: str
    format: SourceFormat

    def __str__(self) -> str:
        return f"{self.provider}:{self.identifier} ({self.format})"

    @property
    def work_digest(self) -> str:
        """Return the hex SHA-256 of provider and identifier: the name of the folder that all formats share."""
        return hashlib.sha256(json.dumps([self.provider, self.identifier]).encode()).hexdigest()

    def uri(self, what: str) -> str:
        """Return the resource address of this document's ``fulltext`` or ``markdown``, or of its ``images/{id}``."""
        return f"research://{self.provider}/{quote(self.identifier, safe='/:')}/{self.format}/{what}"


@dataclass(frozen=True, slots=True)
class Download:
    """Hold a document's bytes, and every other identifier of its source that means the same document.

    Name in *elsewhere* who had it, where that was not the source itself.
    """

    content: bytes
    aliases: tuple[str, ...] = ()
    elsewhere: str = ""


@dataclass(frozen=True, slots=True)
class Resolution:
    """Tell what an identifier means: a key, the address of its full text, and whether that can be fetched.

    *available* is None where the source does not say; *formats* are those in which there may be one.
    """

    key: DocumentKey
    url: str
    available: bool | None = None
    formats: tuple[SourceFormat, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """Hold one row of the catalogue: an artefact that is stored whole."""

    key: DocumentKey
    artefact: Artefact
    stored_at: str
    """ISO 8601, UTC."""
    size: int
    """Bytes."""
