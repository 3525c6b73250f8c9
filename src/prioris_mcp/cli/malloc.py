"""How the C library keeps freed memory. Its usual way suits a program that ends soon."""

from __future__ import annotations

import ctypes
import os
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
_LARGE = 256 * 1024
_SPARE = 2**20
_ARENAS = 2


def give_back() -> None:
    """Let freed memory go back to the system; to be called before the first thread starts.

    glibc keeps a heap for each of many threads, and after one large text keeps all that follow in them: a server that
    answers some thousand calls then holds twice what it uses. Where somebody has set this by environment, or where
    there is another C library, nothing is changed.
    """
    if not sys.platform.startswith("linux") or any(name.startswith("MALLOC_") for name in os.environ):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        for option, value in ((_ARENA_MAX, _ARENAS), (_MMAP_THRESHOLD, _LARGE), (_TRIM_THRESHOLD, _SPARE)):
            mallopt(option, value)
