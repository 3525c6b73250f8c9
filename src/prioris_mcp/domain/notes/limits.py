"""Limit how much one new note may hold. Notes that are stored already are read whatever their size."""

from __future__ import annotations

from collections.abc import Iterable

from prioris_mcp.domain.notes.note import Anchor, Content, NoteChange
from prioris_mcp.errors import InvalidRequestError

MOST_TEXT = 200_000
"""Most characters of the text."""
MOST_BESIDE = 200_000
"""Most characters of everything else together."""
MOST_TAGS = 100
MOST_TAG = 200
MOST_ANCHORS = 200
MOST_FIELDS = 100
"""Most fields of the metadata."""


def check_content(content: Content) -> Content:
    """Return *content*. Raise InvalidRequestError where it is more than a note holds."""
    _check(content.text, content)
    _check_length("author_name", content.author_name or "", MOST_TAG)
    return content


def check_change(change: NoteChange) -> NoteChange:
    """Return *change*. Raise InvalidRequestError where a new value is more than a note holds."""
    _check(change.text or "", change)
    return change


def _check(text: str, given: Content | NoteChange) -> None:
    tags, anchors, metadata = given.tags or (), given.anchors or (), given.metadata or {}
    _check_length("text", text, MOST_TEXT)
    _check_count("tags", len(tags), MOST_TAGS)
    _check_count("anchors", len(anchors), MOST_ANCHORS)
    _check_count("metadata", len(metadata), MOST_FIELDS)
    for tag in tags:
        _check_length("a tag", tag, MOST_TAG)
    beside = [*tags, *_words(anchors), *metadata.keys(), *metadata.values()]
    if sum(map(len, beside)) > MOST_BESIDE:
        raise InvalidRequestError(
            f"tags, anchors and metadata have more than {MOST_BESIDE} characters together, the most that a note holds;"
            " put long passages into the text, or into several notes"
        )


def _words(anchors: Iterable[Anchor]) -> list[str]:
    found: list[str | None] = []
    for anchor in anchors:
        if anchor.location:
            found.append(anchor.location.section_heading)
        if words := anchor.selectors:
            found += [words.exact_text_quote, words.prefix_context, words.suffix_context]
    return [word for word in found if word]


def _check_length(name: str, text: str, most: int) -> None:
    if len(text) > most:
        raise InvalidRequestError(f"{name} has {len(text)} characters, and holds at most {most}; write several notes")


def _check_count(name: str, count: int, most: int) -> None:
    if count > most:
        raise InvalidRequestError(f"{name} has {count} entries, and holds at most {most}; write several notes")
