"""Tell the bytes of a whole PDF from a page about one, and from one that broke off on its way."""

from __future__ import annotations

import re

_SNIFFED = 1024
"""Number of bytes in which a PDF may begin; readers allow some junk before it."""
_ENDING = 2048
"""Number of bytes in which it ends; readers allow some junk behind it."""
_MARKUP = re.compile(rb"<[A-Za-z!?/]")
_OBJECT = re.compile(rb"\d\s+\d+\s+obj\b")
_TABLE = re.compile(rb"startxref\s+(\d{1,12})")
_PADDING = b"\0\t\n\f\r "


def begins(content: bytes) -> bool:
    """Return whether *content* begins as a PDF does: after junk perhaps, but not after markup, which is about one."""
    at = content[:_SNIFFED].find(b"%PDF-")
    return at >= 0 and not _MARKUP.search(content, 0, at)


def has_objects(content: bytes) -> bool:
    """Return whether there is at least one of the objects that every PDF is made of."""
    return _OBJECT.search(content) is not None


def ends(content: bytes) -> bool:
    """Return whether the end of a PDF is there, and what it points back to lies before it.

    Take as the end its last mark, or at least the address of its table. The address lies outside where a part in the
    middle is missing.
    """
    tail = content.rstrip(_PADDING)[-_ENDING:]
    table = next(iter(reversed(_TABLE.findall(tail))), None)
    if table is None:
        return b"%%EOF" in tail
    return int(table) < len(content)
