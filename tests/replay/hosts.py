"""Which host is played by which simulation: the one table to extend."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.replay import arxiv, doi, europepmc, openalex
from tests.replay.wire import Request, Response

Handler = Callable[[Request], Response | None]  # None: the simulation has no such page

HANDLERS: Mapping[str, Handler] = {**arxiv.HANDLERS, **doi.HANDLERS, **europepmc.HANDLERS, **openalex.HANDLERS}
