"""All vectors of a store in one matrix, kept in step with the file they are read from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from prioris_mcp.domain.documents import DocumentKey
from prioris_mcp.domain.markdown import Span
from prioris_mcp.domain.search import Page
from prioris_mcp.domain.vectors import Near, Nears, Vector

_SPARE = 2


@dataclass(frozen=True, slots=True)
class Stored:
    """One document's row: its sections in order, how many windows each has, and all the vectors."""

    number: int
    key: DocumentKey
    sections: tuple[tuple[str, int, int, int], ...]
    """Chunk id, start, length, windows."""
    vectors: bytes


class Matrix:
    """Exact cosine search. Not safe for several threads at once: its owner sees to that."""

    def __init__(self, numpy: Any, dimension: int) -> None:
        self._numpy, self._dimension = numpy, dimension
        self._rows = numpy.empty((0, dimension), numpy.float32)
        self._used = 0
        self._documents: dict[int, tuple[Stored, int, Any]] = {}

    def numbers(self) -> set[int]:
        """The rows that are in it."""
        return set(self._documents)

    def add(self, documents: Iterable[Stored]) -> None:
        """Append documents; ones with sections only."""
        numpy = self._numpy
        for document in documents:
            vectors = numpy.frombuffer(document.vectors, "<f4").reshape(-1, self._dimension)
            self._reserve(len(vectors))
            start = self._used
            self._rows[start : start + len(vectors)] = vectors
            self._used += len(vectors)
            windows = [section[3] for section in document.sections]
            firsts = numpy.cumsum([0, *windows[:-1]]) if windows else numpy.empty(0, numpy.int64)
            self._documents[document.number] = (document, start, firsts)

    def drop(self, numbers: Iterable[int]) -> None:
        """Take documents out; their space is given back once it is the greater part."""
        for number in numbers:
            del self._documents[number]
        held = sum(len(stored.vectors) for stored, _, _ in self._documents.values()) // (4 * self._dimension)
        if self._used > _SPARE * held + 1024:
            kept = [stored for stored, _, _ in self._documents.values()]
            self._rows, self._used, self._documents = self._rows[:0], 0, {}
            self.add(kept)

    def search(self, query: Vector, wanted: Sequence[int], page: Page) -> Nears:
        """The nearest sections of the documents *wanted*, each by its nearest window."""
        numpy = self._numpy
        direction = numpy.frombuffer(query, "<f4")
        everything = len(wanted) == len(self._documents)
        scores = self._rows[: self._used] @ direction if everything and self._used else None
        found: list[Any] = []
        for number in wanted:
            document, start, firsts = self._documents[number]
            count = len(document.vectors) // (4 * self._dimension)
            if count:
                own = (
                    scores[start : start + count]
                    if scores is not None
                    else self._rows[start : start + count] @ direction
                )
                found.append(numpy.maximum.reduceat(own, firsts))
        if not found:
            return Nears((), 0)
        return self._page(wanted, numpy.concatenate(found), page)

    def _page(self, wanted: Sequence[int], best: Any, page: Page) -> Nears:
        numpy = self._numpy
        last = min(page.offset + page.limit, len(best))
        top = numpy.argpartition(-best, last - 1)[:last] if last < len(best) else numpy.arange(len(best))
        ties = numpy.flatnonzero(best >= best[top].min()) if last else top
        ranked = ties[numpy.lexsort((ties, -best[ties]))][page.offset : last]
        places = numpy.cumsum([0, *(len(self._documents[number][0].sections) for number in wanted)])
        return Nears(tuple(self._near(wanted, places, int(at), float(best[at])) for at in ranked), len(best))

    def _near(self, wanted: Sequence[int], places: Any, at: int, score: float) -> Near:
        which = int(self._numpy.searchsorted(places, at, side="right")) - 1
        document = self._documents[wanted[which]][0]
        chunk_id, start, length, _ = document.sections[at - int(places[which])]
        return Near(document.key, chunk_id, Span(start, length), max(0.0, 1.0 - score))

    def keys(self) -> dict[int, DocumentKey]:
        """Which document each row is."""
        return {number: stored.key for number, (stored, _, _) in self._documents.items()}

    def _reserve(self, count: int) -> None:
        if self._used + count <= len(self._rows):
            return
        grown = self._numpy.empty((max(1024, 3 * (self._used + count) // 2), self._dimension), self._numpy.float32)
        grown[: self._used] = self._rows[: self._used]
        self._rows = grown
