"""An event loop in which waiting takes no time."""

from __future__ import annotations

import asyncio
import selectors


class PatientLoop(asyncio.SelectorEventLoop):
    """Its time is a number that jumps to the next timer as soon as nothing else is to be done.

    For tests in which nobody else works: what a thread or another process does meanwhile takes no time here either.
    """

    def __init__(self) -> None:
        self._now = 1_000.0
        super().__init__(_Selector(self))

    def time(self) -> float:
        """Seconds since some moment."""
        return self._now

    def pass_by(self, seconds: float) -> None:
        """Let *seconds* pass."""
        self._now += seconds


class _Selector(selectors.DefaultSelector):
    """Waits for timers by letting their time pass, and really where only something outside can go on."""

    def __init__(self, loop: PatientLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(timeout if timeout is None else 0)
        if timeout and not ready:
            self._loop.pass_by(timeout)
        return ready
