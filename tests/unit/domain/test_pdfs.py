"""What tells a whole PDF from a page about one, and from one that broke off."""

from __future__ import annotations

import pytest

from prioris_mcp.domain import pdfs
from prioris_mcp.domain.sources.localfiles import checked_pdf
from prioris_mcp.errors import InvalidRequestError
from tests.corpus import SHARED, needs_corpus
from tests.replay.papers import DATA

SAMPLE = (DATA / "pdf" / "sample-paper.pdf").read_bytes()
CHUNK = 4096


@pytest.mark.parametrize(
    ("content", "begins"),
    [
        (b"%PDF-1.7", True),
        (b"\xef\xbb\xbf\n%PDF-1.7", True),
        (b"junk " * 200 + b"%PDF-1.7", True),
        (b"junk " * 300 + b"%PDF-1.7", False),
        (b"<html><p>%PDF-1.7 is not served</p>", False),
        (b"<!-- %PDF-1.7 -->", False),
        (b"<?xml version='1.0'?>%PDF-1.7", False),
        (b"", False),
    ],
)
def test_a_pdf_begins_with_its_mark(content, begins):
    """Within the first bytes, and not inside a page that speaks of one."""
    assert pdfs.begins(content) is begins


@pytest.mark.parametrize(
    ("content", "ends"),
    [
        (SAMPLE, True),
        (SAMPLE + b"\0" * 10_000, True),
        (SAMPLE + b"\r\n<!-- served by a cache -->", True),
        (SAMPLE[: SAMPLE.rindex(b"%%EOF")], True),
        (SAMPLE[: SAMPLE.rindex(b"startxref")], False),
        (SAMPLE + SAMPLE[:9000], False),
        (SAMPLE[:300], False),
        (b"", False),
    ],
)
def test_a_pdf_ends_with_its_mark(content, ends):
    """Some junk may follow it, but not half of another revision; the address of its table is as good."""
    assert pdfs.ends(content) is ends


@pytest.mark.parametrize("missing", [1, 2, 3])
def test_a_piece_that_is_missing_in_the_middle_is_seen(missing):
    """The table at the end says that there should be more before it."""
    pieces = [SAMPLE[at : at + CHUNK] for at in range(0, len(SAMPLE), CHUNK)]
    assert not pdfs.ends(b"".join(pieces[:missing] + pieces[missing + 1 :]))


@pytest.mark.parametrize("content", [SAMPLE[:300], SAMPLE[:CHUNK], SAMPLE[:-600], SAMPLE[:CHUNK] + SAMPLE[2 * CHUNK :]])
def test_a_callers_own_pdf_that_is_cut_is_refused(content):
    """In a sentence that says what to send."""
    with pytest.raises(InvalidRequestError, match=r"a part is missing .*send the whole file"):
        checked_pdf(content)


class TestCorpus:
    """Real documents."""

    pytestmark = needs_corpus

    def test_every_real_pdf_begins_and_ends(self):
        """And none of them does when its last tenth is missing."""
        papers = sorted((SHARED / "corpus" / "pdf").glob("*.pdf"))
        assert len(papers) > 20
        for path in papers:
            content = path.read_bytes()
            assert pdfs.begins(content) and pdfs.ends(content), path.name
            assert not pdfs.ends(content[: len(content) * 9 // 10]), path.name
