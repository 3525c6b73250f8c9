"""Maintain a store: remove strays, and rebuild a lost catalogue from the sidecars."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import apsw
from anyio import to_thread

from prioris_mcp.adapters.filesystem import catalogue, images
from prioris_mcp.adapters.filesystem.blobs import SIDECAR, Blobs, on_disk
from prioris_mcp.adapters.filesystem.catalogue import ArtefactRow
from prioris_mcp.adapters.filesystem.images import ImageRow
from prioris_mcp.adapters.filesystem.sidecar import SidecarRecord, read_sidecar, write_sidecar
from prioris_mcp.adapters.sqlite.database_file import NewerError, UnusableFileError
from prioris_mcp.adapters.sqlite.engine import Database
from prioris_mcp.adapters.sqlite.migrations import check_pages
from prioris_mcp.domain import chunks
from prioris_mcp.domain.documents import Artefact
from prioris_mcp.domain.markdown import Markdown

_log = logging.getLogger(__name__)
_NAMED = 5


@dataclass(frozen=True, slots=True)
class Survey:
    """Report a store: artefacts listed, files that nothing names, artefacts that only a sidecar knows.

    *damaged*: artefacts whose file is gone or not what was stored. *foreign*: names of what lies in its folders and is
    not its own.
    """

    listed: int
    strays: int
    unlisted: int
    damaged: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()


class StoreMaintenance:
    """Compare the files of a store with its catalogue, and repair both."""

    def __init__(self, blobs: Blobs, database: Database) -> None:
        self._blobs, self.database = blobs, database

    async def survey(self) -> Survey:
        """Count, and change nothing. Raise UnusableFileError where the catalogue cannot be used."""
        await self.database.read(_check)
        listed = await self.database.read(lambda db: catalogue.page(db, None, None, 0, 0).total)
        strays, unlisted = len(await to_thread.run_sync(on_disk, self._blobs.empty_works)), 0
        for folder in await self._folders():
            strays += len(await self.database.read(partial(self._strays, folder=folder)))
            unlisted += len(await self.database.read(partial(self._unlisted, folder=folder)))
        foreign = await to_thread.run_sync(on_disk, self._blobs.foreign)
        broken = tuple(f"{row.artefact} of {row.key}" for row in await self._damaged())
        return Survey(listed, strays, unlisted, broken, tuple(foreign))

    async def sweep(self) -> int:
        """Delete files that nothing names, left by a killed process; return how many there were.

        Keep what a sidecar of another catalogue names: that catalogue was lost, and can be rebuilt.
        """
        dropped = await to_thread.run_sync(on_disk, self._blobs.drop_abandoned)
        await self._say_foreign()
        for folder in await self._folders():
            if await self.database.read(partial(self._wants_sweeping, folder=folder)):
                dropped += await self.database.write(partial(self._drop_strays, folder=folder))
        if await to_thread.run_sync(on_disk, self._blobs.empty_works):
            dropped += await self.database.write(lambda _db: self._blobs.prune_works())
        return dropped

    async def _say_foreign(self) -> None:
        foreign = await to_thread.run_sync(on_disk, self._blobs.foreign)
        if foreign:
            _log.warning("the library's folders hold what is not its own, which is left alone: %s", named(foreign))

    async def recover(self) -> int:
        """List again what only sidecars know, where the bytes are those that were stored; return how many.

        Move aside first a catalogue that is damaged or not ours; leave one of a newer version alone.
        """
        if await self._is_of_no_use():
            await to_thread.run_sync(self.database.set_aside)
        folders, found = await self._folders(), 0
        for folder in folders:
            found += await self.database.write(partial(self._recover, folder=folder))
        return found

    async def let_go(self) -> int:
        """Forget artefacts whose file is gone or not what was stored, and rename damaged files; return how many."""
        broken = await self._damaged()
        for row in broken:
            await self.database.write(partial(self._let_go, row=row))
        return len(broken)

    async def _damaged(self) -> list[ArtefactRow]:
        rows = await self.database.read(catalogue.every)
        return await to_thread.run_sync(on_disk, lambda: [row for row in rows if not self._is_sound(row)])

    def _is_sound(self, row: ArtefactRow) -> bool:
        content = self._blobs.read(row.folder, row.name)
        return content is not None and hashlib.sha256(content).hexdigest() == row.sha256

    def _let_go(self, db: apsw.Connection, row: ArtefactRow) -> None:
        if catalogue.find(db, row.key, row.artefact) == row:
            catalogue.remove(db, row.key, row.artefact)
            self._blobs.set_aside(row.folder, row.name)
            write_sidecar(self._blobs, db, row.key)

    async def _is_of_no_use(self) -> bool:
        try:
            await self.database.read(_check)
        except NewerError:
            raise
        except UnusableFileError:
            return True
        return False

    async def _folders(self) -> list[str]:
        return await to_thread.run_sync(on_disk, lambda: list(self._blobs.folders()))

    def _wants_sweeping(self, db: apsw.Connection, folder: str) -> bool:
        return not self._blobs.names_in(folder) or bool(self._strays(db, folder))

    def _strays(self, db: apsw.Connection, folder: str) -> tuple[str, ...]:
        listed, there = _names_in(db, folder), self._blobs.names_in(folder)
        kept = {SIDECAR} if listed else set()
        if set(there) - listed - {SIDECAR} and (lost := self._unlisted(db, folder)):
            kept = {SIDECAR, *(name for line in lost for name in _files(line))}
        return tuple(name for name in there if name not in listed | kept)

    def _unlisted(self, db: apsw.Connection, folder: str) -> list[SidecarRecord]:
        """Return lines of another catalogue whose file is there."""
        library, listed = catalogue.library_id(db), _names_in(db, folder)
        there = set(self._blobs.names_in(folder)) - listed
        return [
            line for line in read_sidecar(self._blobs, folder) if line.library != library and line.row.name in there
        ]

    def _drop_strays(self, db: apsw.Connection, folder: str) -> int:
        """Delete strays. Call it inside a write transaction: no other process is then about to list a file here."""
        strays = self._strays(db, folder)
        for name in strays:
            self._blobs.remove(folder, name)
        self._blobs.prune(folder)
        return len(strays)

    def _recover(self, db: apsw.Connection, folder: str) -> int:
        found = [line for line in self._unlisted(db, folder) if self._relist(db, line)]
        for key in {line.row.key for line in found}:
            write_sidecar(self._blobs, db, key)
        return len(found)

    def _relist(self, db: apsw.Connection, line: SidecarRecord) -> bool:
        """Write the rows that *line* describes; return False if the bytes differ or newer ones are listed."""
        row = line.row
        content = self._blobs.read(row.folder, row.name) or b""
        if hashlib.sha256(content).hexdigest() != row.sha256 or catalogue.find(db, row.key, row.artefact):
            return False
        number = catalogue.put(db, row)
        for alias in line.aliases:
            catalogue.put_alias(db, row.key, alias)
        if row.artefact is Artefact.MARKDOWN:
            text = content.decode()
            markdown = Markdown(text, line.leaves, bool(row.paged))
            catalogue.put_manifest(db, number, markdown, chunks.split(row.key, text))
            whole = [image for image in line.images if self._is_whole(row.folder, image)]
            images.put(db, number, row.key, markdown, whole)
        return True

    def _is_whole(self, folder: str, image: ImageRow) -> bool:
        return hashlib.sha256(self._blobs.read(folder, image.name) or b"").hexdigest() == image.sha256


def named(names: Sequence[str]) -> str:
    """Return some of *names*, and how many more there are."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _check(db: apsw.Connection) -> None:
    check_pages(db, "catalogue.sqlite")


def _names_in(db: apsw.Connection, folder: str) -> set[str]:
    return catalogue.names_in(db, folder) | images.names_in(db, folder)


def _files(line: SidecarRecord) -> list[str]:
    return [line.row.name, *(image.name for image in line.images)]
