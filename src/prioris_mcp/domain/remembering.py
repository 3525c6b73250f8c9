"""Answers remembered for a while."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Remembered(Generic[K, V]):
    """Values that weigh *most* together at most, each for *seconds*; the one used longest ago goes first."""

    def __init__(self, seconds: float, clock: Callable[[], float], most: int = 1024) -> None:
        """*clock* tells seconds that never go back."""
        self._seconds, self._most, self._clock = seconds, most, clock
        self._values: OrderedDict[K, tuple[float, V, int]] = OrderedDict()
        self._weight = 0

    def put(self, key: K, value: V, weight: int = 1) -> None:
        """Remember *value* under *key* from now on."""
        self._forget(key)
        self._values[key] = (self._clock() + self._seconds, value, weight)
        self._weight += weight
        while self._weight > self._most:
            self._forget(next(iter(self._values)))

    def get(self, key: K) -> V | None:
        """What is remembered under *key*; None where nothing is, or no longer."""
        until, value, _ = self._values.get(key, (0.0, None, 0))
        if value is None or until <= self._clock():
            self._forget(key)
            return None
        self._values.move_to_end(key)
        return value

    def _forget(self, key: K) -> None:
        if key in self._values:
            self._weight -= self._values.pop(key)[2]
