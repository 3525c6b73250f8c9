"""Scanned pages: read where that was asked for, by whom that was asked for, and as far as the time goes."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from prioris_mcp.adapters.parsers.pdf.document import parse
from prioris_mcp.adapters.parsers.pdf.reader.ocr import Ocr
from prioris_mcp.adapters.parsers.pdf.reader.pages import Page, read_pages
from prioris_mcp.adapters.parsers.pdf.reader.scans import OverdueError, read_scans, within
from prioris_mcp.adapters.parsers.workers.backends import LiteParsePdfBackend
from prioris_mcp.adapters.parsers.workers.pool import WorkerPool
from prioris_mcp.domain.markdown import Markdown
from tests.unit.adapters.parsers.pdf import tiny_pdf
from tests.unit.adapters.parsers.pdf.reader.ocr_server import OcrServer, Picture, running, words
from tests.unit.adapters.parsers.pdf.tiny_pdf import BLANK, SCAN, pdf

pytestmark = pytest.mark.anyio
ONE = tiny_pdf.text("Alpha is the first page of this document, which has a text layer of its own")
SECRET = {"Authorization": "Bearer k-header"}
TESSDATA = Path(os.environ.get("TESSDATA_PREFIX") or "nowhere")


def texts(markdown: Markdown) -> list[str]:
    """The text of each page."""
    return [markdown.text[leaf.start : leaf.end].strip() for leaf in markdown.leaves]


def silent(_done: int, _total: int) -> None:
    """Report progress to nobody."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OcrServer]:
    """A server that reads the same words on every picture; no proxy of this machine is in the way to it."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with running(lambda _: words("Words that only the picture shows")) as found:
        yield found


def options(server: OcrServer) -> dict[str, object]:
    """What asks for that server."""
    return {"ocr": True, "ocr_server": server.url, "ocr_headers": SECRET, "language": "deu"}


async def test_the_server_gets_scans_and_nothing_else(pool: WorkerPool, server: OcrServer) -> None:
    """Neither pages with a text layer nor blank ones; with the language and the headers that were set."""
    result = await LiteParsePdfBackend(pool, options=options(server)).parse(pdf(ONE, SCAN, BLANK))
    first, second, third = texts(result)
    assert first.startswith("Alpha")
    assert (second, third) == ("Words that only the picture shows", "")
    (asked,) = server.asked
    assert asked.headers["authorization"] == "Bearer k-header"
    assert b'name="language"\r\n\r\ndeu' in asked.body


async def test_no_server_is_asked_without_being_named(pool: WorkerPool, server: OcrServer) -> None:
    """And none while OCR is switched off."""
    off = {**options(server), "ocr": False}
    for wanted in (off, {"ocr": True}, {"ocr": True, "tessdata": "/nowhere"}):
        result = await LiteParsePdfBackend(pool, options=wanted).parse(pdf(SCAN))
        assert texts(result)[0].startswith("[page 1 is an image without a text layer; ")
    assert server.asked == []


def test_a_page_on_its_side_is_turned(server: OcrServer) -> None:
    """Once the words lie as they should, nobody looks further; an upright page is looked at once."""
    server.answer = lambda picture: (
        words("A page that was scanned on its side") if picture.width > picture.height else words("sa", confidence=0.5)
    )
    assert texts(parse(pdf(SCAN), options(server), silent)) == ["A page that was scanned on its side"]
    assert [asked.width > asked.height for asked in server.asked] == [False, True]


def test_standing_words_are_no_upright_page(server: OcrServer) -> None:
    """Some engines read words that stand on their end with confidence, and out of order."""
    server.answer = lambda picture: (
        words("In the order of a reader") if picture.width > picture.height else words("reader", "order", upright=False)
    )
    assert texts(parse(pdf(SCAN), options(server), silent)) == ["In the order of a reader"]


def test_noise_is_not_text(server: OcrServer) -> None:
    """A drawing that is read as letters, from whichever side, stays a page without text."""
    server.answer = lambda _: words("~ |_ a ,;", confidence=0.45)
    assert "OCR found no text in it" in parse(pdf(SCAN), options(server), silent).text
    assert len(server.asked) == 4


@pytest.mark.parametrize("answer", [b"", b"junk k-answer", b'{"results": 1}'])
def test_an_unusable_answer_costs_its_page_only(
    server: OcrServer, answer: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    """The page is named; neither what the server said nor its address gets into the log."""
    server.answer = lambda _: answer if len(server.asked) == 1 else words("Words of the second page")
    first, second = texts(parse(pdf(SCAN, SCAN), options(server), silent))
    assert first == "[page 1 is an image without a text layer; OCR gave no usable answer for it]"
    assert second == "Words of the second page"
    assert "k-" not in "".join(capfd.readouterr())


def seconds(*given: float) -> Callable[[], float]:
    """A clock that gives these, the last one for ever."""
    left = list(given)
    return lambda: left.pop(0) if len(left) > 1 else left[0]


def scans(count: int) -> tuple[list[Page], bytes]:
    """A document of scanned pages."""
    content = pdf(*[SCAN] * count)
    return read_pages(content, lambda _pages, _total: None), content


def test_a_long_scan_gives_what_was_read(server: OcrServer) -> None:
    """When the time is over the pages that are left say so, and progress goes on to the end."""
    pages, content = scans(4)
    seen: list[tuple[int, int]] = []
    clock = seconds(60, 60, 60, 60, 0)
    read = read_scans(pages, content, Ocr.of(options(server)), clock, lambda *done: seen.append(done))
    assert [page.unread for page in read] == ["", "", *["there was no time to read it"] * 2]
    assert [page.layout.has_text for page in read] == [True, True, False, False]
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_a_server_that_hangs_is_asked_no_more(server: OcrServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for it twice in one document."""
    released = threading.Event()

    def hang(_: Picture) -> bytes:
        released.wait()
        return words("late")

    server.answer = hang
    monkeypatch.setattr("prioris_mcp.adapters.parsers.pdf.reader.scans.LONGEST", 0.2)
    pages, content = scans(3)
    try:
        read = read_scans(pages, content, Ocr.of(options(server)), seconds(60), silent)
    finally:
        released.set()
    assert {page.unread for page in read} == {"OCR gave no usable answer for it"}
    assert len(server.asked) <= 1


def test_work_is_waited_for_as_long_as_agreed() -> None:
    """Its result or its error comes back; what takes too long is overdue."""
    assert within(60, lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        within(60, lambda: 1 // 0)
    released = threading.Event()
    with pytest.raises(OverdueError):
        within(0, released.wait)
    released.set()


@pytest.mark.skipif(not (TESSDATA / "eng.traineddata").is_file(), reason="no language data here (TESSDATA_PREFIX)")
@pytest.mark.parametrize("turned", [0, 90, 180, 270])
async def test_scans_are_read_offline(pool: WorkerPool, turned: int) -> None:
    """By the engine of the library with the language data of this machine, whichever way up the page lies."""
    sentence = "Faithful copies of printed pages\nare read without any network"
    content = tiny_pdf.scanned(tiny_pdf.text(sentence), turned)
    wanted = {"ocr": True, "tessdata": str(TESSDATA), "language": "eng"}
    result = await LiteParsePdfBackend(pool, options=wanted).parse(content)
    assert result.text.split() == sentence.split()
