"""Words cut at a line end are put together as the document writes them elsewhere."""

from __future__ import annotations

import pytest

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Cell
from prioris_mcp.adapters.parsers.pdf.passes.words import mend_words
from tests.unit.adapters.parsers.pdf.layouts import box, page, run

LINES = [
    "two-party talks", "the four-manifold", "image based", "based image", "state of this", "a state", "involved",
    "trade", "multi-", "party", "four-", "manifolds", "image-", "based", "in-", "volved", "informa-", "tion", "free-",
]  # fmt: skip


def mended(text: str) -> str:
    """*text* on a page that shows all the lines."""
    layout = page((Block("paragraph", text), [run(line, 12 * at) for at, line in enumerate(LINES)]))
    mend_words([layout])
    return layout.blocks[0].text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("many fourmanifolds", "many four-manifolds"),  # a compound in another form
        ("an Imagebased one", "an Image-based one"),  # two words of the document
        ("more information", "more information"),  # a part is no word
        ("not at a line end: twoparty", "not at a line end: twoparty"),
        ("they were in- volved", "they were involved"),  # a word of the document
        ("informa- tion", "information"),
        ("pre- and post-war", "pre- and post-war"),
        ("informa- Tion", "informa- Tion"),
    ],
)
def test_the_documents_own_words_decide(text: str, expected: str) -> None:
    """With the hyphen, without it, or as it stands."""
    assert mended(text) == expected


def test_cells_are_mended_too() -> None:
    """A table's words break as well."""
    table = Block("table", rows=[[Cell("in- volved", box(0, 0, 9, 9))]])
    layout = page((table, [run(line, 12 * at) for at, line in enumerate(LINES)]))
    mend_words([layout])
    assert layout.blocks[0].rows[0][0].text == "involved"


def texts(first: str, second: str) -> int:
    """The number of paragraphs that two become."""
    layout = page(("paragraph", run(first, 100)), ("paragraph", run(second, 40, left=300)))
    mend_words([layout])
    return len(layout.blocks)


def test_sentences_over_two_columns_are_joined() -> None:
    """A paragraph that breaks off goes on where the next begins in lower case."""
    long = "A paragraph that runs to the foot of the first column and"
    assert texts(long, "goes on in the second.") == 1
    assert texts(f"{long} ends there.", "goes on in the second.") == 2
    assert texts(long, "Another sentence.") == 2
    assert texts("A label", "goes on in the second.") == 2
    assert texts(long, "d. one of a list") == 2
