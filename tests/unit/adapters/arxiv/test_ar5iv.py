"""Where the HTML of a paper comes from: arXiv, ar5iv where arXiv has none, or nobody."""

from __future__ import annotations

import pytest

from prioris_mcp.adapters.arxiv.ar5iv import HOST, Ar5iv
from prioris_mcp.adapters.arxiv.provider import ArxivProvider
from prioris_mcp.adapters.http.gateway import Answer, Limits
from prioris_mcp.adapters.memory.library import MemoryStorageBackend
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.errors import FormatUnavailableError, PriorisError, ProviderUnavailableError, RateLimitedError
from tests.unit.adapters.arxiv.test_provider import record

pytestmark = pytest.mark.anyio
PAGE = (
    b'<html><body><div class="ltx_page_main"><article class="ltx_document"><h1 class="ltx_title_document">T</h1>'
    b'<p class="ltx_p">Text.</p></article></div>%s</body></html>'
)
LOGO = b'<div class="ltx_page_logo">Generated  on %s by LaTeXML</div>'
THERE = Answer("", 200, {}, PAGE % b"")
NONE = Answer("", 404, {}, b"<html><body><h1>No HTML for this</h1></body></html>")
ELSEWHERE = Answer("", 307, {"location": "https://arxiv.org/abs/1"}, b"")
PAPERS = [
    *("hep-th/9201001", "hep-th/9711200", "astro-ph/9805201", "math/0106220", "cs/0112017", "cond-mat/0410550"),
    *("quant-ph/0512258", "0704.0001", "0805.2366", "0912.4567", "1001.0001", "1105.2044", "1207.7214", "1207.7235"),
    *("1312.5602", "1412.6980", "1502.03167", "1602.03837", "1706.03762", "1810.04805", "1906.08237", "2005.14165"),
    *("2010.11929", "2103.00020", "2106.09685", "2112.10752", "2201.11903", "2203.02155", "2302.13971", "2307.09288"),
]


class Api:
    """Knows every paper; the second version is the newest."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def look_up(self, identifiers):
        self.asked += identifiers
        return tuple(
            record(name if "v" in name.rpartition("/")[2].lstrip("abcdefghijklmnopqrstuvwxyz-") else f"{name}v2")
            for name in identifiers
        )


class Upstream:
    """Gives one answer to everything, or raises it."""

    def __init__(self, answer):
        self.answer, self.asked = answer, []

    async def get(self, url, limits, *, leave=False, progress=None):
        self.asked.append((url, leave))
        if isinstance(self.answer, PriorisError):
            raise self.answer
        return self.answer


async def download(paper, of_arxiv, of_ar5iv, version=2, *, wanted=True):
    """What is downloaded, and what was asked of each."""
    one, other = Upstream(of_arxiv), Upstream(of_ar5iv)
    provider = ArxivProvider(
        Api(),
        one,
        MemoryStorageBackend(lambda: "now"),
        download=Limits(1, 1000),
        pin_seconds=300,
        older=Ar5iv(other, Limits(1, 1000)) if wanted else None,
    )
    key = DocumentKey(ProviderName("arxiv"), f"{paper}v{version}", SourceFormat.HTML)
    try:
        return await provider.download(key), one.asked, other.asked
    except PriorisError as exc:
        return exc, one.asked, other.asked


@pytest.mark.parametrize("number", range(30))
async def test_the_right_one_is_asked_once(number):
    """Of thirty papers from 1992 to 2023: arXiv's page, ar5iv's, none, a refusal, and one that does not come."""
    paper = PAPERS[number]
    at_arxiv = [(f"https://arxiv.org/html/{paper}v2", False)]
    at_ar5iv = [(f"https://{HOST}/html/{paper}", True)]
    slow = ProviderUnavailableError("ar5iv did not answer in time; try again later")
    refused = RateLimitedError("ar5iv asks for fewer requests; try again in 60 s")
    of_arxiv, of_ar5iv, kind, asked = [
        (THERE, NONE, None, []),
        (NONE, THERE, None, at_ar5iv),
        (NONE, ELSEWHERE, FormatUnavailableError, at_ar5iv),
        (NONE, NONE, FormatUnavailableError, at_ar5iv),
        (NONE, refused, RateLimitedError, at_ar5iv),
        (NONE, slow, ProviderUnavailableError, at_ar5iv),
    ][number % 6]
    found, of_one, of_other = await download(paper, of_arxiv, of_ar5iv)
    assert (of_one, of_other) == (at_arxiv, asked)
    if kind:
        assert type(found) is kind
    else:
        assert (found.content, found.elsewhere) == (THERE.body, HOST if asked else "")


async def test_it_has_one_version_of_each_paper():
    """The newest when it was made: an older one is not asked for, and a page older than the newest is not taken."""
    found, _, asked = await download("2106.09685", NONE, THERE, version=1)
    assert isinstance(found, FormatUnavailableError) and asked == []
    one = record("2106.09685v2").model_copy(update={"updated": "2021-10-16T18:40:34Z"})
    for made in (b"Sat Mar  2 06:43:44 2024", b"some day"):
        page = Answer("", 200, {}, PAGE % (LOGO % made))
        assert await Ar5iv(Upstream(page), Limits(1, 1000)).page(one, "arXiv offers none") == page.body
    page = Answer("", 200, {}, PAGE % (LOGO % b"Sat Mar  2 06:43:44 1999"))
    with pytest.raises(FormatUnavailableError, match="arXiv offers none; ar5iv has no page of it either"):
        await Ar5iv(Upstream(page), Limits(1, 1000)).page(one, "arXiv offers none")


async def test_what_is_no_paper_is_none():
    """Neither a failed conversion nor a page of another kind is stored; a failure may be gone later."""
    for body in (b"<html><body><h1>No document for x</h1></body></html>", b"nonsense"):
        found, _, _ = await download("1412.6980", NONE, Answer("", 200, {}, body))
        assert isinstance(found, FormatUnavailableError)
    found, _, _ = await download("1412.6980", NONE, Answer("", 503, {}, b""))
    assert isinstance(found, ProviderUnavailableError) and "HTTP 503" in str(found)


async def test_it_can_be_left_out():
    """By a setting; nor is it asked for a PDF, or where arXiv fails."""
    found, _, asked = await download("1412.6980", NONE, THERE, wanted=False)
    assert isinstance(found, FormatUnavailableError) and asked == []
    found, _, asked = await download("1412.6980", Answer("", 503, {}, b""), THERE)
    assert isinstance(found, ProviderUnavailableError) and asked == []
