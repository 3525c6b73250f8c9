"""Limit how much each of many may do in a time."""

from __future__ import annotations

_MOST_NAMES = 4096
"""Most names remembered at once, before those that have all of theirs again are forgotten."""


class Quota:
    """Allow at most *most* in *seconds* to each name; what was used comes back evenly. 0 means no limit."""

    def __init__(self, most: int, seconds: float) -> None:
        self._most, self._seconds = most, seconds
        self._used: dict[str, tuple[float, float]] = {}

    def wait(self, name: str, cost: int, now: float) -> float:
        """Take *cost* for *name* at *now* (seconds of any clock) and return 0; or take nothing and return the wait.

        Return the wait in seconds, and infinity for what is never possible.
        """
        if not self._most:
            return 0.0
        if cost > self._most:
            return float("inf")
        used, at = self._used.get(name, (0.0, now))
        used = max(0.0, used - (now - at) * self._most / self._seconds)
        if used + cost > self._most:
            return (used + cost - self._most) * self._seconds / self._most
        if len(self._used) >= _MOST_NAMES:
            self._used = {each: held for each, held in self._used.items() if now - held[1] < self._seconds}
        self._used[name] = (used + cost, now)
        return 0.0
