"""PDF pages: each stands where it is in the document, and none is lost without a word."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prioris_mcp.adapters.parsers.pdf.reader.ocr import Ocr
from prioris_mcp.adapters.parsers.pdf.reader.streams import Finding, Streams
from prioris_mcp.adapters.parsers.workers.backends import IsolatedParser, LiteParsePdfBackend
from prioris_mcp.adapters.parsers.workers.pool import WorkerPool
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.errors import ParseError
from tests.unit.adapters.parsers.pdf import tiny_pdf
from tests.unit.adapters.parsers.pdf.tiny_pdf import BLANK, SCAN, flate, pdf, stream

pytestmark = pytest.mark.anyio

ONE = tiny_pdf.text("Alpha is the first page of this document")
THREE = tiny_pdf.text("Gamma is the third page of this document")


@pytest.fixture
def parser(pool: WorkerPool) -> IsolatedParser:
    """The PDF backend over a pool of its own."""
    return LiteParsePdfBackend(pool)


def page_texts(markdown: Markdown) -> list[str]:
    """The text of each leaf."""
    return [markdown.text[leaf.start : leaf.end] for leaf in markdown.leaves]


async def test_version_names_library_and_revision(parser: IsolatedParser) -> None:
    """The version tells the library's version and our own revision."""
    assert parser.version.startswith("liteparse-2.") and parser.version.endswith("+6")


async def test_pages_keep_their_numbers(parser: IsolatedParser) -> None:
    """A blank page has a leaf of its own, and every page ends with a blank line."""
    result = await parser.parse(pdf(ONE, BLANK, THREE))
    assert result.paged
    assert page_texts(result) == [
        "Alpha is the first page of this document\n\n",
        "\n\n",
        "Gamma is the third page of this document\n\n",
    ]


@pytest.mark.parametrize(
    "content",
    [
        b"BT /F1 12 Tf 72 700 Td (unterminated \xff\xfe \\",
        b"BT /F1 12 Tf 72 700 Td <48656c6c",
        b"\x01\x02 nothing that a page could hold \x03",
        stream(b"x\x9cnot deflated at all", b"/Filter /FlateDecode"),
        stream(b"\x00" * 40, b"/Filter /FlateDecode"),
    ],
)
async def test_damaged_page_is_named(parser: IsolatedParser, content: bytes) -> None:
    """A page whose content is damaged is named in its place, and costs no other page."""
    first, second, third = page_texts(await parser.parse(pdf(ONE, content, THREE)))
    assert "Alpha" in first and "Gamma" in third
    assert second == "[page 2 could not be read: its content is damaged]\n\n"


async def test_missing_page_is_named(parser: IsolatedParser) -> None:
    """A page whose object is not there is named in its place."""
    broken = pdf(ONE, ONE, THREE).replace(b"7 0 obj", b"7 0 oxx")
    first, second, third = page_texts(await parser.parse(broken))
    assert "Alpha" in first and "Gamma" in third
    assert second.startswith("[page 2 could not be read: the page is missing or damaged")


@pytest.mark.parametrize(
    "content", [BLANK, flate(b""), flate(b"q 1 0 0 1 0 0 cm Q"), b"BT /F1 12 Tf ( ) Tj ET", b"0 0 m 9 9 l S"]
)
async def test_blank_page_stays_blank(parser: IsolatedParser, content: bytes) -> None:
    """A page with nothing to read on it gets no notice."""
    assert page_texts(await parser.parse(pdf(ONE, content)))[1] == "\n\n"


async def test_scan_is_named(parser: IsolatedParser) -> None:
    """A page that only shows an image says so, and how such pages could be read."""
    notice = page_texts(await parser.parse(pdf(ONE, SCAN)))[1]
    assert notice.startswith("[page 2 is an image without a text layer; to read such pages, switch on OCR")


async def test_long_documents_report_progress(parser: IsolatedParser) -> None:
    """A document of more pages than a batch reports progress on the way, up to its last page."""
    pages = [tiny_pdf.text(f"Page number {number} of many") for number in range(1, 231)]
    seen: list[tuple[float, float]] = []

    async def progress(done: float, total: float) -> None:
        seen.append((done, total))

    result = await parser.parse(pdf(*pages), progress)
    assert seen == [(100, 230), (200, 230), (230, 230)]
    assert ["Page number 177 of many" in text for text in page_texts(result)].index(True) == 176


