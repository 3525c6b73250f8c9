"""Keep fetched documents and their Markdown in the library, the durable store."""

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
    """List what is stored, and under which names.

    Example::

        size = await catalogue.exists(key, Artefact.MARKDOWN)  # bytes, or None
        newest = await catalogue.list(ProviderName("arxiv"), None, offset=0, limit=20)
    """

    async def exists(self, key: DocumentKey, artefact: Artefact) -> int | None:
        """Return the size of the stored artefact in bytes; None where it is not stored."""
        ...

    async def versions(self, provider: ProviderName, base: str, format: SourceFormat) -> tuple[DocumentKey, ...]:
        """Return the keys ``{base}v{number}`` of which anything is stored in *format*, oldest version first."""
        ...

    async def find_alias(self, provider: ProviderName, alias: str) -> str | None:
        """Return the identifier that *alias* stands for; None where it stands for none."""
        ...

    async def aliases(self, provider: ProviderName, identifier: str) -> tuple[str, ...]:
        """Return every alias that stands for *identifier*."""
        ...

    async def list(
        self, provider: ProviderName | None, format: SourceFormat | None, *, offset: int, limit: int
    ) -> Page[Entry]:
        """Return one page of the catalogue, newest entry first."""
        ...


class Documents(Protocol):
    """Keep documents as they were fetched or uploaded.

    Example::

        await documents.write_document(key, content, original_identifier="arXiv:2106.09685")
        content = await documents.read_document(key)  # None where it is not stored
    """

    async def write_document(
        self, key: DocumentKey, content: bytes, *, original_identifier: str, aliases: Sequence[str] = ()
    ) -> None:
        """Store *content* as fetched. Change nothing where *key* has a document already.

        Make *aliases* stand for its identifier, until the last artefact under that is deleted.
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
        """Store *content* under the identifier that *alias* stands for, or else under the first unused of *names*.

        Make *alias* stand for that identifier, until the last artefact under it is deleted. Never give one name to two
        contents, or two names to one alias, also where two processes add at once.
        """
        ...

    async def read_document(self, key: DocumentKey) -> bytes | None:
        """Return the bytes as fetched; None where they are not stored."""
        ...

    async def delete(self, key: DocumentKey, artefacts: Sequence[Artefact]) -> tuple[Artefact, ...]:
        """Delete *artefacts* of *key*, and return those that were stored."""
        ...


class ParsedTexts(ChangeLog[DocumentKey], Protocol):
    """Keep the Markdown of documents, with its sections and images, and the history of all of it.

    Example::

        since = await texts.revision(key)
        markdown = await parser.parse(content)
        kept = await texts.write_markdown(key, markdown, chunks, parser.version, since)
    """

    async def revision(self, key: DocumentKey) -> Revision:
        """Return which document and which Markdown are stored under *key* now."""
        ...

    async def write_markdown(
        self, key: DocumentKey, markdown: Markdown, chunks: Sequence[Chunk], parser: str, since: Revision | None = None
    ) -> bool:
        """Store *markdown* with its leaves, *chunks* and images, in place of what an earlier parse left.

        Write nothing and return False where *since* is given and is no longer what is stored under *key*.
        """
        ...

    async def read_markdown(self, key: DocumentKey) -> Markdown | None:
        """Return the parsed Markdown; None where it is not stored."""
        ...

    async def read_chunks(self, key: DocumentKey) -> tuple[Chunk, ...]:
        """Return the sections of the stored Markdown in reading order; none where it is not stored."""
        ...

    async def read_image(self, key: DocumentKey, image: str) -> Image | None:
        """Return one image of the stored Markdown by its id; None where there is none.

        Images are deleted with their Markdown.
        """
        ...

    async def excerpts(self, places: Sequence[DocumentSpan]) -> tuple[str | None, ...]:
        """Return the text at each of *places*; None for one whose Markdown is no longer stored."""
        ...

    async def parsed(self) -> tuple[Parsed, ...]:
        """Return every stored Markdown with the parser that made it, oldest first."""
        ...


class StorageBackend(Catalogue, Documents, ParsedTexts, Protocol):
    """Store documents and their Markdown, each under a key and an artefact.

    Make every write whole or not at all, also when the process is killed. Serve exactly what is listed. Let several
    processes share one store. Raise StorageError where the disk fails, and leave what was there before.

    Example::

        await storage.delete(key, [Artefact.MARKDOWN])
        assert await storage.read_markdown(key) is None
    """
