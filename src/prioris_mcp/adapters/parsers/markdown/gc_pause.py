"""Parsing without looking for garbage: it makes thousands of small records that all stay until its end.

Reading scans by OCR on the way leaves no cycles behind either.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Generator[None]:
    """For as long as the block lasts the collector of cycles rests, which costs a tenth of a parse."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
