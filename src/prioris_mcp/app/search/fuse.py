"""Fuse two ranked lists into one: pure, and the same whatever was found."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

from prioris_mcp.domain.changes import DocumentSpan
from prioris_mcp.domain.documents import DocumentKey
from prioris_mcp.domain.notes.note import Note
from prioris_mcp.domain.search import Match, Strength
from prioris_mcp.domain.vectors import Scale

_ALPHA = 0.7
"""Weight of meaning against words, as measured on four judged collections."""
_USUAL_LEAST, _USUAL_MORE = 0.15, 0.4
"""Similarity of what words find, at the worst of its scores and how much more at the best, as measured on SciFact."""
_FEW_WORDS = 2


@dataclass(frozen=True, slots=True)
class Scored:
    """Hold a section or note in the list of one mechanism: its rank, from 1, its score, 0 to 1, and how it matches."""

    what: DocumentSpan | Note
    rank: int
    score: float
    match: Match


@dataclass(frozen=True, slots=True)
class Candidate:
    """Hold what one or both mechanisms found: its rank in each (from 1) and the fused score (0 to 1).

    *similarity* is that of its meaning with the query's, None where meaning did not find it.
    """

    what: DocumentSpan | Note
    score: float
    match: Match = "meaning"
    fts_rank: int | None = None
    vector_rank: int | None = None
    similarity: float | None = None


def by_words(found: Iterable[DocumentSpan], scores: Sequence[float], matches: Iterable[Match]) -> list[Scored]:
    """Return what words found, best first, with scores scaled to 0 to 1, since theirs mean nothing by themselves."""
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    scaled = [(score - low) / (high - low) if high > low else 1.0 for score in scores]
    rows = enumerate(zip(found, scaled, matches, strict=True), 1)
    return [Scored(what, rank, score, match) for rank, (what, score, match) in rows]


def by_rank(found: Sequence[Note]) -> list[Scored]:
    """Return notes that words found, some words at least, with scores that fall evenly from 1."""
    return [Scored(note, rank, 1 - (rank - 1) / len(found), "some_words") for rank, note in enumerate(found, 1)]


def by_meaning(found: Iterable[DocumentSpan | Note], similarities: Iterable[float]) -> list[Scored]:
    """Return what meaning found, best first, with similarities as they are, so that nothing near is far from one."""
    pairs = enumerate(zip(found, similarities, strict=True), 1)
    return [Scored(what, rank, max(0.0, similarity), "meaning") for rank, (what, similarity) in pairs]


def fused(words: Iterable[Scored], meaning: Iterable[Scored], pending: Collection[DocumentKey] = ()) -> list[Candidate]:
    """Return both lists as one, their scores weighted.

    Show a section that both found as meaning knows it: without its deeper sections. What words found in a document of
    *pending*, which has no vectors yet, counts as near as sections with its score among words are.
    """
    found: dict[Hashable, Candidate] = {}
    for each in words:
        found[_name(each.what)] = Candidate(each.what, (1 - _ALPHA) * each.score, each.match, each.rank)
    for each in meaning:
        before = found.get(_name(each.what), Candidate(each.what, 0.0))
        found[_name(each.what)] = replace(
            before,
            what=each.what,
            score=before.score + _ALPHA * each.score,
            vector_rank=each.rank,
            similarity=each.score,
        )
    ranked = (_as_usual(each) if _is_of(each, pending) else each for each in found.values())
    return sorted(ranked, key=lambda candidate: -candidate.score)


def _as_usual(found: Candidate) -> Candidate:
    """Return what only words found with the similarity that a section with its score has as a rule."""
    usual = _USUAL_LEAST + _USUAL_MORE * found.score / (1 - _ALPHA)
    return replace(found, score=found.score + _ALPHA * usual)


def near_enough(ranked: Iterable[Candidate], scale: Scale) -> list[Candidate]:
    """Return *ranked* without what words did not find and meaning not near."""
    return [each for each in ranked if each.fts_rank or (each.similarity or 0.0) >= scale.least]


def strength(
    ranked: Iterable[Candidate], scale: Scale, *, words: int = 0, pending: Collection[DocumentKey] | None = ()
) -> Strength:
    """Return how well the best of *ranked* answer a query of so many *words*.

    A phrase is strong, and a meaning that is surely alike. So are all words of a query that has one or two; more of
    them can stand in a wide section that is about something else, and are strong where their meaning is not far, or
    not known: in a document of *pending*, or anywhere where that is None.
    """
    strengths = {_strength(each, scale, words, pending) for each in ranked}
    return "strong" if "strong" in strengths else "weak" if strengths else "none"


def _strength(each: Candidate, scale: Scale, words: int, pending: Collection[DocumentKey] | None) -> Strength:
    if each.match == "phrase" or (each.similarity or 0.0) >= scale.sure:
        return "strong"
    unknown = pending is None or _is_of(each, pending)
    near = words <= _FEW_WORDS or unknown or (each.similarity or 0.0) >= scale.least
    return "strong" if each.match == "all_words" and near else "weak"


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


def _is_of(candidate: Candidate, pending: Collection[DocumentKey]) -> bool:
    """Return whether *candidate* would have a similarity but for vectors that are not built."""
    return not isinstance(candidate.what, Note) and candidate.similarity is None and candidate.what.key in pending


def _holds(wider: DocumentSpan | Note, narrower: DocumentSpan | Note) -> bool:
    if isinstance(wider, Note) or isinstance(narrower, Note) or wider.key != narrower.key:
        return False
    one, other = wider.span, narrower.span
    return one.start <= other.start and other.end <= one.end
