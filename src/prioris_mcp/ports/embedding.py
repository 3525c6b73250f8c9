"""What the application asks of a model that turns text into vectors, and of the index that keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from prioris_mcp.domain.documents import DocumentKey
from prioris_mcp.domain.search import IndexStatus, Page, Scope
from prioris_mcp.domain.vectors import Embedded, Nears, Vector


class EmbeddingBackend(Protocol):
    """A model. It may be missing; then only its name is known."""

    @property
    def model(self) -> str:
        """The model's name; vectors of two names are never compared."""
        ...

    def lacking(self) -> str | None:
        """Why the model cannot be used, as a sentence that says what to install; None where it can."""
        ...

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """A vector of unit length for each text. Loads the model at first use, in a thread.

        ConfigurationError where the model is missing. Text beyond what the model reads at once is not seen:
        cut it with ``domain.vectors.windows`` first.
        """
        ...


class VectorIndex(Protocol):
    """Vectors of sections, one entry a document; disposable, and shared by the processes on one store."""

    async def held(self, model: str) -> dict[DocumentKey, str]:
        """Which change of which document is held for *model*."""
        ...

    async def holds(self, model: str, key: DocumentKey, change: str) -> bool:
        """Whether the entry of *key* is that of *change* for *model*."""
        ...

    async def put(self, model: str, key: DocumentKey, change: str, sections: Sequence[Embedded]) -> None:
        """Replace the entry of *key*, whatever model it was of."""
        ...

    async def remove(self, keys: Sequence[DocumentKey]) -> None:
        """Drop the entries of *keys*."""
        ...

    async def search(
        self, model: str, query: Vector, scope: Scope, page: Page, *, besides: DocumentKey | None = None
    ) -> Nears:
        """The nearest sections, each once by its nearest window, ties in the order of storing; the exact total.

        *besides*: a document that is left out.
        """
        ...

    async def status(self, model: str, key: DocumentKey) -> IndexStatus:
        """``ready`` for an entry of *model*, ``stale`` for one of another, ``not_built`` for none."""
        ...