async def test_junk_before_the_document_is_cut(parser: IsolatedParser) -> None:
    """A PDF behind some other bytes is read all the same."""
    assert "Alpha" in (await parser.parse(b"HTTP junk\r\n" * 20 + pdf(ONE))).text


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "the document is not a PDF"),
        (b"PK\x03\x04" + b"x" * 2000, "the document is not a PDF"),
        (b"x" * 1025 + pdf(ONE), "the document is not a PDF"),
        (b"%PDF-1.4\n", "the PDF is damaged or cut short and cannot be read"),
        (pdf(ONE, THREE)[:300], "the PDF is damaged or cut short and cannot be read"),
        (pdf(), "the PDF has no pages"),
    ],
)
async def test_unreadable_documents(parser: IsolatedParser, content: bytes, sentence: str) -> None:
    """What cannot be read at all is one sentence about the document."""
    with pytest.raises(ParseError) as caught:
        await parser.parse(content)
    assert str(caught.value) == sentence


def test_ocr_needs_its_data(tmp_path: Path) -> None:
    """OCR is switched on only where the language data is there, since the library would fetch it otherwise."""
    assert not Ocr.of({}).enabled
    missing = Ocr.of({"ocr": True, "tessdata": str(tmp_path), "language": "deu"})
    assert not missing.enabled and "deu.traineddata" in missing.hint
    assert not Ocr.of({"ocr": True, "tessdata": str(tmp_path), "language": "../x"}).enabled
    (tmp_path / "eng.traineddata").write_bytes(b"")
    assert Ocr.of({"ocr": True, "tessdata": str(tmp_path)}).enabled


def test_text_that_cannot_be_extracted_is_told_from_blank() -> None:
    """Content that draws text, compressed or not, is recognised as such."""
    for content in (ONE, flate(ONE)):
        assert Streams(pdf(content)).examine(1) is Finding.TEXT


@given(st.binary(max_size=300))
def test_the_look_at_streams_never_fails(content: bytes) -> None:
    """Any bytes as a page's content, or as a whole document, give a finding."""
    for document in (content, pdf(content), pdf(stream(content, b"/Filter /FlateDecode"))):
        assert isinstance(Streams(document).examine(1), Finding)


@given(
    st.binary(max_size=200).map(b"%PDF-1.7\n".__add__)
    | st.tuples(st.integers(0, 700), st.binary(min_size=1, max_size=12)).map(
        lambda edit: pdf(ONE, THREE)[: edit[0]] + edit[1] + pdf(ONE, THREE)[edit[0] + len(edit[1]) :]
    )
)
@settings(deadline=None, max_examples=10)
def test_any_bytes_give_markdown_or_parse_error(content: bytes) -> None:
    """Whatever the bytes, the answer is Markdown with pages that partition it, or a ParseError."""

    refusals: list[str] = []

    async def parse() -> None:
        pool = WorkerPool(1)
        try:
            result = await LiteParsePdfBackend(pool, seconds=30).parse(content)
            assert "".join(page_texts(result)) == result.text
        except ParseError as exc:
            refusals.append(str(exc))
        finally:
            await pool.aclose()

    anyio.run(parse)
    assert not any("crashed" in sentence or "failed" in sentence for sentence in refusals)


@pytest.mark.corpus
async def test_acceptance_cases(parser: IsolatedParser, cases: Path) -> None:
    """The acceptance cases: three pages with the third at its number, a named page, a clear error."""
    for name in ("text_blank_text", "text_text_text", "blank_page2", "broken_page2"):
        first, second, third = page_texts(await parser.parse((cases / f"{name}.pdf").read_bytes()))
        assert first.startswith("ALPHA") and third.startswith("GAMMA")
        assert ("page 2" in second) == (name == "broken_page2")
    with pytest.raises(ParseError, match="damaged or cut short"):
        await parser.parse((cases / "truncated.pdf").read_bytes())
