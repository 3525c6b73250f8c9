"""The caller's own PDFs."""

from __future__ import annotations

import base64
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prioris_mcp.adapters.memory.library import MemoryStorageBackend
from prioris_mcp.adapters.memory.uploads import MemoryUploads
from prioris_mcp.app.uploads import AddFile, UploadFile
from prioris_mcp.domain.sources import localfiles
from prioris_mcp.domain.sources.localfiles import UploadLimits
from prioris_mcp.domain.sources.providers import parse
from prioris_mcp.errors import FileTooLargeError, InvalidRequestError, NotFoundError, PriorisError

pytestmark = pytest.mark.anyio
PDF = b"%PDF-1.7 " + bytes(range(40))
LIMITS = UploadLimits(chunk=20, file=60, sessions=2, seconds=30)


def packed(content: bytes) -> str:
    return base64.b64encode(content).decode()


class World:
    def __init__(self) -> None:
        self.now = 0.0
        self.store = MemoryStorageBackend(lambda: "now")
        self.add = AddFile(self.store, LIMITS.file, lambda: datetime(2026, 7, 29, 14, 30, tzinfo=UTC))
        self.upload = UploadFile(MemoryUploads(), self.add, LIMITS, lambda: self.now)


@pytest.fixture
def world():
    return World()


async def test_a_file_gets_an_identifier_and_keeps_it(world):
    """The same bytes are the same document, under whatever name they come."""
    first = await world.add.encoded(packed(PDF), "a.pdf")
    again = await world.add.encoded(packed(PDF), "b.pdf")
    assert first.key.identifier.startswith("20260729-1430-")
    assert str(parse(localfiles.LOCALFILE, first.key.identifier)) == first.key.identifier
    assert (again.key, first.served_from_storage, again.served_from_storage) == (first.key, False, True)
    assert await world.store.read_document(first.key) == PDF


async def test_other_bytes_are_another_document(world):
    """Also when their first name is taken."""
    names = iter(["20260729-1430-aaaa"] * 2 + ["20260729-1430-bbbb"])
    first = await world.store.add_document("localfile", "pdf", b"1", alias="1", names=names, original_identifier=None)
    second = await world.store.add_document("localfile", "pdf", b"2", alias="2", names=names, original_identifier=None)
    assert (first.key.identifier[-4:], second.key.identifier[-4:]) == ("aaaa", "bbbb")


@pytest.mark.parametrize(
    "text",
    [
        packed(PDF),
        "\n".join(packed(PDF)[at : at + 10] for at in range(0, 100, 10)),
        f"data:application/pdf;base64,{packed(PDF)}",
        f"  {packed(PDF)}\r\n",
    ],
)
async def test_base64_comes_in_many_dresses(world, text):
    """Line breaks, blanks and a data URL are no harm."""
    assert (await world.add.encoded(text, None)).size_bytes == len(PDF)


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("%%%", InvalidRequestError, "no valid base64"),
        ("é" * 8, InvalidRequestError, "no valid base64"),
        (packed(b"GIF89a"), InvalidRequestError, "no PDF"),
        ("", InvalidRequestError, "no PDF"),
        (packed(b"%PDF-" + bytes(56)), FileTooLargeError, "larger than 60 bytes"),
        ("A" * 84, FileTooLargeError, "larger than 60 bytes"),
        ("!" * 1000, FileTooLargeError, "larger than 60 bytes"),
    ],
)
async def test_what_is_not_taken(world, text, error, words):
    """Size first, before anything is decoded; nothing is stored."""
    with pytest.raises(error, match=words):
        await world.add.encoded(text, None)
    assert (await world.store.list(None, None, offset=0, limit=5)).total == 0


async def test_junk_before_the_header_is_a_pdf(world):
    """Some printers write it."""
    assert (await world.add.encoded(packed(b"junk\n" + PDF), None)).size_bytes == len(PDF) + 5


async def test_chunks_make_the_file(world):
    """In order, with the sums on the way; the result is that of the single call."""
    session = await world.upload.begin("a.pdf")
    for index in range(0, len(PDF), 20):
        progress = await world.upload.chunk(session, index // 20, packed(PDF[index : index + 20]))
    assert (progress.received_index, progress.bytes_so_far) == (2, len(PDF))
    done = await world.upload.finish(session)
    assert await world.store.read_document(done.key) == PDF
    assert (await world.add.encoded(packed(PDF), None)).key == done.key


async def test_a_refused_chunk_changes_nothing(world):
    """Wrong order, too large, over the total, no base64: the upload goes on as if it had not come."""
    session = await world.upload.begin(None)
    await world.upload.chunk(session, 0, packed(PDF[:20]))
    for index, content, error in [
        (0, packed(b"x"), InvalidRequestError),
        (2, packed(b"x"), InvalidRequestError),
        (-1, packed(b"x"), InvalidRequestError),
        (1, packed(bytes(21)), FileTooLargeError),
        (1, "%%%", InvalidRequestError),
    ]:
        with pytest.raises(error):
            await world.upload.chunk(session, index, content)
    for index in (1, 2):
        await world.upload.chunk(session, index, packed(bytes(20)))
    with pytest.raises(FileTooLargeError, match="larger than 60 bytes"):
        await world.upload.chunk(session, 3, packed(b"x"))
    assert (await world.upload.finish(session)).size_bytes == 60


@pytest.mark.parametrize("chunks", [[], [b"GIF89a"]])
async def test_a_session_is_over_after_finalize(world, chunks):
    """Whether it succeeded or not."""
    session = await world.upload.begin(None)
    for index, content in enumerate(chunks):
        await world.upload.chunk(session, index, packed(content))
    with pytest.raises(InvalidRequestError):
        await world.upload.finish(session)
    with pytest.raises(NotFoundError, match=r"call \{begin_upload\}"):
        await world.upload.finish(session)


async def test_sessions_are_few_and_expire(world):
    """A third waits for one of two to end, or to be left alone for long enough."""
    first, second = await world.upload.begin(None), await world.upload.begin(None)
    with pytest.raises(InvalidRequestError, match="2 uploads are open"):
        await world.upload.begin(None)
    world.now = 20
    await world.upload.chunk(second, 0, packed(PDF[:20]))
    world.now = 31
    await world.upload.begin(None)
    with pytest.raises(NotFoundError):
        await world.upload.chunk(first, 0, packed(b"x"))
    world.now = 51
    for call in (world.upload.chunk(second, 1, packed(b"x")), world.upload.finish(second)):
        with pytest.raises(NotFoundError):
            await call


@given(st.text())
def test_any_text_is_an_identifier_or_refused(text):
    """Never another exception."""
    with suppress(InvalidRequestError):
        assert parse(localfiles.LOCALFILE, parse(localfiles.LOCALFILE, text))


@given(st.text() | st.binary().map(packed))
def test_any_text_decodes_or_is_refused(text):
    """Never another exception, and never more bytes than allowed."""
    with suppress(PriorisError):
        assert len(localfiles.decoded(text, 50, "it")) <= 50
