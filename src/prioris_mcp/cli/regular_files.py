"""Files that a person names. Devices, pipes and folders are not read, and never written over."""

from __future__ import annotations

import stat
from pathlib import Path

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def content(path: Path) -> bytes:
    """What the file at *path*, or at the end of the links there, holds; ValueError for anything but a regular file."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode):
        # Not opened either: that may wait for ever, never end, or do something.
        raise ValueError(f"it is {_KINDS.get(stat.S_IFMT(mode), 'something else')}, not a regular file; name a file")
    return path.read_bytes()
