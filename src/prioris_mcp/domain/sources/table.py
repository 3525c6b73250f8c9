"""Every source, one row each. Whatever depends on the source reads it here, and nothing else tells sources apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prioris_mcp.domain.documents import ProviderName
from prioris_mcp.domain.sources.arxiv import ARXIV
from prioris_mcp.domain.sources.doi import Doi
from prioris_mcp.domain.sources.europepmc import EUROPEPMC
from prioris_mcp.domain.sources.localfiles import LOCALFILE
from prioris_mcp.domain.sources.spec import SourceSpec

SOURCES: dict[ProviderName, SourceSpec[Any]] = {spec.name: spec for spec in (ARXIV, EUROPEPMC, LOCALFILE)}
"""By name. The first is meant where an identifier does not tell. A row has to be here before types are made of it."""


def named(wanted: Callable[[SourceSpec[Any]], bool]) -> list[ProviderName]:
    """Return the names of the sources of which *wanted* is true."""
    return [name for name, spec in SOURCES.items() if wanted(spec)]


def takes_dois(spec: SourceSpec[Any]) -> bool:
    """Return whether *spec* looks up DOIs of any publisher."""
    return Doi in spec.kinds


def provider_named(text: str) -> ProviderName:
    """Return *text* as the name of a source. Raise ValueError where no source is called so."""
    if text not in SOURCES:
        raise ValueError(f"there is no source {text[:100]!r}")
    return ProviderName(text)
