"""Tables of contents: the library parts the titles from their page numbers and runs them together."""

from __future__ import annotations

import re
from itertools import pairwise
from statistics import median

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Box, Cell, Layout, Run, lines_of

_NUMBER = re.compile(r"\d{1,4}|[ivxlc]{1,7}")
_LEADERS = re.compile(r"(?:[.\u2026\u00b7]\s*){3,}$")
_FIGURE = re.compile(r"[\d.,%±()\s-]+")
_ENOUGH = 6
"""Entries of a table of contents on a page."""
_MOST = 0.6
"""Share of the lines from the first entry to the last that are entries; others are titles of two lines."""
_RISING = 0.9
"""Share of the page numbers that are not lower than the one before."""
_LONG = 12
"""Characters of what is no number of a page."""
_ALIGNED = 3.0
"""Points by which the page numbers' right edges differ at most."""


def set_contents(page: Layout) -> None:
    """Make the contents on a page a table of titles and page numbers."""
    numbers = [run for run in page.runs if len(run.text) < _LONG and _NUMBER.fullmatch(run.text.strip())]
    if len(numbers) < _ENOUGH:
        return
    edge = median(run.box.right for run in numbers)
    lines = lines_of(page.runs)
    entries = [at for at, line in enumerate(lines) if _is_entry(line, edge)]
    if len(entries) < _ENOUGH or not _rises([lines[at][-1].text.strip() for at in entries]):
        return
    listed = lines[entries[0] : entries[-1] + 1]
    if len(entries) >= _MOST * len(listed):
        _replace(page, listed, {at - entries[0] for at in entries})


def _is_entry(line: list[Run], edge: float) -> bool:
    *title, number = line
    if not title or not _NUMBER.fullmatch(number.text.strip()) or abs(edge - number.box.right) > _ALIGNED:
        return False
    apart = number.box.left - title[-1].box.right > 2 * number.size or bool(_LEADERS.search(title[-1].text.strip()))
    figures = any(_FIGURE.fullmatch(run.text.strip()) for run in title[1:] if not _LEADERS.fullmatch(run.text.strip()))
    return apart and not figures and any(sign.isalpha() for run in title for sign in run.text)


def _rises(numbers: list[str]) -> bool:
    pages = [int(number) for number in numbers if number.isdigit()]
    rising = sum(before <= after for before, after in pairwise(pages))
    return len(pages) > len(numbers) / 2 and rising >= _RISING * (len(pages) - 1)


def _replace(page: Layout, listed: list[list[Run]], entries: set[int]) -> None:
    """Put a table where the blocks of the listed lines stand."""
    rows, waiting = [[Cell(""), Cell("")]], ""
    for at, line in enumerate(listed):
        runs = line[:-1] if at in entries else line
        title = _LEADERS.sub("", " ".join([waiting, *(run.text.strip() for run in runs)])).strip()
        waiting = "" if at in entries else title
        if at in entries:
            rows.append([Cell(title), Cell(line[-1].text.strip())])
    box = Box(0.0, min(run.box.top for run in listed[0]) - 1, 0.0, max(run.box.bottom for run in listed[-1]) + 1)
    at = next((at for at, block in enumerate(page.blocks) if _covers(box, block)), len(page.blocks))
    table = Block("table", box=box, rows=rows)
    page.blocks[at:] = [table, *(block for block in page.blocks[at:] if not _covers(box, block))]


def _covers(box: Box, block: Block) -> bool:
    return box.top <= block.box.middle <= box.bottom
