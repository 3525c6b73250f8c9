"""Hold the notes that a user keeps about documents: their own words, which only they change."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from prioris_mcp.domain.documents import ProviderName, SourceFormat
from prioris_mcp.domain.instants import Instant
from prioris_mcp.domain.sources.providers import parse, work_of
from prioris_mcp.domain.sources.table import SOURCES
from prioris_mcp.errors import InvalidRequestError

_MOST_PLACES = 1_000_000
"""Highest number of a page or paragraph; more than any document has."""
_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Location:
    """Name a place in a document, as a person would say it."""

    page_number: int | None = None
    section_heading: str | None = None
    paragraph_index: int | None = None

    def __post_init__(self) -> None:
        _clean(self, "section_heading")

    @classmethod
    def given(cls, page_number: int | None, section_heading: str | None, paragraph_index: int | None) -> Location:
        """Return a location from a caller. Raise InvalidRequestError for numbers that no document has."""
        for name, number, least in (("page_number", page_number, 1), ("paragraph_index", paragraph_index, 0)):
            if number is not None and not least <= number <= _MOST_PLACES:
                raise InvalidRequestError(f"{name} must be {least} to {_MOST_PLACES}")
        return cls(page_number, section_heading, paragraph_index)


@dataclass(frozen=True, slots=True)
class Selectors:
    """Select a passage by its own words and those around it."""

    exact_text_quote: str | None = None
    prefix_context: str | None = None
    suffix_context: str | None = None

    def __post_init__(self) -> None:
        _clean(self, "exact_text_quote", "prefix_context", "suffix_context")


@dataclass(frozen=True, slots=True)
class Anchor:
    """Hint at a passage, for a reader to find it by. Nobody checks that it is there."""

    location: Location | None = None
    selectors: Selectors | None = None

    def __post_init__(self) -> None:
        if self.location in (None, Location()) and self.selectors in (None, Selectors()):
            raise InvalidRequestError(
                "an anchor must say something: a location (page_number, section_heading or paragraph_index)"
                " or selectors (exact_text_quote, prefix_context or suffix_context)"
            )


@dataclass(frozen=True, slots=True)
class Content:
    """Hold what a note says as it is given, but lone surrogates, which no file can hold, as U+FFFD."""

    text: str
    anchors: tuple[Anchor, ...] = ()
    author_name: str | None = None
    """Name the author; None means the user."""
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        _clean(self, "text", "author_name")
        _check_text(self.text)
        if self.author_name is not None and not self.author_name.strip():
            object.__setattr__(self, "author_name", None)
        object.__setattr__(self, "tags", _tags(self.tags))
        object.__setattr__(self, "metadata", _metadata(self.metadata))


@dataclass(frozen=True, slots=True)
class Subject:
    """Name the document of a note by its canonical identifier. *format* None: nobody fetched it yet."""

    provider: ProviderName
    identifier: str
    format: SourceFormat | None = None

    @property
    def work(self) -> str:
        """Return the identifier that all versions have in common."""
        return work(self.provider, self.identifier)


@dataclass(frozen=True, slots=True)
class Note:
    """Hold one note. Its subject and its author never change."""

    id: str
    subject: Subject
    content: Content
    created_at: Instant
    updated_at: Instant
    damaged: str = field(default="", compare=False)
    """Say what could not be read of it in the store, which is then left out here; "" for nothing."""


@dataclass(frozen=True, slots=True)
class NoteChange:
    """Hold new values for a note's fields; None leaves a field as it is, and an empty value clears it."""

    text: str | None = None
    anchors: tuple[Anchor, ...] | None = None
    tags: tuple[str, ...] | None = None
    metadata: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        if self.text is not None:
            _check_text(self.text)
        if self.tags is not None:
            object.__setattr__(self, "tags", _tags(self.tags))

    def applied(self, note: Note, now: Instant) -> Note:
        """Return *note* with the new values and a later ``updated_at``; itself where there are no new values."""
        fields = ("text", "anchors", "tags", "metadata")
        given = {name: value for name in fields if (value := getattr(self, name)) is not None}
        if not given:
            return note
        return replace(note, content=replace(note.content, **given), updated_at=now.after(note.updated_at))


class AuthorFilter(StrEnum):
    """Tell whose notes are wanted."""

    ANY = "any"
    MINE = "mine"
    NAMED = "named"


