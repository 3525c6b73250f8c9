"""Programs set in a typewriter's font that the library reads as running text: their lines are kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Layout, Run, hull
from prioris_mcp.adapters.parsers.pdf.passes.lines import Line, rows_of
from prioris_mcp.adapters.parsers.pdf.passes.prose import are_addresses, is_prose

_TYPEWRITER = re.compile(
    r"mono(?!type)|courier|typewriter|cmtt|cmsltt|sftt|txtt|lmtt|consol|menlo|monaco", re.IGNORECASE
)
"""How the names of fonts with one width are spelled."""
_SHARE = 0.9
"""Of the letters of a block of code that are set in such a font."""
_LEAST = 40
"""Characters of a program at least."""
_EVERYWHERE = 0.5
"""Share of a page that is set in such a font where it is that of the text."""


def set_code(page: Layout) -> None:
    """Make one block of code of paragraphs in a row that are set in a typewriter's font, if they have several lines."""
    size = sum(len(run.text) for run in page.runs if _is_typewriter(run.font))
    if _LEAST < size < _EVERYWHERE * sum(len(run.text) for run in page.runs):
        groups = groupby(page.blocks, lambda block: block.kind == "paragraph" and _is_code(page.within(block.box)))
        page.blocks = [block for is_code, group in groups for block in (_coded([*group], page) if is_code else group)]


@cache
def _is_typewriter(font: str) -> bool:
    return bool(_TYPEWRITER.search(font))


def _is_code(runs: Iterable[Run]) -> bool:
    letters = [(len(run.text), _is_typewriter(run.font)) for run in runs if run.text.strip()]
    size = sum(length for length, _ in letters)
    return size > 0 and sum(length for length, is_code in letters if is_code) > _SHARE * size


def _coded(blocks: list[Block], page: Layout) -> list[Block]:
    box = hull(block.box for block in blocks)
    rows = rows_of([run for run in page.within(box) if _is_typewriter(run.font)])
    if len(rows) < 2 or sum(len(line.text) for row in rows for line in row) < _LEAST:
        return blocks
    lines = _set(rows)
    is_text = max(map(len, rows)) < 2 and (is_prose(lines) or are_addresses(lines))
    return blocks if is_text else [Block("code", box=box, lines=lines)]


def _set(rows: Sequence[Sequence[Line]]) -> list[str]:
    """The lines, each piece at its column."""
    pieces = [line for row in rows for line in row]
    left = min(line.box.left for line in pieces)
    width = sum(line.box.width for line in pieces) / sum(len(line.text) for line in pieces)
    lines = []
    for row in rows:
        text = ""
        for line in row:
            column = round((line.box.left - left) / width)
            text = f"{text}{' ' * max(column - len(text), 1 if text else 0)}{line.text}"
        lines.append(text)
    return lines
