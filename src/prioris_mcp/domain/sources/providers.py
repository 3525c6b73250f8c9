"""Tell which source serves which identifier, and who else does to those that asked another."""

from __future__ import annotations

from typing import Any

from prioris_mcp.domain.sources.doi import Doi
from prioris_mcp.domain.sources.identifiers import recognise
from prioris_mcp.domain.sources.spec import I, Identifier, SourceSpec
from prioris_mcp.domain.sources.table import SOURCES
from prioris_mcp.errors import InvalidRequestError, UnsupportedProviderError
from prioris_mcp.remedies import Action, Remedy

_SHOWN = 200


def parse(spec: SourceSpec[I], text: str) -> I:
    """Return the identifier of *spec* in *text*. Raise InvalidRequestError for any other, saying who takes it."""
    found = _or_none(text)
    meant = (own_name(found) or found) if isinstance(found, Doi) else found
    if isinstance(meant, spec.kinds):
        return meant
    refusal = (f"not {spec.called}: {text[:_SHOWN]!r}; ", *spec.expected)
    raise InvalidRequestError(*refusal, *(_elsewhere(found) if found else ()))


def own_name(doi: Doi) -> Identifier | None:
    """Return what *doi* names, where it is one that a source of ours has registered."""
    for spec in SOURCES.values():
        if spec.dois and doi.text.startswith(spec.dois[0]) and (found := spec.dois[1](doi.text[len(spec.dois[0]) :])):
            return found
    return None


def unversioned(doi: Doi) -> Doi:
    """Return *doi* as its source has registered it, which is without a version."""
    for spec in SOURCES.values():
        if spec.dois and (name := own_name(doi)) and isinstance(name, spec.kinds):
            return Doi(f"{spec.dois[0]}{name.work}")
    return doi


def serving(found: Identifier) -> SourceSpec[Any]:
    """Return the source that takes *found*."""
    meant = (own_name(found) or found) if isinstance(found, Doi) else found
    return next(spec for spec in SOURCES.values() if isinstance(meant, spec.kinds))


def source_of(text: str) -> SourceSpec[Any]:
    """Return the source that serves what *text* identifies; the first of all where that is not to be seen from it."""
    found = _or_none(text)
    return serving(found) if found else next(iter(SOURCES.values()))


def work_of(spec: SourceSpec[Any], identifier: str) -> str:
    """Return what *identifier* names, whatever its version."""
    try:
        return parse(spec, identifier).work if spec.versioned else identifier
    except InvalidRequestError:  # a damaged note names no paper; it is about what it says then
        return identifier


def _or_none(text: str) -> Identifier | None:
    try:
        return recognise(text)
    except (InvalidRequestError, UnsupportedProviderError):
        return None


def _elsewhere(found: Identifier) -> tuple[str | Remedy, ...]:
    """Return who serves *found*."""
    if isinstance(found, Doi):
        return "; ", Remedy(Action.RESOLVE, identifier=str(found)), " says who serves this DOI"
    return "; ", Remedy(Action.USE_SOURCE, serving(found).name), " take it"
