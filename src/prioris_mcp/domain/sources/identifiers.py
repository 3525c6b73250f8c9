"""Understand the spellings in which people and models write identifiers.

Nothing here asks a network. Addresses of pages are understood on exactly the hosts of the sources, by http or https,
without user information and without a port.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from urllib.parse import urlsplit

from prioris_mcp.domain.sources import doi
from prioris_mcp.domain.sources.europepmc import RECORDS
from prioris_mcp.domain.sources.pasted import LONGEST, cleaned, decoded
from prioris_mcp.domain.sources.spec import Identifier, Pages, Spellings
from prioris_mcp.domain.sources.table import SOURCES
from prioris_mcp.errors import InvalidRequestError, UnsupportedProviderError
from prioris_mcp.remedies import ADD_FILE

_SHOWN = 200
_UNKNOWN_RECORD = re.compile(r"[A-Za-z]{2,5}:\S+", re.ASCII)
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_HOSTED = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,}/", re.IGNORECASE)


def recognise(text: str) -> Identifier:
    """Return what *text* identifies.

    Raise InvalidRequestError for what is no identifier at all, UnsupportedProviderError for one that no source of ours
    serves.
    """
    if len(text) > LONGEST:
        raise InvalidRequestError(
            f"not an identifier: {text[:_SHOWN]!r}… has {len(text)} characters, {LONGEST} at most; expected {_forms()}"
        )
    bare = cleaned(text)
    found = _labelled(bare) or _alone(bare) or _of_address(bare, _pages())
    if found is None:
        raise _refusal(text, bare)
    return found


def landed(address: str) -> Identifier | None:
    """Return what the page at *address* is about, to which a DOI leads; only pages of the sources themselves count."""
    if len(address) > LONGEST or not _ADDRESS.match(address):
        return None
    return _of_address(address, [page for page in _pages() if page.own])


@cache
def _spellings() -> tuple[Spellings, ...]:
    return (*(spec.spellings for spec in SOURCES.values()), doi.SPELLINGS)


@cache
def _pages() -> tuple[Pages, ...]:
    return tuple(page for spelling in _spellings() for page in spelling.pages)


def _forms() -> str:
    examples = ", ".join(spelling.examples for spelling in _spellings() if spelling.examples)
    return f"a form such as {examples}, or the address of one of their pages"


@cache
def _label() -> re.Pattern[str]:
    names = "|".join(label for spelling in _spellings() for label in spelling.labels)
    return re.compile(rf"(?:info|urn):({names})[:/]\s*|({names})\s*:\s*|(doi)(?:\s+|[/=])", re.IGNORECASE)


def _labelled(bare: str) -> Identifier | None:
    """Return what stands behind a label; behind a label with a colon it can be an address as well."""
    if label := _label().match(bare):
        rest, name = bare[label.end() :], label[label.lastindex or 0].lower()
        read = next(spelling.labels[name] for spelling in _spellings() if name in spelling.labels)
        return read(rest) or _of_address(rest, _pages())
    for pattern, read in (each for spelling in _spellings() for each in spelling.loose):
        if label := pattern.match(bare):
            return read(bare[label.end() :])
    return None


def _alone(bare: str) -> Identifier | None:
    """Return an identifier without label or address."""
    readers = (read for spelling in _spellings() for read in spelling.bare)
    return next((found for read in readers if (found := read(bare))), None)


def _refusal(text: str, bare: str) -> InvalidRequestError | UnsupportedProviderError:
    given = repr(text[:_SHOWN])
    if _ADDRESS.match(bare) or _HOSTED.match(bare):
        return UnsupportedProviderError(
            f"no source of this server serves the address {given}; give a DOI or an identifier, or add the PDF with ",
            ADD_FILE,
        )
    if not bare or bare[0].isdecimal() or _label().match(bare):
        return InvalidRequestError(
            f"not an identifier: {given}; expected {_forms()}; an old arXiv number needs its archive (cs/0112017),"
            " a DOI what follows its slash"
        )
    if _UNKNOWN_RECORD.fullmatch(bare):
        return UnsupportedProviderError(f"unknown source in {given}; Europe PMC's sources are {', '.join(RECORDS)}")
    return UnsupportedProviderError(f"no source of this server knows {given}; expected {_forms()}")


def _of_address(text: str, pages: Iterable[Pages]) -> Identifier | None:
    """Return the identifier in the address of one of *pages*."""
    address = text if _ADDRESS.match(text) else f"https://{text}"
    try:
        parts = urlsplit(address)
        path = decoded(parts.path)
    except ValueError:
        return None
    if parts.scheme.lower() not in ("http", "https") or path is None:
        return None
    for page in pages:
        if parts.netloc.lower() in page.hosts and (match := page.path.fullmatch(cleaned(path))):
            return page.read(match[1].rstrip("/"))
    return None
