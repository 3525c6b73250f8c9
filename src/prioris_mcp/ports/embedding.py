"""Ask a model to turn text into vectors, and an index to keep them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol, TypeVar

from prioris_mcp.domain.page import Page, PageRequest
from prioris_mcp.domain.search import IndexStatus
from prioris_mcp.domain.vectors import Embedded, Passage, Selection, Vector, VectorHit
from prioris_mcp.ports.changes import ChangeLog

K = TypeVar("K")


class EmbeddingBackend(Protocol):
    """Turn texts into vectors by a model, which may be missing: then only its name is known.

    Example::

        if not embedder.unavailable_reason():
            [vector] = await embedder.embed(["attention is all you need"])
    """

    @property
    def model(self) -> str:
        """Name the model. Vectors of two names are never compared."""
        ...

    def unavailable_reason(self) -> str | None:
        """Return why the model cannot be used, as a sentence that says what to install; None where it can."""
        ...

    async def embed(self, texts: Sequence[str], *, background: bool = False) -> list[Vector]:
        """Return one vector of unit length for each text. Load the model at first use, in a thread.

        Pass *background* where nobody waits for the result: all other work then goes first.

        Raise ConfigurationError where the model is missing. Text beyond the model's window is ignored: cut it by
        ``Passage.windows`` first.
        """
        ...


class EmbeddingSource(ChangeLog[K], Protocol[K]):
    """Offer texts that change, each under its key, as the passages that vectors are made of.

    Example::

        for passage in await source.passages(key):
            windows += passage.windows()
    """

    async def passages(self, key: K) -> Sequence[Passage]:
        """Return the passages of the text as it is now; none where the text is gone."""
        ...


class VectorIndex(Protocol[K]):
    """Keep vectors of texts, one entry for each document or note, shared by the processes on one store.

    The index is disposable: it can be made again from the texts.

    Example::

        await index.put(model, key, change, embedded)
        found = await index.search(model, vector, only=None, page=PageRequest(0, 10))
    """

    async def origin(self) -> str:
        """Return a name for this life of the index; it changes whenever the entries were lost and begun anew."""
        ...

    async def held(self, model: str) -> dict[K, str]:
        """Return, for each text that has an entry of *model*, the change that the entry was made at."""
        ...

    async def holds(self, model: str, key: K, change: str) -> bool:
        """Return whether *key* has an entry of *model* that was made at *change*."""
        ...

    async def put(self, model: str, key: K, change: str, sections: Sequence[Embedded]) -> None:
        """Replace the entry of *key*, whichever model that was of."""
        ...

    async def remove(self, keys: Collection[K]) -> None:
        """Remove the entries of *keys*."""
        ...

    async def search(self, model: str, query: Vector, only: Selection[K], page: PageRequest) -> Page[VectorHit[K]]:
        """Return one page of the sections nearest to *query*, with the exact total.

        List each section once, by its nearest window. Order sections of equal distance as they were stored.
        """
        ...

    async def status(self, model: str, keys: Collection[K]) -> IndexStatus:
        """Return the worst status among *keys*.

        Count a key without an entry as ``not_built``, one with an entry of another model as ``stale``, and any other as
        ``ready``.
        """
        ...
