"""Who holds a lease or a gate, and whether that process is still there."""

from __future__ import annotations

import hashlib
import os
import secrets
import socket
import sys
from pathlib import Path


def _node() -> str:
    """Names the set of processes that see each other's process ids."""
    try:
        namespace = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        namespace = ""
    return hashlib.sha256(f"{socket.gethostname()}|{namespace}".encode()).hexdigest()[:8]


NODE = _node()


def new_owner() -> str:
    """A name for one holder in this process, unlike any other."""
    return f"{NODE}-{os.getpid()}-{secrets.token_hex(6)}"


def is_dead(owner: str) -> bool:
    """Whether *owner* is certainly gone. A process that cannot be looked up from here counts as alive."""
    node, pid, _ = owner.split("-")
    if node != NODE or sys.platform == "win32":
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
