"""Give work that nobody waits for a thread of its own."""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

_NICE = 10


def background_thread() -> ThreadPoolExecutor:
    """Return one thread, started at first use, that has what processor time the others leave."""
    return ThreadPoolExecutor(1, "embedding", _stand_back)


def _stand_back() -> None:
    # Elsewhere the system cannot tell one thread of a process from another.
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
