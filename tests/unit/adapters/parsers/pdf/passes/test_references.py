"""Each entry of a list of references is an item, however the library has cut and joined them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Cell, Layout, Run, render
from prioris_mcp.adapters.parsers.pdf.passes.lines import lines_by_column
from prioris_mcp.adapters.parsers.pdf.passes.references import part_references
from tests.unit.adapters.parsers.pdf.layouts import run

LABELLED = [
    "[1] Ada Lovelace. Notes on an engine. In Collected",
    "Papers, 1843.",
    "[2] Alan Turing. On numbers. Proceedings of a",
    "Society, 1936.",
    "[3] Grace Hopper. A compiler. 1952.",
]
ENTRIES = [f"{LABELLED[0]} {LABELLED[1]}", f"{LABELLED[2]} {LABELLED[3]}", LABELLED[4]]


def drawn(lines: Sequence[str], *, hanging: bool = True) -> list[Run]:
    """The lines of a list, those that go on set in where it hangs."""
    opens = ("[", "Lovelace", "Turing", "Hopper")
    lefts = [72 if not hanging or line.startswith(opens) else 90 for line in lines]
    placed = enumerate(zip(lines, lefts, strict=True))
    return [run(line, 130 + 12 * at, left=left, width=300) for at, (line, left) in placed]


def parted(runs: list[Run], blocks: list[Block], title: str = "References") -> str:
    """The Markdown of a page with a title and the library's blocks below it."""
    head = run(title, 100, width=60, size=12)
    layout = Layout([Block("heading", title, head.box, level=2), *blocks], [head, *runs], 800, has_text=True)
    part_references([layout], [lines_by_column(layout.runs)])
    return render(layout.blocks)


def of(runs: Sequence[Run], **more: bool) -> Block:
    """A block of these lines."""
    return Block("paragraph", " ".join(run.text for run in runs), runs[0].box.around(runs[-1].box), **more)


def items(title: str, entries: Sequence[str]) -> str:
    """What a list of entries should be."""
    return f"## {title}\n\n" + "\n".join(f"- {entry}" for entry in entries)


@pytest.mark.parametrize("title", ["References", "7. REFERENCES", "Literature cited", "Referências"])
def test_entries_that_were_joined_are_parted(title: str) -> None:
    """By their labels, under any name that such a list has."""
    runs = drawn(LABELLED)
    assert parted(runs, [of(runs)], title) == items(title, ENTRIES)
    assert parted(runs, [of(runs)], "Discussion") == f"## Discussion\n\n{' '.join(LABELLED)}"


def test_entries_that_were_cut_are_whole() -> None:
    """The library begins a paragraph where the font changes, and has the next entry in it."""
    runs = drawn(LABELLED)
    blocks = [of(runs[:1]), of(runs[1:3], italic=True), of(runs[3:4]), of(runs[4:])]
    assert parted(runs, blocks) == items("References", ENTRIES)


def test_entries_without_labels_are_told_by_their_margin() -> None:
    """Their first lines stand out."""
    first = ["Lovelace, A. Notes on an engine, 1843. In the", "collected papers of a society."]
    lines = [*first, "Turing, A. On numbers.", "Proceedings, 1936.", "Hopper, G. A compiler. 1952."]
    entries = [f"{lines[0]} {lines[1]}", f"{lines[2]} {lines[3]}", lines[4]]
    runs = drawn(lines)
    assert parted(runs, [of(runs)]) == items("References", entries)
    flush = drawn(lines, hanging=False)
    assert parted(flush, [of(flush)]) == f"## References\n\n{' '.join(lines)}"


def test_a_table_of_labels_and_works_is_a_list() -> None:
    """Labels that stand apart look like a column; another table stays."""
    runs = drawn(LABELLED)
    rows = [[Cell(entry[:3]), Cell(entry[4:])] for entry in ENTRIES]
    assert parted(runs, [Block("table", rows=rows)]) == items("References", ENTRIES)
    other = Block("table", rows=[[Cell("Index"), Cell("Value")], [Cell("H"), Cell("0.7")]])
    assert parted(runs, [other]).endswith("| Index | Value |\n|---|---|\n| H | 0.7 |")


def test_labels_may_stand_apart() -> None:
    """So far that they are a column of their own."""
    texts = [entry[4:] for entry in ENTRIES]
    labels = [run(entry[:3], 130 + 12 * at, width=15) for at, entry in enumerate(ENTRIES)]
    works = [run(text, 130 + 12 * at, left=110, width=300) for at, text in enumerate(texts)]
    runs = [part for pair in zip(labels, works, strict=True) for part in pair]
    assert parted(runs, [of(runs)]) == items("References", ENTRIES)


def test_what_comes_after_the_list_is_left_alone() -> None:
    """A heading ends it; on the next page it goes on without one."""
    runs = drawn(LABELLED)
    text = "A proof. It has two sentences."
    after = [Block("heading", "Appendix", level=2), Block("paragraph", text)]
    assert parted(runs, [of(runs), *after]).endswith(f"- {ENTRIES[2]}\n\n## Appendix\n\n{text}")
    first = Layout([Block("heading", "References", level=2)], [], 800, has_text=True)
    second = Layout([of(runs)], runs, 800, has_text=True)
    part_references([first, second], [[], lines_by_column(runs)])
    assert render(second.blocks) == "\n".join(f"- {entry}" for entry in ENTRIES)
