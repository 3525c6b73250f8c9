"""How much each of many may do in a time."""

from __future__ import annotations


class Quota:
    """At most *most* in *seconds*, for each name on its own; what was used comes back evenly. 0 means no limit."""

    def __init__(self, most: int, seconds: float) -> None:
        self._most, self._seconds = most, seconds
        self._used: dict[str, tuple[float, float]] = {}

    def wait(self, name: str, cost: int, now: float) -> float:
        """Take *cost* for *name* at *now* (seconds of any clock), and 0; or take nothing, and the seconds to wait.

        Infinity for what is never possible.
        """
        if not self._most:
            return 0.0
        if cost > self._most:
            return float("inf")
        used, at = self._used.get(name, (0.0, now))
        used = max(0.0, used - (now - at) * self._most / self._seconds)
        if used + cost > self._most:
            return (used + cost - self._most) * self._seconds / self._most
        self._used[name] = (used + cost, now)
        return 0.0
