"""Numbers that cite are raised where the document plainly cites by number."""

from __future__ import annotations

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Layout
from prioris_mcp.adapters.parsers.pdf.passes.marks import raise_marks

NAMES = ["birth", "mother", "health", "study", "cohort", "sample", "method", "result", "nation"]


def marked(*texts: str) -> list[str]:
    """The texts of paragraphs after the rule."""
    layout = Layout([Block("paragraph", text) for text in texts])
    raise_marks([layout])
    return [block.text for block in layout.blocks]


def test_citing_numbers_are_raised() -> None:
    """Numbers that rise through the text, glued to words it also has without them."""
    cited = " ".join(f"{name}{number}." for number, name in enumerate(NAMES, 1))
    *_, last = marked(cited, " ".join(NAMES), "the cohort10,11, had CO2 and x12 and 3D and $study12$")
    assert last == "the cohort<sup>10,11</sup>, had CO2 and x12 and 3D and $study12$"


def test_few_or_unordered_numbers_stay() -> None:
    """Names with a number are no citations."""
    assert marked("layer1 layer2 layer3", "layer") == ["layer1 layer2 layer3", "layer"]
    falling = " ".join(f"{name}{number}." for number, name in zip(range(30, 12, -2), NAMES, strict=True))
    assert marked(falling, " ".join(NAMES))[0] == falling
