"""Running heads, running feet and page numbers: what stands at the edge of page after page."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Layout

_EDGE = 0.15
"""Share of the page's height, at either end, in which running heads are looked for."""
_LINES = 48.0
"""Points: a higher block is no running head."""
_DEEP = 4
"""Blocks from either end of the page that may be running heads."""
_SAME_PLACE = 6.0
"""Points by which the place of a running head may differ from page to page."""
_PAGES = 3
"""Pages that show a running head at least."""
_LETTERS = 3
"""In a head that is known by its words alone."""
_FAR = 4
"""Pages between two showings at most, so that a chapter's opening or a figure does not part them."""
_NUMBER = re.compile(r"^\W*(\d{1,4})\b|\b(\d{1,4})\W*$")
_BOLD_NUMBER = re.compile(r"(?:^|(?<=\s))\*\*(\d{1,4})\*\*(?:\s|$)")
_MARKS, _DIGITS, _WORDS = re.compile(r"[*#_$\\]"), re.compile(r"\d+"), re.compile(r"[^\W\d_]+|#")
_PROSE = {"paragraph", "list_item"}
_ROMAN = re.compile(r"\W*[ivxlc]{1,7}\W*")


@dataclass(slots=True)
class _Edge:
    """A block at the edge of a page."""

    page: int
    block: Block
    top: bool
    pages: int
    words: str = field(init=False)
    """Without marks of emphasis."""
    numbers: set[int] = field(init=False)
    """Those at its two ends."""

    def __post_init__(self) -> None:
        """Take from the block what is asked for several times."""
        self.words = _MARKS.sub("", self.block.text or " ".join(self.block.lines)).strip()
        self.numbers = {int(start or end) for start, end in _NUMBER.findall(self.words)}

    @property
    def key(self) -> str:
        """Its words, whatever the numbers among them; but numbered headings are not alike."""
        if self.block.kind == "heading":
            return self.words
        return " ".join(_WORDS.findall(_DIGITS.sub("#", self.words)))


def drop_running(pages: Sequence[Layout]) -> None:
    """Remove the running heads and feet of a document from its pages."""
    edges = [edge for number, page in enumerate(pages, 1) for edge in _edges(number, page, len(pages))]
    running = {id(edge.block) for edge in [*_repeated(edges), *_numbered(edges)]}
    for page in pages:
        page.blocks = [block for block in page.blocks if id(block) not in running]


def drop_inner_numbers(pages: Sequence[Layout]) -> None:
    """Remove page numbers in bold that stand beside the text, and that the library has read into it."""
    found = [
        (int(digits) - number, number, block, shown)
        for number, page in enumerate(pages, 1)
        for block in page.blocks
        if block.kind in _PROSE
        for digits, shown in _bold_numbers(block)
    ]
    offsets = Counter(offset for offset, _ in {(offset, number) for offset, number, _, _ in found})
    for offset, count in offsets.most_common(1):
        if count >= max(_PAGES, len(pages) // 3):
            for own, _, block, shown in found:
                if own == offset:
                    block.text = block.text.replace(shown, "", 1).strip()


def _bold_numbers(block: Block) -> Iterator[tuple[str, str]]:
    """The numbers in bold in a block, and how they stand there."""
    if block.bold and re.fullmatch(r"\d{1,4}", block.text):
        yield block.text, block.text
    if "**" in block.text:
        yield from ((match[1], match[0]) for match in _BOLD_NUMBER.finditer(block.text))


def _edges(number: int, page: Layout, pages: int) -> Iterator[_Edge]:
    blocks = sorted((block for block in page.blocks if _may_run(block)), key=lambda block: block.box.top)
    band = _EDGE * page.height
    for block in blocks[:_DEEP]:
        if block.box.top < band:
            yield _Edge(number, block, True, pages)
    for block in blocks[-_DEEP:]:
        if block.box.bottom > page.height - band:
            yield _Edge(number, block, False, pages)


def _may_run(block: Block) -> bool:
    return block.kind in {"paragraph", "heading", "list_item", "code"} and block.box.bottom - block.box.top < _LINES


def _repeated(edges: Sequence[_Edge]) -> Iterator[_Edge]:
    """Edges whose words come again at the same place of pages nearby."""
    alike: dict[tuple[bool, str], list[_Edge]] = defaultdict(list)
    for edge in edges:
        alike[edge.top, edge.key].append(edge)
    for (_, key), group in alike.items():
        if sum(map(str.isalpha, key)) < _LETTERS:
            continue
        repeated = [edge for edge in group if any(_recurs(edge, other) for other in group)]
        if len({edge.page for edge in repeated}) >= _PAGES:
            yield from repeated


def _recurs(edge: _Edge, other: _Edge) -> bool:
    near = 0 < abs(edge.page - other.page) <= _FAR
    return near and abs(edge.block.box.top - other.block.box.top) < _SAME_PLACE


def _numbered(edges: Sequence[_Edge]) -> Iterator[_Edge]:
    """Edges that begin or end with the number of their page, counted from wherever the document begins to count."""
    offsets = Counter(number - edge.page for edge in edges for number in edge.numbers)
    for offset, _ in offsets.most_common(2):
        numbered = [edge for edge in edges if edge.page + offset in edge.numbers and _is_short(edge)]
        if len(numbered) >= max(_PAGES, edges[0].pages // 3):
            tops = Counter(_place(edge) for edge in numbered)
            yield from (edge for edge in numbered if _often(tops, _place(edge)))
    yield from (edge for edge in edges if _ROMAN.fullmatch(edge.words))


def _is_short(edge: _Edge) -> bool:
    return edge.block.box.bottom - edge.block.box.top < _LINES / 2


def _place(edge: _Edge) -> int:
    return round(edge.block.box.top / _SAME_PLACE)


def _often(tops: Counter[int], place: int) -> bool:
    """Whether enough heads stand at *place*, rounding aside."""
    return sum(tops[place + step] for step in (-1, 0, 1)) >= _PAGES
