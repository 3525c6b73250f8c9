"""What the application asks of the library: the durable store of fetched documents and their Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from prioris_mcp.domain.changes import Added, DocumentSpan, Parsed, Revision
from prioris_mcp.domain.chunks import Chunk
from prioris_mcp.domain.documents import Artefact, DocumentKey, Entry, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Image, Markdown
from prioris_mcp.domain.page import Page
from prioris_mcp.ports.changes import ChangeLog


class Catalogue(Protocol):
    """What is stored, and what it is called."""

    async def exists(self, key: DocumentKey, artefact: Artefact) -> int | None:
        """Size in bytes of the stored artefact; None where there is none."""
        ...

    async def versions(self, provider: ProviderName, base: str, format: SourceFormat) -> tuple[DocumentKey, ...]:
        """Keys ``{base}v{number}`` of which anything is stored in *format*, oldest version first."""
        ...

    async def find_alias(self, provider: ProviderName, alias: str) -> str | None:
        """The identifier that *alias* stands for."""
        ...

    async def aliases(self, provider: ProviderName, identifier: str) -> tuple[str, ...]:
        """Everything that stands for *identifier*."""
        ...

    async def list(
        self, provider: ProviderName | None, format: SourceFormat | None, *, offset: int, limit: int
    ) -> Page[Entry]:
        """One page of the catalogue, newest first."""
        ...


class Documents(Protocol):
    """Documents as they were fetched or handed in."""

    async def write_document(
        self, key: DocumentKey, content: bytes, *, original_identifier: str, aliases: Sequence[str] = ()
    ) -> None:
        """Keep *content* as fetched. A document is never replaced: a second write of one key changes nothing.

        *aliases* then stand for its identifier, until the last artefact under it is deleted.
        """
        ...

    async def add_document(
        self,
        provider: ProviderName,
        format: SourceFormat,
        content: bytes,
        *,
        alias: str,
        names: Iterable[str],
        original_identifier: str | None,
    ) -> Added:
        """Keep *content* under the identifier that *alias* stands for, or else under the first unused of *names*.

        *alias* then stands for it, until the last artefact under it is deleted. Two that add at once, in
        whatever processes, never get one name for two contents, nor two names for one alias.
        """
        ...

    async def read_document(self, key: DocumentKey) -> bytes | None:
        """The bytes as fetched; None where they are not stored."""
        ...

    async def delete(self, key: DocumentKey, artefacts: Sequence[Artefact]) -> tuple[Artefact, ...]:
        """Remove *artefacts* of *key*, and return those that were there."""
        ...


class ParsedTexts(ChangeLog[DocumentKey], Protocol):
    """Markdown of documents, with its sections and images, and the history of all of it."""

    async def revision(self, key: DocumentKey) -> Revision:
        """What is stored under *key* now."""
        ...

    async def write_markdown(
        self, key: DocumentKey, markdown: Markdown, chunks: Sequence[Chunk], parser: str, since: Revision | None = None
    ) -> bool:
        """Keep *markdown* with its leaves, *chunks* and images, in place of what an earlier parse left.

        With *since* only where that is still what is stored under *key*; else nothing is written, and False returned.
        """
        ...

    async def read_markdown(self, key: DocumentKey) -> Markdown | None:
        """The parsed Markdown; None where it is not stored."""
        ...

    async def read_chunks(self, key: DocumentKey) -> tuple[Chunk, ...]:
        """The sections of the stored Markdown in reading order; empty where it is not stored."""
        ...

    async def read_image(self, key: DocumentKey, image: str) -> Image | None:
        """An image of the stored Markdown by its id; None where there is none. Images go when their Markdown goes."""
        ...

    async def excerpts(self, places: Sequence[DocumentSpan]) -> tuple[str | None, ...]:
        """The text at each of *places*; None where the Markdown is no longer there."""
        ...

    async def parsed(self) -> tuple[Parsed, ...]:
        """Every stored Markdown with the parser that made it, oldest first."""
        ...


class StorageBackend(Catalogue, Documents, ParsedTexts, Protocol):
    """Documents and their Markdown, each under a key and an artefact.

    Every write is whole or not at all, also when the process is killed; what is listed can be read, and
    what is not listed is never served. Several processes may share one store. Failures of the disk are
    StorageError, and leave what was there before.
    """
