"""Where paragraphs begin: the library joins those of one column into one block, however they are set apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from prioris_mcp.adapters.parsers.pdf.blocks import Layout
from prioris_mcp.adapters.parsers.pdf.passes.lines import ENDED, Joint, Line, parted

_APART = 1.25
"""Of the usual step from line to line: the step to a new paragraph at least."""
_WIDE = 1.7
"""Of the usual step: the step to a new paragraph, or a formula, whatever stands above."""
_FAR = 3.0
"""Of the usual step: what is farther away has something between."""
_HEAD = 0.15
"""Share of the page's height in which a running head stands."""
_INDENT = (0.5, 4.5)
"""Of a line's height: how far the first line of a paragraph is set in."""
_MARGIN = 1.5
"""Points in which lines agree that begin at the same margin."""


def part_paragraphs(page: Layout, lines: Sequence[Line]) -> None:
    """Make each paragraph of a page, whose lines are given, a block of its own."""
    joints = [*_joints(lines, page.height)]
    if joints:
        page.blocks = [part for block in page.blocks for part in parted(block, joints)]


def _joints(lines: Sequence[Line], height: float) -> Iterator[Joint]:
    alike = [(line, line.above) for line in lines if line.above and line.is_like(line.above)]
    steps: dict[float, list[float]] = {}
    for line, _ in alike:
        steps.setdefault(line.size, []).append(line.step)
    usual = {size: median(of_size) for size, of_size in steps.items()}
    for line, above in alike:
        if _begins(line, above, usual[line.size], height):
            yield Joint(line, above)
    yield from (Joint(line, None) for line in lines if line.above is None and _is_set_in(line))


def _begins(line: Line, above: Line, step: float, height: float) -> bool:
    if ENDED.search(above.text):
        return line.step > _APART * step or (_is_set_in(line) and _shares_margin(line, above))
    # What goes on below a picture is no new paragraph, what stands below a running head is one.
    return line.step > _WIDE * step and (line.step < _FAR * step or above.box.bottom < _HEAD * height)


def _is_set_in(line: Line) -> bool:
    """Whether a line begins farther in than the one below it."""
    least, most = (times * line.size for times in _INDENT)
    return line.below is not None and least < line.box.left - line.below.box.left < most


def _shares_margin(line: Line, above: Line) -> bool:
    """Whether *above* begins where the line, or the one below it, does."""
    others = [line, line.below or line]
    return min(abs(above.box.left - other.box.left) for other in others) < _MARGIN
