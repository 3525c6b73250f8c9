"""A PDF written anew from the objects found in a damaged one, whose table or tree of pages is lost."""

from __future__ import annotations

import re

from prioris_mcp.adapters.parsers.pdf.reader.streams import Streams

_PAGE = re.compile(rb"/Type\s*/Page\b")
_REPLACED = re.compile(rb"/Type\s*/(?:ObjStm|XRef|Catalog)\b")
_MOST = 4_000_000
"""Number of an object; the library takes none that is much higher."""
_HEAD = 4096
"""Bytes at the start of an object in which its type stands."""


def rebuilt(pdf: bytes) -> bytes | None:
    """*pdf* with a new tree of the pages it still has; None where there are none."""
    found = Streams(pdf).objects.items()
    objects = {number: body for number, body in found if number < _MOST and not _REPLACED.search(body[:_HEAD])}
    pages = [number for number, body in objects.items() if _PAGE.search(body[:_HEAD])]
    if not pages:
        return None
    root = max(objects) + 1
    kids = b" ".join(b"%d 0 R" % number for number in pages)
    objects[root] = b"<< /Type /Catalog /Pages %d 0 R >>" % (root + 1)
    objects[root + 1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(pages))
    return _written(objects, root)


def _written(objects: dict[int, bytes], root: int) -> bytes:
    out, table = bytearray(b"%PDF-1.7\n"), bytearray(b"xref\n0 1\n0000000000 65535 f \n")
    for number, body in sorted(objects.items()):
        table += b"%d 1\n%010d 00000 n \n" % (number, len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body.strip())
    trailer = b"trailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (root + 2, root, len(out))
    return bytes(out + table + trailer)
