"""Embed in the background what the vector index lacks: late, bounded, and healed by itself."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from prioris_mcp.app.concurrency import Coalesced, KeyedLock
from prioris_mcp.app.indexing.follower import Follower
from prioris_mcp.domain.changes import Change, Position
from prioris_mcp.domain.folding import LONGEST
from prioris_mcp.domain.search import IndexStatus
from prioris_mcp.domain.vectors import Embedded, Vector
from prioris_mcp.errors import PriorisError
from prioris_mcp.ports.embedding import EmbeddingBackend, EmbeddingSource, VectorIndex

K = TypeVar("K")

_log = logging.getLogger(__name__)
_BATCH = 500
_AT_A_TIME = 8
"""Number of windows between two checks whether the work is still wanted."""
_POLL_SECONDS, _LOOK_SECONDS = 5.0, 0.1
_FIRST_PAUSE, _LONGEST_PAUSE = 30.0, 3600.0


@dataclass(frozen=True, slots=True)
class Rebuild:
    """Tell how far the background work is since the server started. The last four add up to the first."""

    total: int = 0
    pending: int = 0
    succeeded: int = 0
    failed: int = 0
    cancelled: int = 0

    @property
    def active(self) -> bool:
        """Tell whether there is anything left to do."""
        return self.pending > 0


@dataclass(frozen=True, slots=True)
class _Retry:
    at: float
    pause: float
    change: str


class EmbeddingScheduler(Generic[K]):
    """Find the texts that have no vectors of the current model, and make these, a few at a time."""

    def __init__(
        self,
        texts: EmbeddingSource[K],
        index: VectorIndex[K],
        embedder: EmbeddingBackend,
        runs: KeyedLock,
        at_once: int,
        verb: str = "embed",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._texts, self._index, self._embedder, self._runs = texts, index, embedder, runs
        self._at_once, self._verb, self._clock = at_once, verb, clock
        self._pending: dict[K, str] = {}
        self._active: set[K] = set()
        self._retries: dict[K, _Retry] = {}
        self._seen = Position()
        self._held: dict[K, str] = {}
        self._origin = ""
        self._counts = Rebuild()
        self._wake, self._noticing = asyncio.Event(), Coalesced(self._look)
        self._follower = Follower(texts, self)

    @property
    def rebuild(self) -> Rebuild:
        """Return the state of the background work."""
        return self._counts

    def wake(self) -> None:
        """Look again, because something may have changed."""
        self._wake.set()

    async def run(self) -> None:
        """Work until cancelled; return at once where there is no model."""
        if self._embedder.unavailable_reason():
            return
        workers: set[asyncio.Task[None]] = set()
        try:
            while True:
                self._wake.clear()
                await self._noticed()
                self._retry_due()
                while self._pending.keys() - self._active and len(workers) < self._at_once:
                    key = next(key for key in self._pending if key not in self._active)
                    self._active.add(key)
                    workers.add(asyncio.create_task(self._work(key)))
                done = {task for task in workers if task.done()}
                workers -= done
                if not done:
                    await self._something(workers)
        finally:
            for task in workers:
                task.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def completed(self, seconds: float, watch: Callable[[Rebuild], None]) -> None:
        """Wait, at most *seconds*, until every stored text is embedded; report progress to *watch*."""
        if self._embedder.unavailable_reason():
            return
        await self._noticed()
        last = self._clock() + seconds
        while self._counts.pending and self._clock() < last:
            watch(self._counts)
            await asyncio.sleep(_LOOK_SECONDS)

    async def notice(self) -> None:
        """Read what was stored and deleted since the last look; forget at once what was deleted."""
        await self._noticing.run()

    async def _look(self) -> None:
        while await self._follower.step(_BATCH):
            pass

    async def position(self) -> Position:
        """Return the last change that was noticed; the first one's, where the index was lost since."""
        if (origin := await self._index.origin()) != self._origin:
            self._origin, self._seen = origin, Position()
        return self._seen

    async def reset(self, library: str) -> None:
        """Read what the index holds, and remove what is not of *library*."""
        self._held = await self._index.held(self._embedder.model)
        await self._forget_foreign()
        self._seen = Position(library)

    async def apply(self, changes: Sequence[Change[K]]) -> None:
        """Forget what is gone, and queue what has no vectors."""
        await self._index.remove([change.key for change in changes if not change.stored])
        for change in changes:
            self._take(change)
            self._seen = change.at

    def pending(self) -> frozenset[K]:
        """Return the texts that were noticed and have no vectors yet, those among them that failed."""
        return frozenset(self._pending) | frozenset(self._retries)

    async def status(self, keys: Collection[K]) -> IndexStatus:
        """Return the worst status among *keys*, ``building`` where one of them is being worked on."""
        if not self._pending.keys().isdisjoint(keys):
            return "building"
        return await self._index.status(self._embedder.model, keys)

    async def _noticed(self) -> None:
        try:
            await self.notice()
        except PriorisError as exc:
            _log.warning("the vector index is behind the library for now: %s", exc)

    async def _forget_foreign(self) -> None:
        """Remove entries of texts that never were, or that were lost with an old catalogue."""
        known: set[K] = set()
        position = Position()
        while (changes := await self._texts.changes(position, _BATCH)).items:
            known |= {change.key for change in changes.items if change.stored}
            position = changes.items[-1].at
        await self._index.remove([key for key in self._held if key not in known])

    def _take(self, change: Change[K]) -> None:
        """Queue a text, or forget it; one that is queued as it is stays queued."""
        number = str(change.at)
        if change.stored and self._pending.get(change.key) == number:
            return
        waiting = self._pending.pop(change.key, None)
        if waiting is not None:
            self._count(pending=-1, cancelled=1)
        self._retries.pop(change.key, None)
        if change.stored and self._held.get(change.key) != number and not self._embedder.unavailable_reason():
            self._pending[change.key] = number
            self._count(total=1, pending=1)
            self._wake.set()

    def _retry_due(self) -> None:
        now = self._clock()
        for key, retry in [(key, retry) for key, retry in self._retries.items() if retry.at <= now]:
            if key not in self._pending:
                self._pending[key] = retry.change
                self._count(pending=1, failed=-1)
                self._retries[key] = replace(retry, at=float("inf"))

    async def _something(self, workers: set[asyncio.Task[None]]) -> None:
        """Wait for a finished document, a change, or the time to look again."""
        waker = asyncio.create_task(self._wake.wait())
        try:
            await asyncio.wait({waker, *workers}, timeout=_POLL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waker.cancel()

    async def _work(self, key: K) -> None:
        change = self._pending[key]
        try:
            async with self._runs.hold(self._verb, key):
                await self._embed(key, change)
            self._settle(key, change, succeeded=1)
        except Exception as exc:  # noqa: BLE001 - a model can raise anything; the next document is tried
            self._failed(key, change, exc)
        finally:
            self._active.discard(key)
            self._wake.set()

    async def _embed(self, key: K, change: str) -> None:
        if await self._index.holds(self._embedder.model, key, change):
            return
        found: list[Embedded] = []
        for passage in await self._texts.passages(key):
            vectors: list[bytes] = []
            windows = passage.windows()
            for start in range(0, len(windows), _AT_A_TIME):
                if self._pending.get(key) != change:
                    return
                vectors += await self._embedder.embed(windows[start : start + _AT_A_TIME], background=True)
            found.append(Embedded(passage.chunk_id, passage.span, tuple(vectors)))
        await self._noticed()
        if self._pending.get(key) == change:
            await self._index.put(self._embedder.model, key, change, found)
            await self._noticed()  # what was deleted just now, by whatever process, is dropped again

    def _settle(self, key: K, change: str, **counts: int) -> None:
        """Count a finished text, unless something newer took its place."""
        if self._pending.get(key) == change:
            del self._pending[key]
            self._count(pending=-1, **counts)

    def _failed(self, key: K, change: str, exc: Exception) -> None:
        before = self._retries.get(key)
        pause = min(2 * before.pause, _LONGEST_PAUSE) if before else _FIRST_PAUSE
        if before is None:
            _log.warning("%s could not be embedded, and is tried again later: %s: %s", key, type(exc).__name__, exc)
        self._settle(key, change, failed=1)
        self._retries[key] = _Retry(self._clock() + pause, pause, change)

    def _count(self, **steps: int) -> None:
        changed = {name: getattr(self._counts, name) + step for name, step in steps.items()}
        self._counts = replace(self._counts, **changed)


async def vector_of(embedder: EmbeddingBackend, text: str) -> Vector:
    """Return the vector of a query. Raise ConfigurationError without a model.

    Read as much of *text* as a search by words does: a tokenizer takes seconds for a megabyte, and lets nobody else run
    meanwhile.
    """
    return (await embedder.embed([" ".join(text[:LONGEST].split())]))[0]
