"""Answers remembered for a while."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Remembered(Generic[K, V]):
    """At most *most* values, each for *seconds*; the one used longest ago goes first."""

    def __init__(self, seconds: float, clock: Callable[[], float], most: int = 1024) -> None:
        """*clock* tells seconds that never go back."""
        self._seconds, self._most, self._clock = seconds, most, clock
        self._values: OrderedDict[K, tuple[float, V]] = OrderedDict()

    def put(self, key: K, value: V) -> None:
        """Remember *value* under *key* from now on."""
        self._values.pop(key, None)
        self._values[key] = (self._clock() + self._seconds, value)
        if len(self._values) > self._most:
            self._values.popitem(last=False)

    def get(self, key: K) -> V | None:
        """What is remembered under *key*; None where nothing is, or no longer."""
        until, value = self._values.get(key, (0.0, None))
        if value is None or until <= self._clock():
            self._values.pop(key, None)
            return None
        self._values.move_to_end(key)
        return value
