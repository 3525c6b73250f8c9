"""Prose is prose in any font, and stamps are no part of it."""

from __future__ import annotations

import pytest

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Layout
from prioris_mcp.adapters.parsers.pdf.passes.prose import clear_stamps, mend_emphasis, release_code

PROSE = ["In 1928, a cartoon character was born. An early", "film made his debut in May of that year, in a flop"]
CODE = ["def parse(content: bytes) -> str:", "    return content.decode().strip()", "print(parse(b'x'))"]


def released(*lines: str) -> list[Block]:
    """What becomes of a block of code."""
    page = Layout([Block("code", lines=list(lines))])
    release_code(page)
    return page.blocks


def cleared(text: str) -> list[str]:
    """What is left of a paragraph."""
    page = Layout([Block("paragraph", text)])
    clear_stamps(page)
    return [block.text for block in page.blocks]


def test_prose_in_a_typewriters_font_is_a_paragraph() -> None:
    """Its lines are one text, but for a title before it."""
    assert [(block.kind, block.text) for block in released(*PROSE)] == [("paragraph", " ".join(PROSE))]
    assert [block.text for block in released("CHAPTER ONE: Creators", *PROSE)] == [
        "CHAPTER ONE: Creators",
        " ".join(PROSE),
    ]


@pytest.mark.parametrize(
    "lines", [CODE, ["jof : PU S H FA L S E", "JU M P jmp now o n", "jot : PU S H T R U E"], ["x"]]
)
def test_code_stays_code(lines: list[str]) -> None:
    """Signs, short lines and letters set apart tell a program."""
    assert [block.kind for block in released(*lines)] == ["code"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Downloaded from http://journal.example/ on July 12, 2017 - Published by group.example Words", ["Words"]),
        ("Words. Downloaded from https://press.example/a/1 by guest on 12 June 2020", ["Words. "]),
        ("Download date: 28 Dec 2018", []),
        ("❚❘❙❚❘❙❚❘❙❚❘❙", []),
        ("* * *", ["* * *"]),
        ("We downloaded from the archive on Monday.", ["We downloaded from the archive on Monday."]),
    ],
)
def test_what_a_server_stamps_is_left_out(text: str, left: list[str]) -> None:
    """With the text around it kept."""
    assert cleared(text) == left


def test_quotation_marks_are_one_sign() -> None:
    """Two apostrophes around words are; a second derivative is not."""
    assert cleared("of ''corporate duty'' and ``more''.") == ['of "corporate duty" and "more".']
    assert cleared("where f'' and g'' vanish") == ["where f'' and g'' vanish"]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (
            "*trace starting at the exit to cover the new path. In it, the VM* records",
            "trace starting at the exit to cover the new path. In it, the VM records",
        ),
        (
            "*Dynamic languages such as Python, and Ruby, are pop-* ular since",
            "Dynamic languages such as Python, and Ruby, are pop- ular since",
        ),
        ("see *The Journal of Computation and Mathematics of the North*, and", None),
        ("*Of all sentences in this text this one alone is emphasised.* so it is", None),
        ("read *The Future of Ideas* and more", None),
    ],
)
def test_half_a_sentence_is_not_emphasised(text: str, meant: str | None) -> None:
    """Titles, terms and whole sentences are; a line that goes on plain in the middle of a sentence is not."""
    assert cleared(text) == [meant or text]


def test_addresses_in_a_typewriters_font_are_no_program() -> None:
    """Footnotes of a page, each a paragraph."""
    lines = ["1 https://example.org/one", "//example.org/two"]
    assert [(block.kind, block.text) for block in released(*lines)] == [("paragraph", line) for line in lines]
    assert released("1 https://example.org/one", "print(1)")[0].kind == "code"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("In *Advances in* *Neural Systems,* 2015", "In *Advances in Neural Systems,* 2015"),
        ("which stud*ies have focused on* it", "which studies have focused on it"),
        ("a *word* and **another** one", None),
        (r"two \* three * four", None),
    ],
)
def test_emphasis_goes_on_from_line_to_line(text: str, meant: str | None) -> None:
    """It is one, and what begins inside a word is none."""
    page = Layout([Block("paragraph", text)])
    mend_emphasis(page)
    assert page.blocks[0].text == (meant or text)
