"""Hold vectors of text, and cut the texts that they are made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from prioris_mcp.domain.markdown import Span

K = TypeVar("K")

Vector = bytes
"""Hold 32-bit floats, little-endian, of unit length."""

Selection = Callable[[K], bool] | frozenset[K] | None
"""Select whose entries a search looks at: by a rule, by name, or all where it is None."""

BUNDLED_MODEL = "sentence-transformers/all-MiniLM-L6-v2"


@dataclass(frozen=True, slots=True)
class Scale:
    """Say what the similarity of a query and a passage means, from 0 to 1, for one model.

    Below *least* nothing is alike; from *sure* on it is.
    """

    least: float
    sure: float


_UNKNOWN = Scale(0.0, 2.0)
_SCALES = {BUNDLED_MODEL: Scale(0.3, 0.4)}
"""Measured on SciFact: 95 % of its questions reach .39 with their best passage, questions about other things .27."""


def scale_of(model: str) -> Scale:
    """Return the scale of *model*; where none was measured, one by which nothing is left out and nothing is sure."""
    return _SCALES.get(model, _UNKNOWN)


# What is longer than 256 word pieces is cut off: https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2
_WINDOW = 900
"""Number of characters that a model of 256 tokens reads safely, its prefix not counted."""
_MOST_WINDOWS = 200
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n{2,}")
_PREFIX = 160


@dataclass(frozen=True, slots=True)
class Passage:
    """Hold the own text of one section: what stands under its heading and under no deeper one."""

    chunk_id: str
    path: tuple[str, ...]
    span: Span
    """Stretch from its heading down to its first deeper one."""
    text: str

    def windows(self) -> list[str]:
        """Return the texts to embed: pieces that a model can read, each under the section's headings."""
        head = " — ".join(part for part in self.path[-2:] if part)[:_PREFIX]
        return [f"{head}. {piece}" if head else piece for piece in _pieces(self.text)][:_MOST_WINDOWS]


@dataclass(frozen=True, slots=True)
class Embedded:
    """Hold one section with the vectors of its windows."""

    chunk_id: str
    span: Span
    vectors: tuple[Vector, ...]


@dataclass(frozen=True, slots=True)
class VectorHit(Generic[K]):
    """Name a section of a document, or a note, that is near. *distance* is the cosine distance: 0 is identical."""

    key: K
    chunk_id: str
    span: Span
    distance: float


def _pieces(text: str) -> Iterator[str]:
    """Return *text* in stretches of at most a window, cut at sentences where that is possible."""
    piece = ""
    for sentence in _sentences(text):
        if piece and len(piece) + len(sentence) > _WINDOW:
            yield piece
            piece = ""
        piece = f"{piece} {sentence}" if piece else sentence
    if piece:
        yield piece


def _sentences(text: str) -> Iterator[str]:
    for sentence in _SENTENCE_END.split(text):
        folded = " ".join(sentence.split())
        for start in range(0, len(folded), _WINDOW):
            yield folded[start : start + _WINDOW]
