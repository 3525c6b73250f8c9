"""Scanned pages over MCP: sent to the OCR server that is configured, and to nobody else."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator

import pytest

from tests.e2e.conftest import Launch
from tests.e2e.process import Server
from tests.unit.adapters.parsers.pdf.reader.ocr_server import OcrServer, running, words
from tests.unit.adapters.parsers.pdf.tiny_pdf import SCAN, pdf

ADD = "research_localfile_fetch_full_text"
READ = "research_localfile_parse_full_text"


@pytest.fixture
def ocr() -> Iterator[OcrServer]:
    """An OCR server on this machine."""
    with running(lambda _: words("Words that only the picture shows")) as found:
        yield found


def read(server: Server) -> str:
    """A scan that was added, as Markdown."""
    server.initialize()
    added = server.ok(ADD, content_base64=base64.b64encode(pdf(SCAN)).decode())
    return str(server.ok(READ, id=added["id"])["markdown"])


def test_a_scan_is_read_by_the_server(launch: Launch, ocr: OcrServer) -> None:
    """With the headers that were set, which nobody else gets to see, nor the address."""
    headers = json.dumps({"Authorization": "Bearer k-header"})
    settings = {"PRIORIS_MCP_PDF_OCR_SERVER_URL": ocr.url, "PRIORIS_MCP_PDF_OCR_SERVER_HEADERS": headers}
    server = launch({**settings, "PRIORIS_MCP_LOG_LEVEL": "DEBUG"})
    assert read(server) == "Words that only the picture shows\n\n"
    assert [asked.headers["authorization"] for asked in ocr.asked] == ["Bearer k-header"]
    server.close()
    server.wait()
    assert "k-header" not in server.stderr and "k-address" not in server.stderr


def test_by_default_the_page_is_named(launch: Launch) -> None:
    """With the way to have it read; no request leaves, which the stand-in of the network would see."""
    assert read(launch()).startswith("[page 1 is an image without a text layer; to read such pages, switch on OCR")
