"""Settings of the interpreter that a parse changes for as long as it runs."""

from __future__ import annotations

import gc
import sys
from collections.abc import Generator
from contextlib import contextmanager

_FRAMES = 10_000
"""A walk takes a few Python frames for each level of nesting, so the usual thousand would not reach the bounds."""


@contextmanager
def gc_paused() -> Generator[None]:
    """Pause the collector of cycles, which saves a tenth of a parse.

    A parse makes thousands of small records that all stay until its end. Reading scans by OCR on the way leaves no
    cycles behind either.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@contextmanager
def deep_recursion() -> Generator[None]:
    """Allow the recursion that a walk to the bounds of nesting needs."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
