"""Keep gates working where the file they share cannot be written."""

from __future__ import annotations

import logging
from collections.abc import Callable

from prioris_mcp.domain.pacing import Gate
from prioris_mcp.errors import StorageError
from prioris_mcp.ports.coordination import Gates

_log = logging.getLogger(__name__)


class FallbackGates:
    """Use the *shared* gates; after their first failure the process's *own*, which pace this process alone."""

    def __init__(self, shared: Gates, own: Gates) -> None:
        self._shared, self._own = shared, own
        self._failed = False

    async def update(self, source: str, change: Callable[[Gate], Gate]) -> Gate:
        if not self._failed:
            try:
                return await self._shared.update(source, change)
            except StorageError as exc:
                self._failed = True
                _log.warning("requests are paced for this process alone, others are not seen: %s", exc)
        return await self._own.update(source, change)
