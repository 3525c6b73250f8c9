"""Running heads, feet and page numbers are removed, and nothing else."""

from __future__ import annotations

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Layout
from prioris_mcp.adapters.parsers.pdf.passes.running import drop_inner_numbers, drop_running
from tests.unit.adapters.parsers.pdf.layouts import page, run, shown


def body(number: int) -> tuple[str, object]:
    """Text that differs from page to page."""
    return "paragraph", run("abcdefgh"[number] * 30, 300)


def left_over(pages: list[Layout]) -> list[str]:
    """All texts but those of the bodies."""
    drop_running(pages)
    return [text for layout in pages for _, text in shown(layout) if len(set(text)) > 1]


def test_heads_that_come_again_go() -> None:
    """A head on every other page is one, whatever number stands in it."""
    heads = [f"Vol. {number} Journal of Tests" if number % 2 else "Smith and Jones" for number in range(6)]
    assert left_over([page(("paragraph", run(head, 30)), body(n)) for n, head in enumerate(heads)]) == []  # type: ignore[arg-type]


def test_heads_with_the_number_of_the_page_go() -> None:
    """A section's name beside the page's number is a head, though the name changes, and a number alone is one too."""
    feet = ["17 Methods", "18 Methods", "19 Results", "20 Discussion", "21"]
    assert left_over([page(body(n), ("paragraph", run(foot, 770))) for n, foot in enumerate(feet)]) == []  # type: ignore[arg-type]


def test_code_at_the_edge_may_run() -> None:
    """A foot in a monospaced font is code to the library."""
    pages = [page(body(n), ("code", run(f"{n + 5} TITLE", 770))) for n in range(4)]  # type: ignore[arg-type]
    for layout in pages:
        layout.blocks[1].lines, layout.blocks[1].text = [layout.blocks[1].text], ""
    drop_running(pages)
    assert [len(layout.blocks) for layout in pages] == [1, 1, 1, 1]


def test_what_comes_again_elsewhere_stays() -> None:
    """Words in the middle of pages, at changing places, or on two pages only are no running heads."""
    middle = [page(("heading", run("Exercises", 200)), body(n)) for n in range(5)]  # type: ignore[arg-type]
    moving = [page(("heading", run("Exercises", 20 + 15 * n)), body(n)) for n in range(5)]  # type: ignore[arg-type]
    twice = [page(("heading", run(f"Head{'x' * min(n, 3)}", 30)), body(n)) for n in range(5)]  # type: ignore[arg-type]
    assert [len(left_over(pages)) for pages in (middle, moving, twice)] == [5, 5, 5]


def test_numbered_notes_at_the_foot_stay() -> None:
    """A number that does not follow the pages is no page number."""
    notes = ["1 See there.", "2 But not here.", "5 Others differ.", "9 Nobody knows."]
    pages = [page(body(n), ("paragraph", run(note, 760))) for n, note in enumerate(notes)]  # type: ignore[arg-type]
    assert len(left_over(pages)) == 4


def test_numbered_headings_stay() -> None:
    """Sections that begin at the top of every page differ in their number, which is not that of the page."""
    pages = [page(("heading", run(f"Part {3 * n}", 30)), body(n)) for n in range(5)]  # type: ignore[arg-type]
    assert len(left_over(pages)) == 5


def test_no_pages() -> None:
    """A document without blocks has nothing to remove."""
    drop_running([])
    drop_running([Layout()])


def test_page_numbers_beside_the_text_go() -> None:
    """They are bold, and count as the pages do; a bold number in one place only is text."""
    pages = [Layout([Block("paragraph", f"some words **{number}** and more")]) for number in (5, 6, 7)]
    pages.append(Layout([Block("paragraph", "8", bold=True), Block("paragraph", "the value **12** is text")]))
    drop_inner_numbers(pages)
    assert [block.text for layout in pages for block in layout.blocks] == [
        *["some words and more"] * 3,
        "",
        "the value **12** is text",
    ]
    alone = [Layout([Block("paragraph", "Table **1** shows")]), Layout([Block("paragraph", "nothing")])]
    drop_inner_numbers(alone)
    assert alone[0].blocks[0].text == "Table **1** shows"
