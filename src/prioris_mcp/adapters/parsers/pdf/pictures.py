"""The images embedded in a PDF: which of them are kept, and where the text shows them.

The text is the same with and without: an image adds a paragraph of its own, before its caption where it has one.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Box
from prioris_mcp.adapters.parsers.workers.protocol import MEDIA_TYPES
from prioris_mcp.domain.markdown import Image

if TYPE_CHECKING:
    from liteparse.types import ExtractedImage

_SMALLEST = 16
"""Pixels: what is thinner is a rule, a bullet or a piece of a background."""
_DECORATION = 4
"""Pages: what is shown on so many is a logo or a background."""
_MOST_BYTES = 128 << 20
"""Of all images of a document together; what goes beyond is left out."""
_CLOSE = 4.0
"""Points that a caption may reach into its image."""


@dataclass(frozen=True, slots=True)
class Picture:
    """An embedded image where a page shows it."""

    box: Box
    media_type: str
    content: bytes = field(repr=False)

    @property
    def digest(self) -> bytes:
        """The same for the same image, wherever it is shown."""
        return hashlib.sha256(self.content).digest()


def pictures_by_page(found: Iterable[ExtractedImage]) -> Mapping[int, tuple[Picture, ...]]:
    """The library's images as our records, by number of their page."""
    pages: defaultdict[int, tuple[Picture, ...]] = defaultdict(tuple)
    for image in found:
        media_type = MEDIA_TYPES.get(image.format.replace("jpeg", "jpg"))
        if media_type and image.bytes and min(image.width, image.height) >= _SMALLEST:
            box = image.bbox
            area = Box(box.x, box.y, box.x + box.width, box.y + box.height)
            pages[image.page] += (Picture(area, media_type, image.bytes),)
    return pages


class Gallery:
    """The images of one document, each kept once and named after the place where it is shown first."""

    def __init__(self, pages: Sequence[Sequence[Picture]], address: str) -> None:
        """*address*: where the images will be, without the id and the slash before it."""
        self._address = address
        self._shown_on = Counter(digest for pictures in pages for digest in {picture.digest for picture in pictures})
        self._kept: dict[bytes, Image] = {}
        self._room = _MOST_BYTES

    @property
    def images(self) -> tuple[Image, ...]:
        """All that were hung."""
        return tuple(self._kept.values())

    def hang(self, number: int, pictures: Sequence[Picture], blocks: list[Block]) -> None:
        """Put a figure into the *blocks* of page *number* for each picture that is kept."""
        for picture in {picture.digest: picture for picture in pictures}.values():
            if image := self._keep(picture, number):
                text = f"![Image on page {number}]({self._address}/{image.id})"
                blocks.insert(_place(picture.box, blocks), Block("figure", text, picture.box))

    def _keep(self, picture: Picture, number: int) -> Image | None:
        digest = picture.digest
        if self._shown_on[digest] >= _DECORATION:
            return None
        if digest not in self._kept and len(picture.content) <= self._room:
            count = sum(image.id.startswith(f"p{number}_") for image in self._kept.values())
            self._kept[digest] = Image(f"p{number}_{count + 1}", picture.media_type, picture.content)
            self._room -= len(picture.content)
        return self._kept.get(digest)


def _place(box: Box, blocks: Sequence[Block]) -> int:
    """Before what stands next below *box* in its column; at the end where nothing does."""
    below = [
        (block.box.top, index)
        for index, block in enumerate(blocks)
        if block.box.top >= box.bottom - _CLOSE and block.box.overlaps(box) > 0
    ]
    return min(below)[1] if below else len(blocks)
