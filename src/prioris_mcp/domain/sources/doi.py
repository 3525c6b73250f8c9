"""DOIs, which belong to no source until it is known where they lead."""

from __future__ import annotations

import re
from dataclasses import dataclass

from prioris_mcp.domain.sources.pasted import cleaned, decoded
from prioris_mcp.domain.sources.spec import Identifier, Pages, Spellings

_HOSTS = frozenset({"doi.org", "dx.doi.org", "www.doi.org"})
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/[^\s\x00-\x1f\x7f]+", re.ASCII)
_ESCAPE = re.compile(r"%(?=[0-9a-f]{2})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Doi(Identifier):
    """Hold a DOI, in lower case: DOIs do not tell capitals apart."""

    text: str

    def __str__(self) -> str:
        return _ESCAPE.sub("%25", self.text)


def _read(text: str) -> Doi | None:
    """Return the DOI in *text*, which may be percent-encoded, once: slashes and brackets often are."""
    plain = cleaned(decoded(text) or "") if "%" in text else text
    return _plain(plain) or (_plain(text) if plain != text else None)


def _plain(text: str) -> Doi | None:
    return Doi(text.lower()) if _DOI.fullmatch(text) else None


SPELLINGS = Spellings(
    "a DOI",
    (_read,),
    {"doi": _read},
    pages=(Pages(_HOSTS, re.compile(r"/(?:doi:\s*)?(10\..+)", re.IGNORECASE), _plain, own=False),),
)
