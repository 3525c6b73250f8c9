"""The spellings of arXiv identifiers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prioris_mcp.domain.identifiers import parse_arxiv
from prioris_mcp.errors import InvalidRequestError

GOOD = {
    "2106.09685": "2106.09685",
    "2106.09685v1": "2106.09685v1",
    "2106.09685V2": "2106.09685v2",
    " 2106.09685 ": "2106.09685",
    "arXiv:2106.09685": "2106.09685",
    "arxiv: 2106.09685v2": "2106.09685v2",
    "https://arxiv.org/abs/2106.09685v2": "2106.09685v2",
    "http://arxiv.org/abs/2106.09685": "2106.09685",
    "arxiv.org/pdf/2106.09685.pdf": "2106.09685",
    "https://arxiv.org/pdf/2106.09685v2?download=1#page=3": "2106.09685v2",
    "https://arxiv.org/html/2106.09685v2": "2106.09685v2",
    "https://www.arxiv.org/abs/2106.09685v2/": "2106.09685v2",
    "https://export.arxiv.org/abs/hep-th/9901001v3": "hep-th/9901001v3",
    "hep-th/9901001": "hep-th/9901001",
    "math.GT/0309136": "math/0309136",
    "MATH/0309136": "math/0309136",
    "cond-mat.mtrl-sci/9901001": "cond-mat/9901001",
    "q-bio.BM/0301001": "q-bio/0301001",
    "9999.99999": "9999.99999",
}
BAD = [
    "",
    "abc",
    "../outside-secret",
    "../abs/2106.09685v2",
    "2106.09685v2#v2",
    "2106.09685,2106.09686",
    "0112017",
    "https://arxiv.org.evil.example/abs/2106.09685",
    "https://arxiv.org@evil.example/abs/2106.09685",
    "https://arxiv.org:8443/abs/2106.09685",
    "ftp://arxiv.org/abs/2106.09685",
    "http://[::1/abs/2106.09685",
    "２１０６.09685",
    "2106.09685\x00",
]


@pytest.mark.parametrize(("text", "spelled"), GOOD.items())
def test_usual_spellings_mean_one_identifier(text, spelled):
    """Prefixes, page addresses, capitals, blanks and subject classes are understood."""
    assert str(parse_arxiv(text)) == spelled


@pytest.mark.parametrize("text", BAD)
def test_anything_else_is_refused_in_a_sentence(text):
    """The sentence shows what was given and what is expected."""
    with pytest.raises(InvalidRequestError, match=r"not an arXiv identifier: .*2106\.09685"):
        parse_arxiv(text)


@given(st.text() | st.from_regex(r"(https?://)?(arxiv\.org|x)(@|:)?/?(abs|pdf)?/?[\d./v]{0,20}", fullmatch=True))
def test_any_text_is_an_identifier_or_an_invalid_request(text):
    """Never another exception; and what is understood is understood again from its own spelling."""
    try:
        found = parse_arxiv(text)
    except InvalidRequestError:
        return
    assert parse_arxiv(str(found)) == found


def test_a_huge_version_is_no_huge_number():
    """A million digits cost nothing."""
    assert parse_arxiv("2106.09685v" + "9" * 1_000_000).version == 999_999_999
