"""Keep the full-text index up to date with the library."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence

from prioris_mcp.app.concurrency import Coalesced
from prioris_mcp.app.indexing.follower import Follower
from prioris_mcp.domain.changes import Change
from prioris_mcp.domain.chunks import Chunk
from prioris_mcp.domain.documents import DocumentKey
from prioris_mcp.domain.markdown import Markdown, Span
from prioris_mcp.domain.search import Section
from prioris_mcp.errors import StorageError
from prioris_mcp.ports.indexes import SearchIndex
from prioris_mcp.ports.library import ParsedTexts

_log = logging.getLogger(__name__)
_BATCH = 16
AT_ONCE = 200
"""Number of documents that one search may wait for."""


class Indexer:
    """Bring an index up to the library's last change."""

    def __init__(self, store: ParsedTexts, index: SearchIndex) -> None:
        self._follower = Follower(store, _Indexed(store, index))
        self._catching_up = Coalesced(lambda: self._follower.step(AT_ONCE))

    async def follow(self) -> None:
        """Apply all that the index lacks; log a failure, because the next search or start tries again."""
        try:
            while await self._follower.step(_BATCH):
                pass
        except StorageError as exc:
            _log.warning("the full-text index is behind the library for now: %s", exc)

    async def catch_up(self) -> None:
        """Apply what the index lacks by now, oldest change first, at most `AT_ONCE` documents."""
        await self._catching_up.run()


class _Indexed:
    def __init__(self, store: ParsedTexts, index: SearchIndex) -> None:
        self._store, self._index = store, index
        self.position, self.reset = index.position, index.reset

    async def apply(self, changes: Sequence[Change[DocumentKey]]) -> None:
        for change in changes:
            markdown = await self._store.read_markdown(change.key) if change.stored else None
            if markdown is None:
                await self._index.remove_document(change.key, change.at)
                continue
            chunks = await self._store.read_chunks(change.key)
            await self._index.index_entries(change.key, list(sections(markdown, chunks)), change.at)


def sections(markdown: Markdown, chunks: Iterable[Chunk]) -> Iterable[Section]:
    """Return every section at every level, and before them the text that stands under no heading.

    Cut a document without headings at its leaves.
    """
    found = list(chunks)
    lead = [Span(0, found[0].span.start)] if found else list(markdown.leaves)
    for span in lead:
        if text := markdown.text[span.start : span.end].strip():
            yield Section((), span, text)
    for chunk in found:
        yield Section(chunk.path, chunk.span, markdown.text[chunk.span.start : chunk.span.end])
