"""What the application asks of a model that turns text into vectors, and of the index that keeps them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol, TypeVar

from prioris_mcp.domain.page import Page, PageRequest
from prioris_mcp.domain.search import IndexStatus
from prioris_mcp.domain.vectors import Embedded, Passage, Selection, Vector, VectorHit
from prioris_mcp.ports.changes import ChangeLog

K = TypeVar("K")


class EmbeddingBackend(Protocol):
    """A model. It may be missing; then only its name is known."""

    @property
    def model(self) -> str:
        """The model's name; vectors of two names are never compared."""
        ...

    def unavailable_reason(self) -> str | None:
        """Why the model cannot be used, as a sentence that says what to install; None where it can."""
        ...

    async def embed(self, texts: Sequence[str], *, background: bool = False) -> list[Vector]:
        """A vector of unit length for each text. Loads the model at first use, in a thread.

        *background*: nobody waits for it, so whatever else there is to do goes first.

        ConfigurationError where the model is missing. Text beyond what the model reads at once is not seen:
        cut it with ``domain.vectors.windows`` first.
        """
        ...


class EmbeddingSource(ChangeLog[K], Protocol[K]):
    """Texts that change, each under its key, and the pieces of them that vectors are made of."""

    async def passages(self, key: K) -> Sequence[Passage]:
        """The passages of the text as it is now; none where it is gone."""
        ...


class VectorIndex(Protocol[K]):
    """Vectors of texts, one entry a document or note; disposable, and shared by the processes on one store."""

    async def origin(self) -> str:
        """A name of what is kept, another one whenever that was lost and begun anew."""
        ...

    async def held(self, model: str) -> dict[K, str]:
        """Which change of which text is held for *model*."""
        ...

    async def holds(self, model: str, key: K, change: str) -> bool:
        """Whether the entry of *key* is that of *change* for *model*."""
        ...

    async def put(self, model: str, key: K, change: str, sections: Sequence[Embedded]) -> None:
        """Replace the entry of *key*, whatever model it was of."""
        ...

    async def remove(self, keys: Collection[K]) -> None:
        """Drop the entries of *keys*."""
        ...

    async def search(self, model: str, query: Vector, only: Selection[K], page: PageRequest) -> Page[VectorHit[K]]:
        """The nearest sections, each once by its nearest window, ties in the order of storing; the exact total."""
        ...

    async def status(self, model: str, keys: Collection[K]) -> IndexStatus:
        """The worst of: ``not_built`` for a key without entry, ``stale`` for one of another model, else ``ready``."""
        ...
