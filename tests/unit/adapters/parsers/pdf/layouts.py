"""Pages as the PDF rules see them, drawn line by line for tests."""

from __future__ import annotations

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Box, Layout, Run

BOLD = "Serif-Bold"


def box(left: float, top: float, width: float, height: float) -> Box:
    """A rectangle by its corner and size."""
    return Box(left, top, left + width, top + height)


def run(
    text: str, top: float, *, left: float = 72, width: float = 400, size: float = 10, font: str = "Serif-Roman"
) -> Run:
    """Text on one line."""
    return Run(text, box(left, top, width, size), font)


def block(run: Run, kind: str = "paragraph", **more: object) -> Block:
    """A block of one line."""
    return Block(kind, run.text, run.box, **more)  # type: ignore[arg-type] - tests name real fields


def page(*parts: tuple[Block, list[Run]] | tuple[str, Run], height: float = 800) -> Layout:
    """A page of blocks: a kind and a line, or a block with all its lines."""
    layout = Layout(height=height, has_text=True)
    for first, second in parts:
        if isinstance(first, Block):
            layout.blocks.append(first)
            layout.runs.extend(second if isinstance(second, list) else [second])
        elif isinstance(second, Run):
            layout.blocks.append(block(second, first))
            layout.runs.append(second)
    return layout


def shown(layout: Layout) -> list[tuple[str, str]]:
    """Kind and text of every block."""
    return [(part.kind, part.text) for part in layout.blocks]
