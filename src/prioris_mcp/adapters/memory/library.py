"""Keep the library in memory: for tests, and the shortest statement of what a StorageBackend does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count

from prioris_mcp.domain.changes import Added, Change, Changes, DocumentSpan, Parsed, Position, Revision
from prioris_mcp.domain.chunks import Chunk
from prioris_mcp.domain.documents import Artefact, DocumentKey, Entry, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Image, Markdown
from prioris_mcp.domain.page import Page, PageRequest


@dataclass(frozen=True, slots=True)
class _Parsed:
    markdown: Markdown
    chunks: tuple[Chunk, ...]
    parser: str


class MemoryStorageBackend:
    """Implement StorageBackend, and forget everything when the process ends."""

    def __init__(self, now: Callable[[], str]) -> None:
        self._documents: dict[DocumentKey, bytes] = {}
        self._parsed: dict[DocumentKey, _Parsed] = {}
        self._entries: dict[tuple[DocumentKey, Artefact], Entry] = {}
        self._revisions: dict[tuple[DocumentKey, Artefact], str] = {}
        self._aliases: dict[tuple[ProviderName, str], str] = {}
        self._changes: dict[DocumentKey, int] = {}
        self._numbers = count(1)
        self._name = f"memory-{id(self)}"
        self._now = now

    async def exists(self, key: DocumentKey, artefact: Artefact) -> int | None:
        entry = self._entries.get((key, artefact))
        return entry.size if entry else None

    async def write_document(
        self,
        key: DocumentKey,
        content: bytes,
        *,
        original_identifier: str,  # noqa: ARG002
        aliases: Sequence[str] = (),
    ) -> None:
        if key not in self._documents:
            self._documents[key] = content
            self._list(key, Artefact.DOCUMENT, len(content))
            self._aliases |= {(key.provider, alias): key.identifier for alias in aliases}

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
        used = {key.identifier for key, _ in self._entries if key.provider == provider}
        known = await self.find_alias(provider, alias)
        key = DocumentKey(provider, known or next(name for name in names if name not in used), format)
        self._aliases[provider, alias] = key.identifier
        new = key not in self._documents
        await self.write_document(key, content, original_identifier=original_identifier or "")
        return Added(key, new)

    async def find_alias(self, provider: ProviderName, alias: str) -> str | None:
        return self._aliases.get((provider, alias))

    async def aliases(self, provider: ProviderName, identifier: str) -> tuple[str, ...]:
        return tuple(alias for (of, alias), name in self._aliases.items() if (of, name) == (provider, identifier))

    async def revision(self, key: DocumentKey) -> Revision:
        names = (self._revisions.get((key, artefact)) for artefact in (Artefact.DOCUMENT, Artefact.MARKDOWN))
        return Revision(*names)

    async def write_markdown(
        self, key: DocumentKey, markdown: Markdown, chunks: Sequence[Chunk], parser: str, since: Revision | None = None
    ) -> bool:
        if since not in (None, await self.revision(key)):
            return False
        self._parsed[key] = _Parsed(markdown, tuple(chunks), parser)
        self._list(key, Artefact.MARKDOWN, len(markdown.text.encode()))
        self._changes[key] = next(self._numbers)
        return True

    async def read_document(self, key: DocumentKey) -> bytes | None:
        return self._documents.get(key)

    async def read_markdown(self, key: DocumentKey) -> Markdown | None:
        parsed = self._parsed.get(key)
        return replace(parsed.markdown, images=()) if parsed else None

    async def read_chunks(self, key: DocumentKey) -> tuple[Chunk, ...]:
        parsed = self._parsed.get(key)
        return parsed.chunks if parsed else ()

    async def read_image(self, key: DocumentKey, image: str) -> Image | None:
        parsed = self._parsed.get(key)
        return next((found for found in parsed.markdown.images if found.id == image), None) if parsed else None

    async def versions(self, provider: ProviderName, base: str, format: SourceFormat) -> tuple[DocumentKey, ...]:
        numbers = {
            int(tail)
            for key, _ in self._entries
            if (key.provider, key.format) == (provider, format)
            and key.identifier.startswith(f"{base}v")
            and (tail := key.identifier[len(base) + 1 :]).isdecimal()
        }
        return tuple(DocumentKey(provider, f"{base}v{number}", format) for number in sorted(numbers))

    async def list(
        self, provider: ProviderName | None, format: SourceFormat | None, *, offset: int, limit: int
    ) -> Page[Entry]:
        found = [
            entry
            for entry in reversed(self._entries.values())
            if provider in (None, entry.key.provider) and format in (None, entry.key.format)
        ]
        return PageRequest(offset, limit).cut(found)

    async def parsed(self) -> tuple[Parsed, ...]:
        return tuple(Parsed(key, parsed.parser) for key, parsed in self._parsed.items())

    async def changes(self, after: Position, most: int) -> Changes[DocumentKey]:
        known = after.library == self._name
        later = sorted((at, key) for key, at in self._changes.items() if at > (after.number if known else 0))
        items = (Change(Position(self._name, at), key, key in self._parsed) for at, key in later[:most])
        return Changes(self._name, tuple(items), known)

    async def excerpts(self, places: Sequence[DocumentSpan]) -> tuple[str | None, ...]:
        found = [(self._parsed.get(place.key), place.span) for place in places]
        return tuple(parsed.markdown.text[span.start : span.end] if parsed else None for parsed, span in found)

    async def delete(self, key: DocumentKey, artefacts: Sequence[Artefact]) -> tuple[Artefact, ...]:
        gone = tuple(artefact for artefact in artefacts if self._entries.pop((key, artefact), None))
        for artefact in gone:
            del self._revisions[key, artefact]
        if Artefact.DOCUMENT in gone:
            del self._documents[key]
        if Artefact.MARKDOWN in gone:
            del self._parsed[key]
            self._changes[key] = next(self._numbers)
        if not any(kept.identifier == key.identifier for kept, _ in self._entries if kept.provider == key.provider):
            gone_work = (key.provider, key.identifier)
            self._aliases = {it: name for it, name in self._aliases.items() if (it[0], name) != gone_work}
        return gone

    def _list(self, key: DocumentKey, artefact: Artefact, size: int) -> None:
        self._revisions[key, artefact] = str(next(self._numbers))
        self._entries[key, artefact] = Entry(key, artefact, self._now(), size)
