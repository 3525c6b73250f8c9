"""Paragraphs are whole, whatever the page's maker has put between their lines."""

from __future__ import annotations

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Box, Cell, Layout
from prioris_mcp.adapters.parsers.pdf.passes.paragraphs import joined, text_first
from prioris_mcp.adapters.parsers.pdf.passes.run_ins import mend_run_ins

WORDS = "The output is computed for every query of a sequence at every one of its positions"
BEGUN = Block("paragraph", f"{WORDS} as a weighted sum", Box(72, 100, 500, 140))
REST = Block(
    "paragraph", "of the values, where each weight comes from a function of query and key.", Box(72, 400, 500, 440)
)
CAPTION = Block("paragraph", "Figure 2: Multi-head attention in parallel", Box(72, 350, 500, 360))
LABEL = Block("paragraph", "Scaled Dot-Product Attention", Box(72, 200, 300, 210))
TABLE = Block("table", rows=[[Cell("a"), Cell("b")]], box=Box(72, 200, 500, 300))
OTHER = Block("paragraph", "Another paragraph stands here, and it is far too long to be the label of any picture.")


def texts(*blocks: Block) -> list[str]:
    """The first words of what is left."""
    return [block.text[:12] or block.kind for block in joined(blocks)]


def test_a_picture_does_not_cut_a_paragraph() -> None:
    """It follows, with its labels and its caption; so does a table."""
    assert texts(BEGUN, LABEL, CAPTION, REST) == [BEGUN.text[:12], LABEL.text[:12], CAPTION.text[:12]]
    assert joined([BEGUN, TABLE, REST])[0].text == f"{BEGUN.text} {REST.text}"


def test_other_text_does() -> None:
    """Only what floats is passed over, and only to a sentence that has not ended."""
    assert len(texts(BEGUN, OTHER, REST)) == 3
    assert len(texts(BEGUN, LABEL, REST)) == 3
    assert len(texts(Block("paragraph", BEGUN.text + "."), TABLE, REST)) == 3


def test_a_caption_takes_its_own_next_line_only() -> None:
    """The text of the page goes on somewhere below it."""
    below = Block("paragraph", "layers, each with weights of its own", Box(72, 362, 500, 372))
    assert len(texts(CAPTION, below)) == 1
    assert len(texts(CAPTION, REST)) == 2


def test_a_page_that_opens_with_a_picture_goes_on_with_its_text() -> None:
    """The sentence that began on the page before is read on before the picture."""
    page = Layout([LABEL, CAPTION, REST, OTHER])
    text_first(page)
    assert [block.text for block in page.blocks] == [REST.text, LABEL.text, CAPTION.text, OTHER.text]
    for kept in ([OTHER, CAPTION, REST], [LABEL, REST], [REST, CAPTION]):
        page = Layout(list(kept))
        text_first(page)
        assert page.blocks == kept


def test_a_note_whose_mark_is_italic_is_no_emphasis() -> None:
    """The library takes the font of its first sign for that of the line."""
    first = Block("paragraph", "∗Equal contribution. Listing is random, and one", Box(72, 600, 500, 610), italic=True)
    second = Block("paragraph", "author started the effort.", Box(72, 612, 300, 622))
    page = Layout([first, second])
    mend_run_ins(page)
    assert [(block.text, block.italic) for block in page.blocks] == [(f"{first.text} {second.text}", False)]


def test_a_line_is_not_emphasised_for_its_first_words() -> None:
    """The library says so of the line, and the rest of the sentence is plain."""
    marked = Block("list_item", f"*{WORDS}*", Box(72, 100, 500, 110), marker="•")
    assert joined([marked, REST])[0].text == f"{WORDS} {REST.text}"
    both = Block("paragraph", f"*{REST.text}*", REST.box)
    assert joined([marked, both]) == [marked, both]
