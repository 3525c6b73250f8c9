"""Programs in a typewriter's font keep their lines."""

from __future__ import annotations

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Layout, Run
from prioris_mcp.adapters.parsers.pdf.passes.code import set_code
from tests.unit.adapters.parsers.pdf.layouts import run

FONT = "CMTT9"
TEXT = run("What the program does is told in the text around it. " * 6, 400)


def line(text: str, row: int, column: int = 0) -> Run:
    """A line of a program, five points a sign."""
    return run(text, 100 + 12 * row, left=72 + 5 * column, width=5 * len(text), font=FONT)


def coded(*groups: list[Run], text: Run = TEXT) -> list[Block]:
    """The blocks of a page of which the library has made one paragraph a group."""
    blocks = [
        Block("paragraph", " ".join(one.text for one in runs), runs[0].box.around(runs[-1].box))
        for runs in (*groups, [text])
    ]
    page = Layout(blocks, [one for group in groups for one in group] + [text], 800)
    set_code(page)
    return page.blocks


def test_lines_and_their_indents_are_kept() -> None:
    """Over all paragraphs that the library has made of a program."""
    first = [line("for (var i = 2; i < 100; ++i) {", 0)]
    second = [line("if (!primes[i])", 1, 4), line("continue;", 2, 8)]
    blocks = coded(first, second, [line("}", 3)])
    assert [block.kind for block in blocks] == ["code", "paragraph"]
    assert blocks[0].lines == [
        "for (var i = 2; i < 100; ++i) {", "    if (!primes[i])", "        continue;", "}"
    ]  # fmt: skip


def test_comments_stay_beside_their_lines() -> None:
    """Also where the library reads them as a column of its own."""
    code = [line("v0 := ld state[748]", 0), line("v1 := i2f(v0)", 1)]
    comments = [line("// load primes", 0, 24), line("// convert", 1, 24)]
    assert coded(code, comments)[0].lines == [
        "v0 := ld state[748]     // load primes", "v1 := i2f(v0)           // convert"
    ]  # fmt: skip


def test_what_is_no_program_stays_as_it_is() -> None:
    """A single line, prose, addresses, and all of a page that is set in such a font."""
    prose = ["In 1928, a cartoon character was born. An early", "film made his debut in May of that year, in a flop"]
    addresses = ["1 https://example.org/a/long/path", "2 https://example.org/another/one"]
    program = ["def parse(content: bytes) -> str:", "    return content.decode().strip()"]
    for lines in (["a_single_line_of_code(that, is, long)"], prose, addresses):
        assert coded([line(text, row) for row, text in enumerate(lines)])[0].kind == "paragraph"
    everywhere = coded([line(text, row) for row, text in enumerate(program)], text=line("text " * 4, 9))
    assert everywhere[0].kind == "paragraph"
