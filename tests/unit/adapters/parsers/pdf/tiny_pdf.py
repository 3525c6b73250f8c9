"""Minimal PDFs for tests, made as bytes."""

from __future__ import annotations

import struct
import zlib

from liteparse import LiteParse

_PAGE = (
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
    b"/Resources << /Font << /F1 3 0 R >> %s >> >>"
)


def text(words: str) -> bytes:
    """The content of a page that shows *words*, one line for each sentence."""
    lines = words.replace("(", r"\(").replace(")", r"\)").split("\n")
    shown = b" 0 -14 Td ".join(b"(%s) Tj" % line.encode("cp1252") for line in lines)
    return b"BT /F1 12 Tf 72 700 Td " + shown + b" ET"


def stream(content: bytes, extra: bytes = b"") -> bytes:
    """A stream object."""
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), extra, content)


def flate(content: bytes) -> bytes:
    """A compressed stream object."""
    return stream(zlib.compress(content), b"/Filter /FlateDecode")


def _image(pixels: int) -> bytes:
    """A square of greys."""
    head = b"/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray" % (pixels, pixels)
    return stream(bytes(number % 256 for number in range(pixels * pixels)), head + b" /BitsPerComponent 8")


BLANK = stream(b"")
SCAN = stream(b"q 600 0 0 780 6 6 cm /Im0 Do Q")


_TURNS = {0: b"612 0 0 792 0 0", 90: b"0 -792 612 0 0 792", 180: b"-612 0 0 -792 612 792", 270: b"0 792 -612 0 612 0"}


def scanned(content: bytes, turned: int = 0) -> bytes:
    """A PDF whose one page is a picture of the page with *content*, lying *turned* degrees clockwise."""
    library = LiteParse(dpi=150, extract_screenshots=True, ocr_enabled=False, quiet=True)
    (shot,) = library.parse(pdf(content)).screenshots
    png, at, data = shot.image_bytes, 8, b""
    while at < len(png):
        size = int.from_bytes(png[at : at + 4], "big")
        data += png[at + 8 : at + 8 + size] if png[at + 4 : at + 8] == b"IDAT" else b""
        at += size + 12
    width, height = struct.unpack(">II", png[16:24])
    # Red, green, blue and opacity are shown as inverted inks: black on white comes out as black on white.
    picture = (
        b"/Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent 8 /ColorSpace /DeviceCMYK"
        b" /Decode [1 0 1 0 1 0 1 0] /Filter /FlateDecode"
        b" /DecodeParms << /Predictor 15 /Colors 4 /BitsPerComponent 8 /Columns %d >>" % (width, height, width)
    )
    page = stream(b"q " + _TURNS[turned] + b" cm /Im0 Do Q")
    return pdf(page, image=stream(data, picture), everywhere=True)


def pdf(*pages: bytes, pixels: int = 2, image: bytes = b"", everywhere: bool = False) -> bytes:
    """A PDF whose pages have these content streams, as objects or as plain content.

    Scans have an *image* /Im0, by default of *pixels* by *pixels*; so have all pages if *everywhere*.
    """
    numbers = range(5, 5 + 2 * len(pages), 2)
    kids = b" ".join(b"%d 0 R" % number for number in numbers)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(pages)),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        image or _image(pixels),
    ]
    for number, content in zip(numbers, pages, strict=True):
        objects.append(_PAGE % (number + 1, b"/XObject << /Im0 4 0 R >>" if everywhere or content == SCAN else b""))
        objects.append(content if b"stream\n" in content else stream(content))
    return _file(objects)


def _file(objects: list[bytes]) -> bytes:
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    tail = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(out))
    return out + head + table + tail