@dataclass(frozen=True, slots=True)
class NoteFilter:
    """Tell which notes are wanted; a condition that is left out wants all."""

    provider: ProviderName | None = None
    identifiers: tuple[str, ...] = ()
    """Match any of these; an arXiv identifier without its version matches every version."""
    exactly: tuple[str, ...] = ()
    """Match any of these as well, to the letter: beside a version its paper, for notes about the paper as such."""
    format: SourceFormat | None = None
    since: Instant | None = None
    until: Instant | None = None
    """Last instant that is wanted; both bounds are of ``created_at``."""
    author: AuthorFilter = AuthorFilter.ANY
    author_name: str | None = None
    tags_all: tuple[str, ...] = ()
    tags_any: tuple[str, ...] = ()
    tags_exclude: tuple[str, ...] = ()
    metadata: Mapping[str, str] | None = None
    """Match each of these fields, to the letter."""

    def __post_init__(self) -> None:
        _clean(self, "author_name")
        object.__setattr__(self, "metadata", _metadata(self.metadata) or None)
        named = bool(self.author_name and self.author_name.strip())
        if (self.author is AuthorFilter.NAMED) != named:
            raise InvalidRequestError("author_filter='named' and author_name need each other: give both, or neither")
        if not named:
            object.__setattr__(self, "author_name", None)
        for name in ("tags_all", "tags_any", "tags_exclude"):
            object.__setattr__(self, name, _tags(getattr(self, name)))

    @property
    def works(self) -> tuple[str, ...]:
        """Return the works that `identifiers` belong to."""
        return tuple(dict.fromkeys(work(self.provider, name) for name in (*self.identifiers, *self.exactly)))


class MergeOutcome(StrEnum):
    """Tell what became of a note on its way to or from a file."""

    CREATED = "created"
    REPLACED = "replaced"
    EDITED = "edited"
    UNCHANGED = "unchanged"
    KEPT = "kept"
    DELETED = "deleted"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class MergeResult:
    """Tell what became of it, and hold the note to keep from now on."""

    fate: MergeOutcome
    note: Note


def merge(here: Note | None, there: Note, now: Instant) -> MergeResult:
    """Return what to keep where *here* is in the store and *there* comes from a file.

    Take a file with the store's own ``updated_at`` and other content as an update of *now*: it was edited by hand, by
    someone who knew the store's content.
    """
    if here is None:
        return MergeResult(MergeOutcome.CREATED, there)
    if there.updated_at > here.updated_at:
        return MergeResult(MergeOutcome.REPLACED, there)
    if _is_same(replace(there, updated_at=here.updated_at), here):
        return MergeResult(MergeOutcome.UNCHANGED, here)
    if there.updated_at == here.updated_at:
        return MergeResult(MergeOutcome.EDITED, replace(there, updated_at=now.after(here.updated_at)))
    return MergeResult(MergeOutcome.KEPT, here)


def _is_same(there: Note, here: Note) -> bool:
    """Return whether a file says what the store does, whatever line ends it came back with."""
    return there == replace(here, content=replace(here.content, text=there.content.text)) and (
        unified(there.content.text) == unified(here.content.text)
    )


def unified(text: str) -> str:
    """Return *text* with plain line ends."""
    return text.replace("\r\n", "\n")


def work(provider: ProviderName | None, identifier: str) -> str:
    """Return what *identifier* names, whatever its version."""
    return work_of(SOURCES[provider], identifier) if provider else identifier


def canonical(provider: ProviderName, text: str) -> str:
    """Return the one spelling of an identifier of *provider*, as far as it is known without asking anyone.

    Return a file's identifier as its caller writes it, who may not have added the file yet.
    """
    spec = SOURCES[provider]
    if not spec.networked and not text.strip():
        raise InvalidRequestError("identifier must say which file the note is about, in any words")
    try:
        return str(parse(spec, text))
    except InvalidRequestError:
        if spec.networked:
            raise
        return text


def _check_text(text: str) -> None:
    if not text or text.isspace():
        raise InvalidRequestError("text must hold at least one character that is not white space")


def _tags(tags: Sequence[str]) -> tuple[str, ...]:
    """Return each tag once, in the order given."""
    found = tuple(dict.fromkeys(map(_whole, tags)))
    if any(not tag.strip() for tag in found):
        raise InvalidRequestError("a tag must hold at least one character that is not white space")
    return found


def _metadata(metadata: Mapping[str, str] | None) -> Mapping[str, str] | None:
    return None if metadata is None else {_whole(key): _whole(value) for key, value in metadata.items()}


def _clean(holder: object, *names: str) -> None:
    """Replace what cannot be stored in the named fields of a new object."""
    for name in names:
        value = getattr(holder, name)
        if value is not None and (whole := _whole(value)) is not value:
            object.__setattr__(holder, name, whole)


def _whole(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATES.sub("\ufffd", text)
    return text
