"""Who holds a lease or a gate, and whether that process is still there."""

from __future__ import annotations

import hashlib
import os
import re
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


def _life(pid: int) -> str | None:
    """What tells one process from a later one with the same number; None where it is over, "" where unknown."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
    except FileNotFoundError:
        return None if _HAS_PROC else ""
    except OSError:
        return ""
    state, started = fields[0], fields[19]
    return None if state in "ZX" else started


_HAS_PROC = Path("/proc/self/stat").exists()


def new_owner() -> str:
    """A name for one holder in this process, unlike any other."""
    pid = os.getpid()
    return f"{NODE}-{pid}-{_life(pid) or 0}-{secrets.token_hex(6)}"


_OWNER = re.compile(r"([0-9a-f]{8})-([0-9]{1,10})-([0-9]{1,20})-[0-9a-f]{12}")


def is_owner(name: str) -> bool:
    """Whether *name* is of the form that `new_owner` gives."""
    return _OWNER.fullmatch(name) is not None


def is_dead(owner: str) -> bool:
    """Whether *owner* is certainly gone. What is no name of ours, or cannot be looked up from here, is not."""
    match = _OWNER.fullmatch(owner)
    if match is None:
        return False
    node, pid, life = match.groups()
    if node != NODE or sys.platform == "win32":
        return False
    if _HAS_PROC:
        return _life(int(pid)) not in (life, "")
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
