"""Images of a PDF: kept once, shown where they stand, and nothing else of the text changed by them."""

from __future__ import annotations

import pytest

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Box
from prioris_mcp.adapters.parsers.pdf.pictures import Gallery, Picture
from prioris_mcp.adapters.parsers.workers.backends import LiteParsePdfBackend
from prioris_mcp.adapters.parsers.workers.pool import WorkerPool
from prioris_mcp.adapters.parsers.workers.protocol import pack_markdown, unpack_markdown
from prioris_mcp.domain.markdown import Image, Markdown
from prioris_mcp.errors import ParseError
from tests.unit.adapters.parsers.pdf import tiny_pdf

pytestmark = pytest.mark.anyio
AT = "research://localfile/x/pdf/images"
SHOWN = f"![Image on page 1]({AT}/p1_1)"
PAGE = (
    tiny_pdf.text("Words above the image")
    + b" q 200 0 0 100 72 500 cm /Im0 Do Q"
    + b" BT /F1 12 Tf 72 480 Td (Figure 1: Words below the image) Tj ET"
)
ILLUSTRATED = tiny_pdf.pdf(PAGE, pixels=20, everywhere=True)
DOT = Picture(Box(72, 100, 272, 200), "image/png", b"dot")


async def test_an_image_stands_before_its_caption(pool: WorkerPool) -> None:
    """Its address is the one that the caller names, and it is really an image."""
    result = await LiteParsePdfBackend(pool, options={"images": True}).parse(ILLUSTRATED, None, AT)
    assert result.text == f"Words above the image\n\n{SHOWN}\n\nFigure 1: Words below the image\n\n"
    (image,) = result.images
    assert (image.id, image.media_type, image.content[:4]) == ("p1_1", "image/png", b"\x89PNG")


async def test_without_the_setting_there_are_none(pool: WorkerPool) -> None:
    """The text is the same but for the images, and the version tells the two apart."""
    plain, keeping = LiteParsePdfBackend(pool), LiteParsePdfBackend(pool, options={"images": True})
    without, shown = [await parser.parse(ILLUSTRATED, None, AT) for parser in (plain, keeping)]
    assert without.images == ()
    assert without.text == shown.text.replace(f"{SHOWN}\n\n", "")
    assert keeping.version == f"{plain.version}+images"


def test_the_same_image_is_kept_once() -> None:
    """Shown on three pages it has one name; shown on four it is a decoration, and left out."""
    for pages, names in ((3, ["p1_1"]), (4, [])):
        gallery, blocks = Gallery([[DOT, DOT]] * pages, AT), [Block("paragraph", "text")]
        for number in range(1, pages + 1):
            gallery.hang(number, [DOT, DOT], blocks)
        assert [image.id for image in gallery.images] == names
        assert sum(block.kind == "figure" for block in blocks) == pages * len(names)


def test_an_image_stays_in_its_column() -> None:
    """It stands before what is next below it in its own column, not beside it."""
    blocks = [
        Block("paragraph", "top", Box(72, 20, 500, 90)),
        Block("paragraph", "left", Box(72, 210, 272, 300)),
        Block("paragraph", "right", Box(300, 205, 500, 300)),
    ]
    Gallery([[DOT]], AT).hang(1, [DOT], blocks)
    assert [block.kind for block in blocks] == ["paragraph", "figure", "paragraph", "paragraph"]


def answer(**more: object) -> tuple[dict[str, object], bytes]:
    """What a worker might answer about one image of three bytes."""
    header, body = pack_markdown(
        Markdown("ab", Markdown.whole("ab").leaves, images=(Image("p1_1", "image/png", b"dot"),))
    )
    return {**header, **more}, body


def test_an_answer_with_images_comes_through() -> None:
    """Text and images as they were."""
    assert unpack_markdown(*answer()).images == (Image("p1_1", "image/png", b"dot"),)


@pytest.mark.parametrize(
    "images",
    [
        [["p1_1", "image/png", 2]],
        [["p1_1", "image/png", 4]],
        [["p1_1", "image/png", -3]],
        [["../x", "image/png", 3]],
        [["p1_1", "text/html", 3]],
        [["p1_1", "image/png", 1], ["p1_1", "image/png", 2]],
        [["p1_1", "image/png"]],
        "p1_1",
        None,
    ],
)
def test_an_answer_is_not_trusted(images: object) -> None:
    """Sizes that do not fit, names that are none, and types that a client might run are refused."""
    with pytest.raises(ParseError, match="unusable"):
        unpack_markdown(*answer(images=images))
