"""Damaged PDFs give the pages they still have."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prioris_mcp.adapters.parsers.pdf.document import parse
from prioris_mcp.adapters.parsers.pdf.reader.repair import rebuilt
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.errors import ParseError
from tests.unit.adapters.parsers.pdf import tiny_pdf
from tests.unit.adapters.parsers.pdf.tiny_pdf import pdf

ONE = tiny_pdf.text("Alpha is the first page of this document")
TWO = tiny_pdf.text("Beta is the second page of this document")


def read(content: bytes) -> Markdown:
    """The Markdown of a PDF."""
    return parse(content, {}, lambda done, total: None)


def test_pages_before_the_cut_are_read() -> None:
    """A file that was cut short gives the pages that came through."""
    whole = pdf(ONE, TWO)
    cut = whole[: whole.index(b"xref")]
    assert "Alpha" in read(cut).text and "Beta" in read(cut).text
    assert len(read(whole[: whole.index(b"7 0 obj")]).leaves) == 1


def test_pages_without_a_tree_are_read() -> None:
    """Pages are found though the list of them is lost."""
    lost = pdf(ONE, TWO).replace(b"2 0 obj", b"9 9 oxx")
    assert [leaf.length > 9 for leaf in read(lost).leaves] == [True, True]


def test_pages_without_a_tree_and_without_content_are_named() -> None:
    """A page that is there but cannot be read is named."""
    lost = pdf(tiny_pdf.stream(b"x\x9cnot deflated", b"/Filter /FlateDecode")).replace(b"2 0 obj", b"9 9 oxx")
    assert read(lost).text.startswith("[page 1 could not be read")


def test_pages_in_object_streams_are_read() -> None:
    """Newer files pack their pages into compressed streams, whose dictionaries name the filter in two ways."""
    whole = pdf(ONE)
    start, end = whole.index(b"5 0 obj"), whole.index(b"6 0 obj")
    page = whole[start + 8 : end].removesuffix(b"endobj\n").strip()
    for filtered in (b"/Filter/FlateDecode/First 4", b"/Filter [/FlateDecode] /First 4"):
        packed = tiny_pdf.stream(zlib.compress(b"5 0 " + page), b"/Type /ObjStm /N 1 " + filtered)
        cut = whole[:start] + b"9 0 obj\n" + packed + b"\nendobj\n" + whole[end : whole.index(b"xref")]
        assert "Alpha" in read(cut).text


def test_what_has_no_text_left_is_refused() -> None:
    """A page that lost its content does not make a document."""
    with pytest.raises(ParseError, match="damaged or cut short"):
        read(pdf(ONE)[:400])


@given(st.binary(max_size=300) | st.integers(0, 700).map(lambda end: pdf(ONE, TWO)[:end]))
def test_rebuilding_never_fails(content: bytes) -> None:
    """Any bytes give a PDF or nothing."""
    mended = rebuilt(content)
    assert mended is None or mended.startswith(b"%PDF-")
