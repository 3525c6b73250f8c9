"""Offer the texts that vectors are made of: sections of documents, and notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prioris_mcp.domain.changes import Changes, Position
from prioris_mcp.domain.chunks import Chunk
from prioris_mcp.domain.documents import DocumentKey
from prioris_mcp.domain.markdown import Markdown, Span
from prioris_mcp.domain.vectors import Passage
from prioris_mcp.ports.library import ParsedTexts
from prioris_mcp.ports.notes import NotesBackend


class DocumentTexts:
    """Implement EmbeddingSource of ``ports/embedding.py`` over every stored Markdown."""

    def __init__(self, store: ParsedTexts) -> None:
        self._store = store

    async def changes(self, after: Position, most: int) -> Changes[DocumentKey]:
        return await self._store.changes(after, most)

    async def passages(self, key: DocumentKey) -> Sequence[Passage]:
        markdown = await self._store.read_markdown(key)
        return list(passages(markdown, await self._store.read_chunks(key))) if markdown else ()


class NoteTexts:
    """Implement EmbeddingSource of ``ports/embedding.py`` over the text of every note."""

    def __init__(self, notes: NotesBackend) -> None:
        self._notes = notes

    async def changes(self, after: Position, most: int) -> Changes[str]:
        return await self._notes.changes(after, most)

    async def passages(self, key: str) -> Sequence[Passage]:
        note = await self._notes.read(key)
        return [Passage("note", (), Span(0, len(note.content.text)), note.content.text)] if note else ()


def passages(markdown: Markdown, chunks: tuple[Chunk, ...]) -> Iterator[Passage]:
    """Return the own text of every section, down to its first deeper heading.

    Put the text that stands under no heading before them. Cut a document without headings at its leaves.
    """
    text = markdown.text
    if not chunks:
        for number, leaf in enumerate(markdown.leaves, 1):
            yield Passage(f"leaf-{number}", (), leaf, text[leaf.start : leaf.end])
        return
    lead = Span(0, chunks[0].span.start)
    if text[: lead.end].strip():
        yield Passage("lead", (), lead, text[: lead.end])
    for chunk, after in zip(chunks, (*chunks[1:], None), strict=True):
        end = min(chunk.span.end, after.span.start) if after else chunk.span.end
        own = text[chunk.span.start : end].partition("\n")[2]
        if own.strip():
            yield Passage(chunk.id, chunk.path, Span(chunk.span.start, end - chunk.span.start), own)
