"""Parse stored documents into stored Markdown: once, or anew where a newer parser makes better Markdown."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from prioris_mcp.app.concurrency import KeyedLock
from prioris_mcp.app.library import Library
from prioris_mcp.domain import chunks
from prioris_mcp.domain.changes import Parsed, Revision
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.errors import NotFoundError, ParseError, PriorisError
from prioris_mcp.ports.library import ParsedTexts
from prioris_mcp.ports.parsing import Parser, Progress
from prioris_mcp.remedies import Action, Remedy


class Parse:
    """Parse a stored document into the library. Never fetch."""

    def __init__(
        self,
        library: Library,
        store: ParsedTexts,
        parsers: Mapping[SourceFormat, Parser],
        runs: KeyedLock,
        stored: Callable[[], Awaitable[None]],
    ) -> None:
        """Call *stored* when there is new Markdown."""
        self._library, self._store, self._parsers = library, store, parsers
        self._runs, self._stored = runs, stored
        self.unreadable: set[DocumentKey] = set()
        """Hold the documents that could not be parsed since this process began."""

    def version(self, format_: SourceFormat) -> str:
        """Return the version of the parser that would be used now."""
        return self._parsers[format_].version

    async def once(self, key: DocumentKey, progress: Progress | None) -> Markdown:
        """Return the stored Markdown, made first if it is not there. Raise NotFoundError without a document."""
        if markdown := await self._store.read_markdown(key):
            return markdown
        await self._library.require(key)
        async with self._runs.hold("parse", key):
            while not (found := await self._store.read_markdown(key)):
                if made := await self._parse(key, await self._store.revision(key), progress):
                    return made
        return found

    async def anew(self, key: DocumentKey, progress: Progress | None) -> Markdown:
        """Return new Markdown in place of what is stored, which a failure leaves as it was.

        Raise NotFoundError where there is none to be replaced, or no longer once the new one is made.
        """
        async with self._runs.hold("parse", key):
            before = await self._store.revision(key)
            made = await self._parse(key, before, progress) if before.markdown else None
        if made is None:
            raise NotFoundError(f"the Markdown of {key} was deleted meanwhile, and stays so; read it again to have it")
        return made

    async def _parse(self, key: DocumentKey, since: Revision, progress: Progress | None) -> Markdown | None:
        """Return the new Markdown; None, and store nothing, where anything of *key* was deleted meanwhile."""
        content = await self._library.document(key)
        parser = self._parsers[key.format]
        try:
            markdown = await parser.parse(content, progress, self._library.files_at(key))
        except ParseError:
            self.unreadable.add(key)
            raise
        self.unreadable.discard(key)
        sections = chunks.split(key, markdown.text)
        if not await self._store.write_markdown(key, markdown, sections, parser.version, since):
            return None
        await self._stored()
        return markdown


class ReparseOutcome(StrEnum):
    """Tell what became of one Markdown that was to be renewed."""

    RENEWED = "renewed"
    UNCHANGED = "unchanged"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Renewal:
    """Report one renewal. *before* made the old Markdown; *failure* says why there is no new one."""

    key: DocumentKey
    before: str
    outcome: ReparseOutcome
    failure: PriorisError | None = None


class Reparse:
    """Renew Markdown from the stored originals. Ask no network."""

    def __init__(self, library: Library, store: ParsedTexts, parse: Parse) -> None:
        self._library, self._store, self._parse = library, store, parse

    async def everything(self) -> tuple[Parsed, ...]:
        """Return all stored Markdown."""
        return await self._store.parsed()

    async def outdated(self) -> tuple[Parsed, ...]:
        """Return the Markdown that another version of its parser has made."""
        return tuple(item for item in await self._store.parsed() if item.parser != self._parse.version(item.key.format))

    async def named(self, provider: ProviderName, identifier: str) -> tuple[Parsed, ...]:
        """Return the Markdown of one document in every parsed format. Raise NotFoundError where there is none."""
        keys = await self._library.recall_all(provider, identifier)
        found = tuple(item for item in await self._store.parsed() if item.key in keys)
        if not found:
            parse = Remedy(Action.PARSE, provider, identifier)
            raise NotFoundError(f"nothing of {provider} {identifier} was parsed yet; ", parse, " parses it")
        return found

    async def __call__(self, item: Parsed, progress: Progress | None = None) -> Renewal:
        """Renew one Markdown; keep the old one where its document cannot be parsed."""
        try:
            old = await self._store.read_markdown(item.key)
            new = await self._parse.anew(item.key, progress)
        except PriorisError as exc:
            return Renewal(item.key, item.parser, ReparseOutcome.FAILED, exc)
        return Renewal(item.key, item.parser, ReparseOutcome.UNCHANGED if new == old else ReparseOutcome.RENEWED)
