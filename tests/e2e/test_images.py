"""Images of a PDF over MCP: named in the Markdown, read by their address, gone with their Markdown."""

from __future__ import annotations

import base64
import re

import pytest

from tests.e2e.conftest import OLD, Launch
from tests.e2e.process import FETCH, PARSE, RpcError, Server
from tests.replay import StandIn
from tests.unit.adapters.parsers.pdf.test_pictures import ILLUSTRATED

ADD = "research_localfile_fetch_full_text"
READ = "research_localfile_parse_full_text"
DELETE = "research_delete_fetched"
KEEPING = {"PRIORIS_MCP_PDF_EXTRACT_IMAGES": "true"}


@pytest.fixture
def server(launch: Launch) -> Server:
    """A server that keeps images."""
    found = launch(KEEPING)
    found.initialize()
    return found


def added(server: Server) -> str:
    """The id of an illustrated PDF that was added."""
    return str(server.ok(ADD, content_base64=base64.b64encode(ILLUSTRATED).decode())["id"])


def address(markdown: str) -> str:
    """Of the one image that the Markdown shows."""
    (found,) = re.findall(r"!\[.*?\]\((research://.*?)\)", markdown)
    return str(found)


def test_the_markdown_names_an_address_that_can_be_read(server: Server) -> None:
    """With its own MIME type, and no path in it."""
    identifier = added(server)
    shown = address(server.ok(READ, id=identifier)["markdown"])
    assert shown == f"research://localfile/{identifier}/pdf/images/p1_1"
    content = server.read(shown)
    assert content["mimeType"] == "image/png"
    assert base64.b64decode(content["blob"], validate=True).startswith(b"\x89PNG")


def test_an_identifier_with_a_slash_has_images_as_well(server: Server, standin: StandIn) -> None:
    """The address is read back by the server as it was written."""
    standin.fault("body", host="arxiv.org", path="/pdf/*", body=ILLUSTRATED)
    server.ok(FETCH, arxiv_id=OLD, format="pdf")
    shown = address(server.ok(PARSE, arxiv_id=OLD, format="pdf")["markdown"])
    assert server.read(shown)["mimeType"] == "image/png"


def test_images_go_with_their_markdown(server: Server) -> None:
    """Deleting the Markdown deletes its images, and a new parse brings them back."""
    identifier = added(server)
    shown = address(server.ok(READ, id=identifier)["markdown"])
    entry = {"provider": "localfile", "identifier": identifier, "format": "pdf", "artefact": "markdown"}
    assert server.ok(DELETE, entries=[entry])["deleted"] == [entry]
    with pytest.raises(RpcError, match="has no image 'p1_1'"):
        server.read(shown)
    assert list(server.home.store.rglob("image-*")) == []
    server.ok(READ, id=identifier)
    assert server.read(shown)["mimeType"] == "image/png"


@pytest.mark.parametrize("name", ["p9_9", "..%2f..%2fcatalogue.sqlite", "document-0"])
def test_what_is_no_image_is_not_found(server: Server, name: str) -> None:
    """Nothing of the disk can be had by a guessed name."""
    identifier = added(server)
    server.ok(READ, id=identifier)
    with pytest.raises(RpcError) as caught:
        server.read(f"research://localfile/{identifier}/pdf/images/{name}")
    assert caught.value.code == -32602


def test_by_default_there_are_none(launch: Launch) -> None:
    """Nothing is kept that was not asked for."""
    server = launch()
    server.initialize()
    assert "![" not in server.ok(READ, id=added(server))["markdown"]
    assert list(server.home.store.rglob("image-*")) == []
