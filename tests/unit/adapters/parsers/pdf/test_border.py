"""Text of a PDF that looks like markup means itself."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Cell, render
from prioris_mcp.adapters.parsers.pdf.border import neutral


def written(text: str, kind: str = "paragraph") -> str:
    """The Markdown of a block."""
    return render([neutral(Block(kind, text, level=2))])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("each cell (<td>) of <table>", r"each cell (\<td>) of \<table>"),
        ("<script>alert(1)</script>", r"\<script>alert(1)\</script>"),
        (r"\<script> and \\<script>", r"\<script> and \\\<script>"),
        ("see <https://example.org> and <!-- this", r"see \<https://example.org> and \<!-- this"),
        ("$a<b$ or 5 < 6 and x<5", "$a< b$ or 5 < 6 and x<5"),
        ("raised<sup>12</sup>", "raised<sup>12</sup>"),
        ("[site](https://example.org) and f[x](y)", r"[site](https://example.org) and f[x]\(y)"),
        ("[x](javascript:alert(1)) [x](java&#115;cript:x)", r"[x]\(javascript:alert(1)) [x]\(java&#115;cript:x)"),
        ("a ![spy](https://example.org/x.png)", r"a \![spy](https://example.org/x.png)"),
        ("great![5] (that)", "great![5] (that)"),
        ("# no heading", r"\# no heading"),
        ("```", r"\```"),
        ("> 20 mm", r"\> 20 mm"),
        ("[1]: javascript:alert(1)", r"\[1]: javascript:alert(1)"),
        ("first\n~~~\n# second", "first\n\\~~~\n\\# second"),
    ],
)
def test_what_looks_like_markup(text: str, expected: str) -> None:
    """Tags, links to anything but the network, images, and what would begin another block."""
    assert written(text) == expected


def test_everything_that_has_text_is_covered() -> None:
    """Headings, items and cells; code has a fence that its own lines cannot close."""
    assert written("A <b>", "heading") == r"## A \<b>"
    assert written("> <i>", "list_item").endswith(r"- \> \<i>")
    table = Block("table", rows=[[Cell("<td>"), Cell("x")]])
    assert render([neutral(table)]).startswith(r"| \<td> | x |")
    code = Block("code", lines=["```", "<b>"])
    assert render([neutral(code)]) == "````\n```\n<b>\n````"


@given(st.text(st.sampled_from("<>\\`$ab/!?[]() \n*"), max_size=60))
def test_no_text_makes_a_tag(text: str) -> None:
    """Whatever stands around it: a backslash before each, or a space behind it."""
    for slashes, _ in re.findall(r"(\\*)<(?!/?su[bp]>)(?=([A-Za-z/!?]))", written(text)):
        assert len(slashes) % 2 == 1
