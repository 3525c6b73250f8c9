"""Right-to-left script reads the right way round."""

from __future__ import annotations

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Box, Cell, Layout, Run
from prioris_mcp.adapters.parsers.pdf.passes.rtl import mend_right_to_left


def mended(block: Block) -> Block:
    """The block after the rule."""
    layout = Layout([block])
    mend_right_to_left(layout)
    return layout.blocks[0]


def test_lam_and_alef_are_put_in_order() -> None:
    """The ligature comes backwards out of many fonts; where it cannot be told from the article it stays."""
    assert mended(Block("paragraph", "\u0627\u0625\u0644\u0646")).text == "\u0627\u0644\u0625\u0646"
    assert mended(Block("paragraph", "\u0627\u0644\u0646")).text == "\u0627\u0644\u0646"


def test_tables_begin_at_the_right() -> None:
    """The first column of a table in such script is the rightmost; others keep their order."""
    rtl = Block("table", rows=[[Cell("20300"), Cell("\u0634\u0645\u0627\u0631\u0647")]])
    ltr = Block("table", rows=[[Cell("name"), Cell("\u0634")]])
    assert [cell.text for cell in mended(rtl).rows[0]] == ["\u0634\u0645\u0627\u0631\u0647", "20300"]
    assert [cell.text for cell in mended(ltr).rows[0]] == ["name", "\u0634"]


PAGE = Box(0, 0, 600, 800)
WITH, IN, AND, BOOK, SAYS = "\u0645\u0639", "\u0641\u064a", "\u0648", "\u0643\u062a\u0627\u0628", "\u0642\u064a\u0644"
COMMA = "\u060c"


def word(text: str, left: float, right: float, top: float = 100) -> Run:
    """A word where it stands on the page, ten points high."""
    return Run(text, Box(left, top, right, top + 10))


def read(*words: Run, kind: str = "paragraph") -> Block:
    """The block that these words make."""
    rows = [[Cell(BOOK)]] if kind == "table" else []
    layout = Layout([Block(kind, "" if rows else BOOK, PAGE, rows=rows)], words=list(words))
    mend_right_to_left(layout)
    return layout.blocks[0]


def test_words_are_read_from_the_right() -> None:
    """Latin words keep their own order among themselves, and each its place in the sentence."""
    line = [word(BOOK, 200, 250), word("machine", 140, 165), word("learning", 170, 195), word(IN, 100, 130)]
    assert read(*line).text == f"{BOOK} machine learning {IN}"
    assert read(word("R", 180, 190), word(AND, 165, 175), word("Python", 120, 160)).text == f"R {AND} Python"


def test_numbers_stay_whole() -> None:
    """A date is read from the left; a sign between two numbers belongs to them, any other to the line."""
    assert read(word("1403/10/04", 100, 150), word(BOOK, 160, 190)).text == f"{BOOK} 1403/10/04"
    numbers = word("5", 100, 105), word("-", 106, 109), word("2", 110, 115), word(BOOK, 160, 190)
    assert read(*numbers).text == f"{BOOK} 5-2"


def test_stops_stand_behind_their_word() -> None:
    """Whether they come as words of their own or at the wrong end of one."""
    assert read(word(BOOK, 160, 190), word(COMMA, 157, 160), word(IN, 100, 150)).text == f"{BOOK}{COMMA} {IN}"
    assert read(word(f".{BOOK}", 160, 190), word(IN, 100, 150)).text == f"{BOOK}. {IN}"


def test_words_of_two_directions_are_parted() -> None:
    """The library takes them for one where there is hardly a gap."""
    assert read(word(BOOK, 200, 240), word(f"{WITH}Python", 100, 190)).text == f"{BOOK} Python {WITH}"


def test_a_word_that_was_cut_is_whole_again() -> None:
    """Two pieces without any gap are one word."""
    assert read(word(IN, 130.2, 150), word(BOOK, 100, 130)).text == IN + BOOK


def test_tables_are_cut_at_wide_gaps() -> None:
    """The first column is the rightmost, and a line with one cell goes on with the cell above it."""
    table = read(
        word(BOOK, 400, 440, 100),
        word("20300", 100, 130, 100),
        word(SAYS, 405, 440, 113),
        word(WITH, 400, 440, 160),
        kind="table",
    )
    assert [[cell.text for cell in row] for row in table.rows] == [[f"{BOOK} {SAYS}", "20300"], [WITH, ""]]


def test_paragraphs_that_were_cut_are_joined() -> None:
    """Where no sentence has ended and the next line is near; there are no capitals to go by."""
    first = Block("paragraph", f"{BOOK} " * 8, Box(100, 100, 300, 110))
    near = Block("paragraph", f"{WITH} " * 8, Box(100, 113, 300, 123))
    far = Block("paragraph", f"{SAYS} " * 8, Box(100, 163, 300, 173))
    layout = Layout([first, near, far])
    mend_right_to_left(layout)
    assert [block.text.split()[0] for block in layout.blocks] == [BOOK, SAYS]
    ended = Layout([Block("paragraph", f"{BOOK} {SAYS}.", first.box), near])
    mend_right_to_left(ended)
    assert len(ended.blocks) == 2


def test_other_pages_are_left_alone() -> None:
    """A quotation does not turn the text around it."""
    block = Block("paragraph", f"He wrote {BOOK} and many other things", PAGE)
    layout = Layout([block], words=[word("He", 100, 120), word(BOOK, 130, 160)])
    mend_right_to_left(layout)
    assert layout.blocks[0].text == block.text
