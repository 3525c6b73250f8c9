"""Waiting for what another process does."""

from __future__ import annotations

import time
from collections.abc import Callable


def until(holds: Callable[[], bool], seconds: float = 90.0) -> None:
    """Return when *holds* does; fails where it does not in time."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"still not so after {seconds:g} s"
        time.sleep(0.01)
