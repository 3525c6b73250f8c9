"""A stored paper read through the whole program: as windows, as resources, and without its source."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.e2e.conftest import LORA, OLD, SAMPLE, Launch, pdf_of, uri, whole
from tests.e2e.process import ERROR, FETCH, PARSE, RpcError, Server
from tests.replay import StandIn
from tests.replay.papers import DATA

LORA_HTML = (DATA / "html" / "2106.09685.html").read_text("utf-8")
pytestmark = pytest.mark.usefixtures("standin")


def _parsed(server: Server, identifier: str = LORA, **window: Any) -> dict[str, Any]:
    return server.ok(PARSE, arxiv_id=identifier, format="pdf", **window)


def _read_markdown(server: Server, query: str, identifier: str = LORA) -> dict[str, Any]:
    window: dict[str, Any] = json.loads(server.read(uri(identifier, "pdf", "markdown") + query)["text"])
    return window


def _refusal(server: Server, address: str) -> RpcError:
    with pytest.raises(RpcError) as caught:
        server.read(address)
    return caught.value


# -- reading


def test_windows_make_the_whole(library: Server) -> None:
    """Windows read one after the other give the same text as one large window and as the resource."""
    text = _parsed(library, limit=100_000)["markdown"]
    assert len(text) > 10_000
    assert whole(lambda offset: _parsed(library, offset=offset, limit=1000)) == text
    assert whole(lambda offset: _read_markdown(library, f"?offset={offset}&limit=3000")) == text


def test_pages_make_the_whole(library: Server) -> None:
    """Pages cover the text without gap: reading page by page and then on by offset gives the same whole."""
    text = _parsed(library, limit=100_000)["markdown"]
    pages = _parsed(library, limit=1)["total_pages"]
    starts = [_parsed(library, page=page, limit=1)["offset"] for page in range(1, pages + 1)]
    assert pages > 1
    assert starts == sorted(set(starts)) and starts[0] == 0
    ends = [*starts[1:], len(text)]
    parts = [
        whole_page(library, page, end - start) for page, (start, end) in enumerate(zip(starts, ends, strict=True), 1)
    ]
    assert "".join(parts) == text


def whole_page(server: Server, page: int, length: int) -> str:
    """One page of LoRA, of which every window says that it lies on that page."""
    window = _parsed(server, page=page, limit=length)
    assert window["page_range"] == [page, page]
    return str(window["markdown"])


def test_offset_counts_from_the_page(library: Server) -> None:
    """With a page, the offset asked for counts from its start, and the answer's from the document's."""
    start = _parsed(library, page=2, limit=1)["offset"]
    window = _parsed(library, page=2, offset=10, limit=50)
    assert window["offset"] == start + 10
    assert window["markdown"] == _parsed(library, offset=start + 10, limit=50)["markdown"]


def test_page_of_html_is_invalid(library: Server) -> None:
    """HTML has no pages: asking for one is invalid_request."""
    assert library.fails(PARSE, arxiv_id=LORA, format="html", page=1)[0] == "invalid_request"


@pytest.mark.parametrize("window", [{"offset": -1}, {"limit": 0}, {"page": 0}, {"page": 7}, {"limit": "many"}])
def test_impossible_windows_are_invalid(library: Server, window: Mapping[str, Any]) -> None:
    """A window that cannot be is invalid_request."""
    assert library.fails(PARSE, arxiv_id=LORA, format="pdf", **window)[0] == "invalid_request"


def test_offset_past_the_end_is_empty(library: Server) -> None:
    """Past the end there is no text, but the last page and the true total."""
    total = _parsed(library, limit=1)["total_length"]
    past = _parsed(library, offset=total + 5)
    last = [past["total_pages"]] * 2
    assert (past["markdown"], past["has_more"], past["total_length"], past["page_range"]) == ("", False, total, last)


def test_limit_is_bounded(library: Server) -> None:
    """A huge limit is cut to 100000, and a text that fits has no more."""
    window = _parsed(library, limit=10**9)
    assert (window["limit"], window["has_more"]) == (100_000, False)
    assert len(window["markdown"]) == window["total_length"]


def test_limit_is_bounded_for_long_texts(launch: Launch, standin: StandIn) -> None:
    """Of a text longer than 100000 characters a huge limit gives that many, and has_more until the end."""
    standin.fault("body", path="/html/*", body=f"<html><body>{'<p>word word word</p>' * 10_000}</body></html>")
    server = launch()
    server.ok(FETCH, arxiv_id=LORA, format="html")
    first = server.ok(PARSE, arxiv_id=LORA, format="html", limit=10**9)
    assert (len(first["markdown"]), first["limit"], first["has_more"]) == (100_000, 100_000, True)
    rest = server.ok(PARSE, arxiv_id=LORA, format="html", limit=10**9, offset=100_000)
    assert (len(rest["markdown"]), rest["has_more"]) == (first["total_length"] - 100_000, False)


def test_html_is_parsed(library: Server) -> None:
    """HTML becomes Markdown with headings and without pages."""
    window = library.ok(PARSE, arxiv_id=LORA, format="html")
    assert window["markdown"].startswith("# LoRA: Low-Rank Adaptation")
    assert (window["total_pages"], window["page_range"], window["has_more"]) == (None, None, False)


# -- resources


def test_pdf_resource_is_exact(library: Server) -> None:
    """The resource of a PDF holds its bytes, unchanged, under the right type."""
    content = library.read(uri(LORA, "pdf", "fulltext"))
    assert content["mimeType"] == "application/pdf"
    assert base64.b64decode(content["blob"], validate=True) == SAMPLE


def test_html_resource_is_exact(library: Server) -> None:
    """The resource of an HTML page holds its text, unchanged, under the right type."""
    content = library.read(uri(LORA, "html", "fulltext"))
    assert (content["mimeType"], content["text"]) == ("text/html", LORA_HTML)


@pytest.mark.parametrize("spelling", [OLD, OLD.replace("/", "%2F")])
def test_slash_in_an_address(library: Server, spelling: str) -> None:
    """An old identifier works in an address with its slash raw and encoded."""
    assert pdf_of(library, spelling) == SAMPLE
    window = _read_markdown(library, "?limit=10", spelling)
    assert window == _parsed(library, OLD, limit=10)


@pytest.mark.parametrize(
    "address",
    [
        uri("1706.03762v7", "pdf", "fulltext"),
        uri("1706.03762", "pdf", "fulltext"),
        uri("1512.03385v1", "html", "fulltext"),
        uri("1706.03762v7", "pdf", "markdown"),
        uri("hep-th/9711200v3", "pdf", "fulltext"),
        "research://arxiv/nowhere",
        "research://jstor/1/pdf/fulltext",
        "research://arxiv/2106.09685v2/docx/fulltext",
    ],
)
def test_missing_resource_is_not_found(library: Server, standin: StandIn, address: str) -> None:
    """What is not stored is -32602, not found, and nobody is asked for it."""
    refusal = _refusal(library, address)
    assert (refusal.code, str(refusal)[:19]) == (-32602, "Resource not found:")
    assert refusal.data["uri"] == address
    assert standin.asked == []


def test_unparsed_markdown_names_the_parse_tool(library: Server) -> None:
    """The Markdown of a fetched but unparsed paper is not found, and the sentence says what to call."""
    library.ok(FETCH, arxiv_id="1301.3781v1", format="pdf")
    refusal = _refusal(library, uri("1301.3781v1", "pdf", "markdown"))
    assert refusal.code == -32602
    assert PARSE in str(refusal)
    assert refusal.data[ERROR] == {"code": "not_found", "retryable": False}


def test_parse_before_fetch_names_the_fetch_tool(library: Server, standin: StandIn) -> None:
    """Reading what was not fetched is not_found, says which tool to call first, and asks nobody."""
    result = library.call(PARSE, {"arxiv_id": "1706.03762", "format": "pdf"})
    assert FETCH in result["content"][0]["text"]
    assert result["_meta"][ERROR] == {"code": "not_found", "retryable": False}
    assert standin.asked == []


# -- without the source


def test_stored_paper_needs_no_source(launch: Launch, closed_port: int) -> None:
    """After a restart without network, a stored paper is read as before, by its unversioned identifier too."""
    with_network = launch()
    with_network.ok(FETCH, arxiv_id="2106.09685", format="pdf")
    before = _parsed(with_network)
    with_network.close()
    with_network.wait()
    alone = launch(dict.fromkeys(("HTTPS_PROXY", "https_proxy"), f"http://127.0.0.1:{closed_port}"))
    assert _parsed(alone) == before
    assert _parsed(alone, "2106.09685") == before
    assert pdf_of(alone, "2106.09685") == SAMPLE
    assert alone.ok(FETCH, arxiv_id=LORA, format="pdf")["served_from_storage"] is True


def test_stored_paper_is_read_while_the_source_fails(launch: Launch, standin: StandIn) -> None:
    """While arXiv fails every request, what is stored is read by its unversioned identifier."""
    server = launch()
    server.ok(FETCH, arxiv_id=LORA, format="pdf")
    standin.fault("status", status=500, times=-1)
    assert _parsed(server, "2106.09685")["resource_uri"] == uri(LORA, "pdf", "markdown")
