"""The library on a local disk: a catalogue in SQLite, and one file for each artefact."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import apsw
from anyio import to_thread

from prioris_mcp.adapters.filesystem import catalogue
from prioris_mcp.adapters.filesystem.blobs import SIDECAR, Blobs, folder_of, new_name
from prioris_mcp.adapters.filesystem.catalogue import Row
from prioris_mcp.adapters.sqlite.engine import Database
from prioris_mcp.domain.chunks import Chunk
from prioris_mcp.domain.documents import Artefact, DocumentKey, Entries, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.errors import StorageError

T = TypeVar("T")


class FilesystemStorageBackend:
    """StorageBackend over one folder. See ``ports/library.py`` for what it promises.

    The order that keeps it whole: the bytes first, then the row that lists them; on delete the row first,
    then the bytes. ``metadata.jsonl`` names at least what the catalogue lists, so it can be rebuilt.
    """

    def __init__(self, root: Path, now: Callable[[], str]) -> None:
        """*now* gives the time of a write, ISO 8601 in UTC."""
        self._blobs = Blobs(root)
        self._database = Database(root / "catalogue.sqlite", catalogue.MIGRATIONS)
        self._now = now

    async def exists(self, key: DocumentKey, artefact: Artefact) -> int | None:
        row = await self._database.read(lambda db: catalogue.find(db, key, artefact))
        return row.size if row and await self._on_disk(self._blobs.size, row.folder, row.name) == row.size else None

    async def write_document(self, key: DocumentKey, content: bytes, *, original_identifier: str) -> None:
        if await self.exists(key, Artefact.DOCUMENT) is None:
            row = replace(self._row(key, Artefact.DOCUMENT, content), original_identifier=original_identifier)
            await self._write(row, content, lambda _db, _number: None)

    async def write_markdown(self, key: DocumentKey, markdown: Markdown, chunks: Sequence[Chunk], parser: str) -> None:
        content = markdown.text.encode()
        row = replace(self._row(key, Artefact.MARKDOWN, content), parser=parser, paged=int(markdown.paged))
        await self._write(row, content, lambda db, number: catalogue.put_manifest(db, number, markdown, chunks))

    async def read_document(self, key: DocumentKey) -> bytes | None:
        found = await self._read(key, Artefact.DOCUMENT, lambda _db, _row: None)
        return found[1] if found else None

    async def read_markdown(self, key: DocumentKey) -> Markdown | None:
        found = await self._read(key, Artefact.MARKDOWN, lambda db, row: catalogue.leaves(db, row.id))
        return Markdown(found[1].decode(), found[2], bool(found[0].paged)) if found else None

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
    ) -> Entries:
        return await self._database.read(lambda db: catalogue.page(db, provider, format, offset, limit))

    async def delete(self, key: DocumentKey, artefacts: Sequence[Artefact]) -> tuple[Artefact, ...]:
        def work(db: apsw.Connection) -> list[Row]:
            rows = [row for row in catalogue.find_all(db, key) if row.artefact in artefacts]
            for row in rows:
                catalogue.remove(db, key, row.artefact)
            return rows

        gone = await self._database.write(work)
        if gone:
            await self._tidy(key, [row.name for row in gone])
        return tuple(row.artefact for row in gone)

    async def sweep(self) -> int:
        """Delete files that nothing lists, left by a process that was killed; how many there were."""
        dropped = await self._on_disk(self._blobs.drop_abandoned)
        for folder in await self._on_disk(lambda: list(self._blobs.folders())):
            strays = await self._database.read(partial(self._strays, folder=folder))
            if strays or not self._blobs.names_in(folder):
                dropped += await self._database.write(partial(self._drop_strays, folder=folder))
        return dropped

    def close(self) -> None:
        """Close the catalogue."""
        self._database.close()

    def _row(self, key: DocumentKey, artefact: Artefact, content: bytes) -> Row:
        digest = hashlib.sha256(content).hexdigest()
        return Row(0, key, artefact, folder_of(key), new_name(artefact), len(content), digest, self._now())

    async def _write(self, row: Row, content: bytes, also: Callable[[apsw.Connection, int], None]) -> None:
        """Bytes, then row; *also* runs in the same transaction with the new row's id."""
        staged = await self._on_disk(self._blobs.stage, content)

        def work(db: apsw.Connection) -> str | None:
            before = catalogue.find(db, row.key, row.artefact)
            self._blobs.place(staged, row.folder, row.name)
            also(db, catalogue.insert(db, row))
            self._write_sidecar(db, row.key)
            return before.name if before else None

        try:
            before = await self._database.write(work)
        except BaseException:
            staged.unlink(missing_ok=True)
            self._blobs.remove(row.folder, row.name)
            raise
        if before:
            await self._on_disk(self._blobs.remove, row.folder, before)

    async def _tidy(self, key: DocumentKey, names: Sequence[str]) -> None:
        """Remove the files of deleted rows, while no other process can write to their folder."""

        def work(db: apsw.Connection) -> None:
            folder = folder_of(key)
            for name in names:
                self._blobs.remove(folder, name)
            self._write_sidecar(db, key)

        await self._database.write(work)

    def _write_sidecar(self, db: apsw.Connection, key: DocumentKey) -> None:
        folder, rows = folder_of(key), catalogue.find_all(db, key)
        if rows:
            self._blobs.place(self._blobs.stage(catalogue.sidecar(db, rows)), folder, SIDECAR)
        else:
            self._blobs.remove(folder, SIDECAR)
            self._blobs.prune(folder)

    def _strays(self, db: apsw.Connection, folder: str) -> tuple[str, ...]:
        listed = catalogue.names_in(db, folder)
        keep = listed | {SIDECAR} if listed else listed
        return tuple(name for name in self._blobs.names_in(folder) if name not in keep)

    def _drop_strays(self, db: apsw.Connection, folder: str) -> int:
        """To be called inside a write transaction: no other process is then about to list a file here."""
        strays = self._strays(db, folder)
        for name in strays:
            self._blobs.remove(folder, name)
        self._blobs.prune(folder)
        return len(strays)

    async def _read(
        self, key: DocumentKey, artefact: Artefact, more: Callable[[apsw.Connection, Row], T]
    ) -> tuple[Row, bytes, T] | None:
        """Row, bytes, and what *more* reads beside the row; None where the artefact is not stored.

        StorageError where the bytes are not what was stored.
        """

        def look(db: apsw.Connection) -> tuple[Row, T] | None:
            row = catalogue.find(db, key, artefact)
            return (row, more(db, row)) if row else None

        seen = ""
        while (found := await self._database.read(look)) and found[0].name != seen:
            row, seen = found[0], found[0].name
            content = await self._on_disk(self._blobs.read, row.folder, row.name)
            if content is not None and len(content) != row.size:
                raise StorageError(f"the stored {artefact} of {key} is damaged; delete it and fetch it again")
            if content is not None:
                return row, content, found[1]
        return None

    async def _on_disk(self, work: Callable[..., T], *args: object) -> T:
        """Run *work* in a thread; a failing disk is a StorageError that names no path."""
        try:
            return await to_thread.run_sync(work, *args)
        except OSError as exc:
            raise StorageError(f"the library's disk failed: {exc.strerror or type(exc).__name__}") from exc
