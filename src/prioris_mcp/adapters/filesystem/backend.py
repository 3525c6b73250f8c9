"""Keep the library on a local disk: a catalogue in SQLite, and one file for each artefact."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import apsw
from anyio import to_thread

from prioris_mcp.adapters.filesystem import catalogue, images, schema
from prioris_mcp.adapters.filesystem.blobs import Blobs, folder_of, new_name, on_disk
from prioris_mcp.adapters.filesystem.catalogue import ArtefactRow
from prioris_mcp.adapters.filesystem.integrity import SoundFiles
from prioris_mcp.adapters.filesystem.sidecar import write_sidecar
from prioris_mcp.adapters.sqlite import history
from prioris_mcp.adapters.sqlite.engine import Database
from prioris_mcp.domain.changes import Added, Changes, DocumentSpan, Parsed, Position, Revision
from prioris_mcp.domain.chunks import Chunk
from prioris_mcp.domain.documents import Artefact, DocumentKey, Entry, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Image, Markdown
from prioris_mcp.domain.page import Page
from prioris_mcp.errors import DamagedDocumentError

T = TypeVar("T")


def catalogue_of(root: Path) -> Database:
    """Return the catalogue of the store in *root*; its owner closes it."""
    return Database(root / "catalogue.sqlite", schema.MIGRATIONS, numbered=True)


class FilesystemStorageBackend:
    """Implement StorageBackend of ``ports/library.py`` over one folder.

    Write the bytes first, then the row that lists them; delete the row first, then the bytes: this order keeps it
    whole. ``metadata.jsonl`` names at least what the catalogue lists, so it can be rebuilt.
    """

    def __init__(self, blobs: Blobs, database: Database, now: Callable[[], str]) -> None:
        """Take the time of a write from *now*, ISO 8601 in UTC."""
        self._blobs, self._database, self._now = blobs, database, now
        self._sound_files = SoundFiles(blobs)

    async def exists(self, key: DocumentKey, artefact: Artefact) -> int | None:
        row = await self._database.read(lambda db: catalogue.find(db, key, artefact))
        return row.size if row and await self._on_disk(self._blobs.size, row.folder, row.name) == row.size else None

    async def write_document(
        self, key: DocumentKey, content: bytes, *, original_identifier: str, aliases: Sequence[str] = ()
    ) -> None:
        def choose(db: apsw.Connection) -> ArtefactRow:
            for alias in aliases:
                catalogue.put_alias(db, key, alias)
            return replace(self._row(key, Artefact.DOCUMENT, content), original_identifier=original_identifier)

        if await self._sound(key) is None:
            await self._write(content, choose)

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
        there = ""
        known = await self.find_alias(provider, alias)
        sound = await self._sound(DocumentKey(provider, known, format)) if known else None

        def choose(db: apsw.Connection) -> ArtefactRow | None:
            nonlocal there
            free = (name for name in names if not catalogue.is_used(db, provider, name))
            key = DocumentKey(provider, catalogue.named(db, provider, alias) or next(free), format)
            catalogue.put_alias(db, key, alias)
            there = key.identifier
            stored = catalogue.find(db, key, Artefact.DOCUMENT)
            if stored and (known is None or stored.name == sound):
                return None
            return replace(self._row(key, Artefact.DOCUMENT, content), original_identifier=original_identifier)

        written = await self._write(content, choose)
        return Added(DocumentKey(provider, there, format), new=written)

    async def find_alias(self, provider: ProviderName, alias: str) -> str | None:
        return await self._database.read(lambda db: catalogue.named(db, provider, alias))

    async def aliases(self, provider: ProviderName, identifier: str) -> tuple[str, ...]:
        return await self._database.read(lambda db: tuple(catalogue.aliases(db, provider, identifier)))

    async def revision(self, key: DocumentKey) -> Revision:
        return await self._database.read(lambda db: _revision(db, key))

    async def write_markdown(
        self, key: DocumentKey, markdown: Markdown, chunks: Sequence[Chunk], parser: str, since: Revision | None = None
    ) -> bool:
        content = markdown.text.encode()
        row = replace(self._row(key, Artefact.MARKDOWN, content), parser=parser, paged=int(markdown.paged))
        shown = [images.row_of(image) for image in markdown.images]
        beside = {found.name: image.content for found, image in zip(shown, markdown.images, strict=True)}

        def choose(db: apsw.Connection) -> ArtefactRow | None:
            return row if since in (None, _revision(db, key)) else None

        def put_parts(db: apsw.Connection, number: int) -> None:
            catalogue.put_manifest(db, number, markdown, chunks)
            images.put(db, number, key, markdown, shown)

        return await self._write(content, choose, put_parts, beside)

    async def read_document(self, key: DocumentKey) -> bytes | None:
        found = await self._read(key, Artefact.DOCUMENT, lambda _db, _row: None)
        return found[1] if found else None

    async def read_markdown(self, key: DocumentKey) -> Markdown | None:
        try:
            found = await self._read(key, Artefact.MARKDOWN, lambda db, row: catalogue.leaves(db, row.id))
        except DamagedDocumentError:  # it is made anew from its document, as if it had never been
            return None
        return Markdown(found[1].decode(), found[2], bool(found[0].paged)) if found else None

    async def read_image(self, key: DocumentKey, image: str) -> Image | None:
        def work(db: apsw.Connection) -> Image | None:
            row = catalogue.find(db, key, Artefact.MARKDOWN)
            found = next((known for known in images.rows(db, row.id) if known.id == image), None) if row else None
            content = self._blobs.read(row.folder, found.name) if row and found else None
            if found is None or content is None:
                return None
            if hashlib.sha256(content).hexdigest() != found.sha256:
                raise DamagedDocumentError(f"the stored image {image} of {key} is damaged; parse the document anew")
            return Image(image, found.media_type, content)

        return await self._database.read(work)

    async def read_chunks(self, key: DocumentKey) -> tuple[Chunk, ...]:
        def work(db: apsw.Connection) -> tuple[Chunk, ...]:
            row = catalogue.find(db, key, Artefact.MARKDOWN)
            return catalogue.chunks(db, row) if row else ()

        return await self._database.read(work)

    async def versions(self, provider: ProviderName, base: str, format: SourceFormat) -> tuple[DocumentKey, ...]:
        found = await self._database.read(lambda db: catalogue.identifiers_from(db, provider, base, format))
        numbers = sorted(int(match[1]) for name in found if (match := re.fullmatch(r"v(\d+)", name[len(base) :])))
        return tuple(DocumentKey(provider, f"{base}v{number}", format) for number in numbers)

    async def list(
        self, provider: ProviderName | None, format: SourceFormat | None, *, offset: int, limit: int
    ) -> Page[Entry]:
        return await self._database.read(lambda db: catalogue.page(db, provider, format, offset, limit))

    async def parsed(self) -> tuple[Parsed, ...]:
        return await self._database.read(catalogue.parsed)

    async def changes(self, after: Position, most: int) -> Changes[DocumentKey]:
        def work(db: apsw.Connection) -> Changes[DocumentKey]:
            known = history.knows(db, after)
            found = catalogue.changes(db, after.number if known else 0, most)
            return Changes(catalogue.library_id(db), tuple(found), known)

        return await self._database.read(work)

    async def excerpts(self, places: Sequence[DocumentSpan]) -> tuple[str | None, ...]:
        def text(db: apsw.Connection, key: DocumentKey) -> str | None:
            row = catalogue.find(db, key, Artefact.MARKDOWN)
            content = self._blobs.read(row.folder, row.name) if row else None
            if row is None or content is None or len(content) != row.size:
                return None
            return content.decode(errors="replace")

        def work(db: apsw.Connection) -> tuple[str | None, ...]:
            texts = {key: text(db, key) for key in {place.key for place in places}}
            found = ((texts[place.key], place.span) for place in places)
            return tuple(None if text is None else text[span.start : span.end] for text, span in found)

        return await self._database.read(work)

    async def delete(self, key: DocumentKey, artefacts: Sequence[Artefact]) -> tuple[Artefact, ...]:
        names: list[str] = []

        def work(db: apsw.Connection) -> tuple[Artefact, ...]:
            rows = [row for row in catalogue.find_all(db, key) if row.artefact in artefacts]
            names[:] = [name for row in rows for name in _files(db, row)]
            for row in rows:
                catalogue.remove(db, key, row.artefact)
            return tuple(row.artefact for row in rows)

        gone = await self._database.write(work, makes_room=True)
        if gone:
            await self._tidy(key, names)
        return gone

    def _row(self, key: DocumentKey, artefact: Artefact, content: bytes) -> ArtefactRow:
        digest = hashlib.sha256(content).hexdigest()
        return ArtefactRow(0, key, artefact, folder_of(key), new_name(artefact), len(content), digest, self._now())

    async def _write(
        self,
        content: bytes,
        choose: Callable[[apsw.Connection], ArtefactRow | None],
        also: Callable[[apsw.Connection, int], None] = lambda _db, _number: None,
        beside: Mapping[str, bytes] | None = None,
    ) -> bool:
        """Write bytes, then row. Run *choose* and *also* in the same transaction; pass the row's id to *also*.

        Write more files by name from *beside*. Return False where *choose* finds that there is nothing to write.
        """
        placed: list[ArtefactRow] = []
        staged: dict[str, Path] = {}

        def work(db: apsw.Connection) -> list[str]:
            row = choose(db)
            if row is None:
                return []
            before = catalogue.find(db, row.key, row.artefact)
            replaced = _files(db, before) if before else []
            placed.append(row)
            for name, path in staged.items():
                self._blobs.place(path, row.folder, name or row.name)
            also(db, catalogue.put(db, row))
            write_sidecar(self._blobs, db, row.key)
            return replaced

        try:
            for name, data in {"": content, **(beside or {})}.items():
                staged[name] = await self._on_disk(self._blobs.stage, data)
            replaced = await self._database.write(work)
        except BaseException:
            for row in placed:
                for name in staged:
                    self._blobs.remove(row.folder, name or row.name)
            raise
        finally:
            for path in staged.values():
                path.unlink(missing_ok=True)
        for name in replaced:
            await self._on_disk(self._blobs.remove, placed[0].folder, name)
        return bool(placed)

    async def _tidy(self, key: DocumentKey, names: Sequence[str]) -> None:
        """Remove the files of deleted rows, while no other process can write to their folder."""

        def work(db: apsw.Connection) -> None:
            folder = folder_of(key)
            for name in names:
                self._blobs.remove(folder, name)
            write_sidecar(self._blobs, db, key)

        await self._database.write(work)

    async def _read(
        self, key: DocumentKey, artefact: Artefact, more: Callable[[apsw.Connection, ArtefactRow], T]
    ) -> tuple[ArtefactRow, bytes, T] | None:
        """Return row, bytes, and what *more* reads beside the row; None where the artefact is not stored.

        Raise DamagedDocumentError where the bytes are not what was stored.
        """

        def look(db: apsw.Connection) -> tuple[ArtefactRow, T] | None:
            row = catalogue.find(db, key, artefact)
            return (row, more(db, row)) if row else None

        seen = ""
        while (found := await self._database.read(look)) and found[0].name != seen:
            row, seen = found[0], found[0].name
            content = await self._on_disk(self._sound_files.read, row)
            if content is not None:
                return row, content, found[1]
        return None

    async def _sound(self, key: DocumentKey) -> str | None:
        """Return the name of the file of a document that is there as it was stored."""
        try:
            found = await self._read(key, Artefact.DOCUMENT, lambda _db, _row: None)
        except DamagedDocumentError:
            return None
        return found[0].name if found else None

    async def _on_disk(self, work: Callable[..., T], *args: object) -> T:
        return await to_thread.run_sync(partial(on_disk, work, *args))


def _revision(db: apsw.Connection, key: DocumentKey) -> Revision:
    """Return the revision by the names of files, which are never used twice."""
    names = {row.artefact: row.name for row in catalogue.find_all(db, key)}
    return Revision(names.get(Artefact.DOCUMENT), names.get(Artefact.MARKDOWN))


def _files(db: apsw.Connection, row: ArtefactRow) -> list[str]:
    """Return the files of a row, those of its images among them."""
    return [row.name, *(image.name for image in images.rows(db, row.id))]
