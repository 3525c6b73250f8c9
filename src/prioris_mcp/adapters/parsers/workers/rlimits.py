"""What the operating system is asked to hold a worker to; each limit is left out where a system lacks it."""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress
from pathlib import Path

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

_PR_SET_PDEATHSIG = 1
_SIGKILL = 9
_CPU_GRACE = 5
"""Seconds of processor time past a job's deadline, which the server is expected to enforce long before."""


def die_with(parent: int) -> None:
    """Have the kernel kill this process when its parent ends (Linux); leave at once if process *parent* already did."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)
    # The parent may have ended before the line above: then nothing would ever tell this process.
    if os.name == "posix" and os.getppid() != parent:
        os._exit(1)


def no_core_dumps() -> None:
    """Allow no core dump: a crash must not write a document's text to the disk."""
    if resource:
        _set_soft(resource.RLIMIT_CORE, 0)


def hold_to(memory: int, seconds: float) -> None:
    """Allow the coming job *memory* bytes of address space above what is mapped now, and its share of processor."""
    if not resource:
        return
    _set_soft(resource.RLIMIT_CPU, int(_cpu_used() + seconds) + 1 + _CPU_GRACE)
    if (mapped := _mapped()) is not None:
        _set_soft(resource.RLIMIT_AS, mapped + memory)


def release_memory() -> None:
    """Lift the job's limit: receiving the next document must not fail for the last one's sake."""
    if resource:
        _set_soft(resource.RLIMIT_AS, resource.RLIM_INFINITY)


def peak_memory() -> int:
    """Return the largest resident size this process had, in bytes; 0 where that is unknown.

    On Linux the kernel's account of this program is read: what getrusage says includes the parent's size at the fork.
    """
    with suppress(OSError, StopIteration, ValueError):
        lines = Path("/proc/self/status").read_text("ascii").splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) * 1024
    if not resource:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _set_soft(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        value = hard if value == resource.RLIM_INFINITY else min(value, hard)
    with suppress(ValueError, OSError):
        resource.setrlimit(kind, (value, hard))


def _cpu_used() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _mapped() -> int | None:
    """Return the bytes of address space in use; None where only Linux would tell."""
    try:
        return int(Path("/proc/self/statm").read_bytes().split()[0]) * resource.getpagesize()
    except OSError:
        return None
