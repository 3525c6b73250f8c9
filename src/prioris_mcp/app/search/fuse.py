"""Fuse two ranked lists into one: pure, and the same whatever was found."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

from prioris_mcp.domain.changes import DocumentSpan
from prioris_mcp.domain.notes.note import Note

_ALPHA = 0.7
"""Weight of meaning against words, as measured on four judged collections."""


@dataclass(frozen=True, slots=True)
class Scored:
    """Hold a section or note in the list of one mechanism: its rank, from 1, and its score, scaled to 0 to 1."""

    what: DocumentSpan | Note
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """Hold what one or both mechanisms found: its rank in each (from 1) and the fused score (0 to 1)."""

    what: DocumentSpan | Note
    score: float
    fts_rank: int | None = None
    vector_rank: int | None = None


def scored(found: Iterable[DocumentSpan | Note], scores: Sequence[float]) -> list[Scored]:
    """Return the list of one mechanism, best first, with its scores scaled to 0 to 1."""
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    scaled = [(score - low) / (high - low) if high > low else 1.0 for score in scores]
    return [Scored(what, rank, score) for rank, (what, score) in enumerate(zip(found, scaled, strict=True), 1)]


def by_rank(found: Sequence[Note]) -> list[Scored]:
    """Return a list whose scores are not known, with scores that fall evenly from 1."""
    return [Scored(note, rank, 1 - (rank - 1) / len(found)) for rank, note in enumerate(found, 1)]


def fused(words: Iterable[Scored], meaning: Iterable[Scored]) -> list[Candidate]:
    """Return both lists as one, their scores weighted.

    Show a section that both found as meaning knows it: without its deeper sections.
    """
    found: dict[Hashable, Candidate] = {}
    for each in words:
        found[_name(each.what)] = Candidate(each.what, (1 - _ALPHA) * each.score, fts_rank=each.rank)
    for each in meaning:
        before = found.get(_name(each.what), Candidate(each.what, 0.0))
        score = before.score + _ALPHA * each.score
        found[_name(each.what)] = replace(before, what=each.what, score=score, vector_rank=each.rank)
    return sorted(found.values(), key=lambda candidate: -candidate.score)


def collapsed(ranked: Iterable[Candidate]) -> list[Candidate]:
    """Return one hit for sections within each other: the narrower one, at the rank of the better one."""
    kept: list[Candidate] = []
    for candidate in ranked:
        wider = next((n for n, other in enumerate(kept) if _holds(other.what, candidate.what)), None)
        if wider is not None:
            kept[wider] = replace(candidate, score=kept[wider].score)
        elif not any(_holds(candidate.what, other.what) for other in kept):
            kept.append(candidate)
    return kept


def _name(what: DocumentSpan | Note) -> Hashable:
    return what.id if isinstance(what, Note) else (what.key, what.span.start)


def _holds(wider: DocumentSpan | Note, narrower: DocumentSpan | Note) -> bool:
    if isinstance(wider, Note) or isinstance(narrower, Note) or wider.key != narrower.key:
        return False
    one, other = wider.span, narrower.span
    return one.start <= other.start and other.end <= one.end
