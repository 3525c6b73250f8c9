"""Find out which source serves an identifier, and under which name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NoReturn
from urllib.parse import urlsplit

from prioris_mcp.domain.documents import ProviderName, Resolution, SourceFormat
from prioris_mcp.domain.sources.doi import Doi
from prioris_mcp.domain.sources.identifiers import landed, recognise
from prioris_mcp.domain.sources.providers import own_name, serving, unversioned
from prioris_mcp.domain.sources.spec import Identifier, SourceSpec
from prioris_mcp.domain.sources.table import named, takes_dois
from prioris_mcp.errors import (
    InvalidRequestError,
    ProviderUnavailableError,
    RateLimitedError,
    UnsupportedProviderError,
)
from prioris_mcp.ports.sources import FullTextSource, LandingPages
from prioris_mcp.remedies import ADD_FILE, Action, Remedy


class Resolve:
    """Route an identifier to the source that serves it. Ask doi.org first about a DOI."""

    def __init__(self, sources: Mapping[ProviderName, FullTextSource], pages: LandingPages) -> None:
        self._sources, self._pages = sources, pages

    async def __call__(self, identifier: str, format_: str | None = None) -> Resolution:
        """Return what *identifier* means now, in *format_* or in the usual one of its source.

        Raise UnsupportedProviderError for what no source of ours serves, InvalidRequestError for a wrong format.
        """
        found = recognise(identifier)
        if isinstance(found, Doi):
            found = await self._led_to(found)
        spec = serving(found)
        if not spec.networked:
            raise UnsupportedProviderError(
                f"{found} is a {spec.label}, which needs no resolving: read it with ",
                Remedy(Action.PARSE, spec.name, str(found)),
            )
        wanted = _checked(format_, spec) if format_ else spec.formats[0]
        resolved = await self._sources[spec.name].resolve(str(found), wanted)
        return replace(resolved, formats=() if resolved.available is False else spec.formats)

    async def _led_to(self, doi: Doi) -> Identifier:
        """Return where *doi* leads, as an identifier of one of our sources.

        A source registers its DOIs without versions: one that *doi* names is kept.
        """
        own = own_name(doi)
        try:
            landing = await self._pages.landing(unversioned(doi))
        except (ProviderUnavailableError, RateLimitedError):
            if own is None:
                raise
            return own
        found = landed(landing) or _refuse(landing, doi)
        return own if own and serving(own) is serving(found) and own.work == found.work else found


def _refuse(landing: str, doi: Doi) -> NoReturn:
    host = (urlsplit(landing).hostname or landing)[:100] if "[" not in landing else landing[:100]
    raise UnsupportedProviderError(
        f"{doi} leads to {host}, which no source of this server serves; ",
        Remedy(Action.LOOK_UP, named(takes_dois)[0], str(doi)),
        " may know the DOI, or add the PDF with ",
        ADD_FILE,
    )


def _checked(format_: str, spec: SourceSpec[Any]) -> SourceFormat:
    try:
        wanted = SourceFormat(format_.strip().lower())
    except ValueError:
        wanted = None
    if wanted not in spec.formats or wanted is None:
        offered = " and ".join(spec.formats)
        raise InvalidRequestError(
            f"{spec.name} offers {offered}, not {format_[:50]!r}; leave format out, or give one of these"
        )
    return wanted
