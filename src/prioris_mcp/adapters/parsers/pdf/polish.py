"""What is mended in the library's pages when the whole document is known."""

from __future__ import annotations

from collections.abc import Sequence

from prioris_mcp.adapters.parsers.pdf.blocks import Layout, common_size
from prioris_mcp.adapters.parsers.pdf.passes.accents import compose_accents
from prioris_mcp.adapters.parsers.pdf.passes.breaks import part_paragraphs
from prioris_mcp.adapters.parsers.pdf.passes.code import set_code
from prioris_mcp.adapters.parsers.pdf.passes.columns import part_columns
from prioris_mcp.adapters.parsers.pdf.passes.contents import set_contents
from prioris_mcp.adapters.parsers.pdf.passes.headings import settle_headings
from prioris_mcp.adapters.parsers.pdf.passes.lines import lines_by_column
from prioris_mcp.adapters.parsers.pdf.passes.marks import raise_marks
from prioris_mcp.adapters.parsers.pdf.passes.prose import clear_stamps, mend_emphasis, release_code
from prioris_mcp.adapters.parsers.pdf.passes.references import part_references
from prioris_mcp.adapters.parsers.pdf.passes.restore import restore_lines
from prioris_mcp.adapters.parsers.pdf.passes.rows import complete_rows
from prioris_mcp.adapters.parsers.pdf.passes.rtl import mend_right_to_left
from prioris_mcp.adapters.parsers.pdf.passes.run_ins import mend_run_ins, part_titles
from prioris_mcp.adapters.parsers.pdf.passes.running import drop_inner_numbers, drop_running
from prioris_mcp.adapters.parsers.pdf.passes.stacks import part_stacks
from prioris_mcp.adapters.parsers.pdf.passes.stubs import join_stubs
from prioris_mcp.adapters.parsers.pdf.passes.tables import release_prose
from prioris_mcp.adapters.parsers.pdf.passes.words import mend_words
from prioris_mcp.adapters.parsers.pdf.passes.woven import unweave


def polish(pages: Sequence[Layout]) -> None:
    """Mend *pages*, those of one document in order, in place."""
    body = common_size(run for page in pages for run in page.runs)
    lines = [lines_by_column(page.runs) for page in pages]
    restore_lines(pages, lines, body)
    for page, own in zip(pages, lines, strict=True):
        release_code(page)
        set_code(page)
        part_stacks(page, own)
        complete_rows(page, own)
        join_stubs(page, own)
        unweave(page, own)
        part_paragraphs(page, own)
    drop_running(pages)
    drop_inner_numbers(pages)
    for page in pages:
        clear_stamps(page)
        release_prose(page)
        set_contents(page)
        part_columns(page)
        part_titles(page)
    settle_headings(pages, body)
    part_references(pages, lines)
    for page in pages:
        mend_run_ins(page)
        mend_right_to_left(page)
        mend_emphasis(page)
    mend_words(pages)
    raise_marks(pages)
    compose_accents(pages)
