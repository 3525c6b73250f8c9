"""A look at the raw content of pages that gave no text, to tell blank ones from scans and damaged ones.

It reads just enough of the file format for that and never fails: what it cannot follow counts as blank.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from enum import Enum, auto
from functools import cached_property

_OBJECT = re.compile(rb"(?<!\d)(\d{1,9})\s+\d{1,5}\s+obj\b")
_STREAM = re.compile(rb"stream\r?\n")
_REFERENCE = re.compile(rb"(\d{1,9})\s+\d{1,5}\s+R\b")
_KEY = rb"/%s\s*(\[[^\]]*\]|\d{1,9}\s+\d{1,5}\s+R\b)"
_FILTER = re.compile(rb"/Filter\s*(?:/(\w+)|\[\s*/(\w+)\s*(/?))")
_DELIMITER = re.compile(rb"\\.|[()]", re.DOTALL)
_SIGN = re.compile(rb"%[^\r\n]*|[(]|<[0-9A-Fa-f\s]*>|(?<![\w/])(?:Do|BI|BT|ET)\b")
_OPERATOR = re.compile(rb"(?<![\w/])(?:q|Q|cm|re|m|l|f|n|S|W|gs|g|rg|BT|ET|BI|Do|BMC|BDC|EMC)(?!\w)")

_MAX_FILE = 64 << 20
_MAX_STREAM = 8 << 20
_MAX_PAGES = 20_000
_ENOUGH_TEXT = 8
"""Bytes of shown strings: less is the odd space or mark that many blank pages carry."""


class Finding(Enum):
    """Why a page gave no text."""

    BLANK = auto()
    IMAGE = auto()
    DAMAGED = auto()
    TEXT = auto()


class Streams:
    """The content streams of a PDF's pages, read only when a page is asked for."""

    def __init__(self, pdf: bytes) -> None:
        """Keep *pdf*; nothing is read yet."""
        self._pdf = pdf

    def examine(self, number: int) -> Finding:
        """What the content of page *number* (from 1) draws."""
        if number > len(self._pages):
            return Finding.BLANK
        parts = [self._decoded(part) for part in self._contents(self._pages[number - 1])]
        if any(part is None for part in parts):
            return Finding.DAMAGED
        return _drawn(b"\n".join(part for part in parts if part))

    @cached_property
    def objects(self) -> dict[int, bytes]:
        """Every object's bytes; of one that was updated, the last."""
        if len(self._pdf) > _MAX_FILE or b"/Encrypt" in self._pdf:
            return {}
        found = {int(match[1]): self._body(match.end()) for match in _OBJECT.finditer(self._pdf)}
        packed = [body for body in found.values() if b"/ObjStm" in body[:500]]
        for body in packed:
            for number, inner in _unpacked(body):
                found.setdefault(number, inner)
        return found

    def _body(self, start: int) -> bytes:
        end = self._pdf.find(b"endobj", start)
        return self._pdf[start : end if end >= 0 else len(self._pdf)]

    @cached_property
    def _pages(self) -> list[bytes]:
        """The dictionaries of the pages in order."""
        catalog = next((body for body in self.objects.values() if re.search(rb"/Type\s*/Catalog\b", body)), b"")
        waiting, seen = _references(catalog, b"Pages"), set[int]()
        pages: list[bytes] = []
        while waiting and len(pages) < _MAX_PAGES:
            number = waiting.pop()
            if number in seen:
                continue
            seen.add(number)
            node = self.objects.get(number, b"")
            if re.search(rb"/Kids\b", node):
                waiting.extend(reversed(_references(node, b"Kids")))
            else:
                pages.append(node)
        return pages

    def _contents(self, page: bytes) -> list[bytes]:
        """The content streams of a page; an array may stand in an object of its own."""
        bodies = [self.objects.get(number, b"") for number in _references(page, b"Contents")]
        if len(bodies) == 1 and bodies[0].lstrip().startswith(b"["):
            bodies = [self.objects.get(int(number), b"") for number in _REFERENCE.findall(bodies[0])]
        return bodies

    def _decoded(self, body: bytes) -> bytes | None:
        """The bytes of a stream object; None when it is missing or damaged."""
        return _decoded(body) if _STREAM.search(body) else None


def _references(dictionary: bytes, key: bytes) -> list[int]:
    match = re.search(_KEY % key, dictionary)
    return [int(number) for number in _REFERENCE.findall(match[1])] if match else []


def _decoded(body: bytes) -> bytes | None:
    """The decoded stream, empty for filters that this module does not know; None when it cannot be decoded."""
    start = _STREAM.search(body)
    if start is None:
        return b""
    data = body[start.end() :]
    filters = _FILTER.search(body[: start.start()])
    if not filters:
        return data.removesuffix(b"endstream") if data.endswith(b"endstream") else data.split(b"endstream")[0]
    if (filters[1] or filters[2]) != b"FlateDecode" or filters[3]:
        return b""
    try:
        stream = zlib.decompressobj()
        content = stream.decompress(data, _MAX_STREAM)
    except zlib.error:
        return None
    return content if content or stream.eof else None


def _unpacked(body: bytes) -> Iterator[tuple[int, bytes]]:
    """The objects inside an object stream, by number."""
    data, first = _decoded(body), re.search(rb"/First\s+(\d{1,9})", body)
    if not data or not first:
        return
    head = [int(word) for word in data[: int(first[1])].split() if word.isdigit()]
    offsets = [int(first[1]) + offset for offset in head[1::2]]
    ends = [*offsets[1:], len(data)]
    for number, start, end in zip(head[::2], offsets, ends, strict=False):
        yield number, data[start:end]


def _drawn(content: bytes) -> Finding:
    """Whether *content* shows text or images, or breaks off in the middle of a string or of a text."""
    if content.strip() and not _OPERATOR.search(content):
        return Finding.DAMAGED
    shown, signs = 0, set[bytes]()
    in_text = False
    for sign, size in _signs(content):
        if size < 0:
            return Finding.DAMAGED
        shown += size
        signs.add(sign)
        in_text = sign == b"BT" or (in_text and sign != b"ET")
    if signs & {b"Do", b"BI"}:
        return Finding.IMAGE
    if in_text:
        return Finding.DAMAGED
    return Finding.TEXT if shown > _ENOUGH_TEXT else Finding.BLANK


def _signs(content: bytes) -> Iterator[tuple[bytes, int]]:
    """The operators that matter here, and the strings with their sizes: negative for one that is never closed."""
    at = 0
    while match := _SIGN.search(content, at):
        sign, at = match[0], match.end()
        if sign == b"(":
            end = _string_end(content, at)
            yield sign, len(content[at:end].strip()) if end >= 0 else -1
            at = max(at, end)
        else:
            yield sign[:2], len(sign) // 2 if sign.startswith(b"<") else 0
        if sign == b"BI":
            return  # what follows is binary


def _string_end(content: bytes, start: int) -> int:
    """Where the string that began before *start* is closed; -1 when it never is."""
    depth = 1
    for match in _DELIMITER.finditer(content, start):
        depth += {b"(": 1, b")": -1}.get(match[0], 0)
        if not depth:
            return match.start()
    return -1
