"""Describe a source as one row of a table, from which follows all that anything else asks about it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.errors import InvalidRequestError
from prioris_mcp.remedies import Remedy


class Identifier:
    """Name a document as its source does. As a text it is the one spelling that we keep."""

    __slots__ = ()

    @property
    def work(self) -> str:
        """Return what it names, whatever the version."""
        return str(self)

    @property
    def pinned(self) -> bool:
        """Tell whether it always means the same text."""
        return True

    @property
    def written(self) -> str:
        """Return it as people write it."""
        return str(self)

    @property
    def leads_to_text(self) -> bool:
        """Tell whether full text can be had by it."""
        return False


I = TypeVar("I", bound=Identifier)  # noqa: E741 - an identifier
Reader = Callable[[str], Identifier | None]
"""Return the identifier that a text is, without label, address and what was pasted along; None where it is none."""


@dataclass(frozen=True, slots=True)
class Pages:
    """Say where pages about documents are: on *hosts*, under a path whose first group *read* takes."""

    hosts: frozenset[str]
    path: re.Pattern[str]
    read: Reader
    own: bool = True
    """Whether these are the source's pages, so that a DOI that leads there leads to the source."""


@dataclass(frozen=True, slots=True)
class Spellings:
    """Say how people and programs write the identifiers of one kind."""

    examples: str
    bare: tuple[Reader, ...]
    """How they are read that stand alone."""
    labels: Mapping[str, Reader] = field(default_factory=dict)
    """What may stand before one with a colon, and how the rest is read."""
    loose: tuple[tuple[re.Pattern[str], Reader], ...] = ()
    """Labels without a colon; they count only before what they announce."""
    pages: tuple[Pages, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceSpec(Generic[I]):
    """Describe one source."""

    name: ProviderName
    label: str
    """What people call it."""
    kinds: tuple[type[I], ...]
    """The identifiers that it takes."""
    called: str
    """What one of them is called, with its article."""
    expected: tuple[str | Remedy, ...]
    """What to give, in place of something else."""
    formats: tuple[SourceFormat, ...]
    """Those of its documents, the usual one first."""
    offers: str
    """The formats, as a sentence begins."""
    spellings: Spellings
    dois: tuple[str, Reader] | None = None
    """Beginning of the DOIs that it registers, and how the rest is read."""
    networked: bool = True
    """Whether it can be asked."""
    versioned: bool = False
    """Whether an identifier can name a version."""
    aliased: bool = False
    """Whether a document has several identifiers, of which the library knows those that it met."""
    tells_availability: bool = False
    """Whether it says beforehand which full texts can be had."""
    argument: str = "identifier"
    """Name of the parameter by which its tools take an identifier."""

    def offered(self, format_: SourceFormat) -> SourceFormat:
        """Return *format_*. Raise InvalidRequestError where no document of the source comes in it."""
        if format_ not in self.formats:
            give = " or ".join(f"format='{one}'" for one in self.formats)
            raise InvalidRequestError(f"{self.offers}, not {format_}; give {give}")
        return format_

    def key(self, identifier: object, format_: SourceFormat) -> DocumentKey:
        """Return the key of a document. Raise as `offered` does."""
        return DocumentKey(self.name, str(identifier), self.offered(format_))
