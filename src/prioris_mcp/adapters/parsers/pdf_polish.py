"""What is mended in the library's pages when the whole document is known."""

from __future__ import annotations

from collections.abc import Sequence

from prioris_mcp.adapters.parsers.pdf_accents import compose_accents
from prioris_mcp.adapters.parsers.pdf_blocks import Layout, common_size
from prioris_mcp.adapters.parsers.pdf_breaks import part_paragraphs
from prioris_mcp.adapters.parsers.pdf_code import set_code
from prioris_mcp.adapters.parsers.pdf_columns import part_columns
from prioris_mcp.adapters.parsers.pdf_contents import set_contents
from prioris_mcp.adapters.parsers.pdf_headings import settle_headings
from prioris_mcp.adapters.parsers.pdf_lines import lines_by_column
from prioris_mcp.adapters.parsers.pdf_marks import raise_marks
from prioris_mcp.adapters.parsers.pdf_prose import clear_stamps, mend_emphasis, release_code
from prioris_mcp.adapters.parsers.pdf_references import part_references
from prioris_mcp.adapters.parsers.pdf_restore import restore_lines
from prioris_mcp.adapters.parsers.pdf_rows import complete_rows
from prioris_mcp.adapters.parsers.pdf_rtl import mend_right_to_left
from prioris_mcp.adapters.parsers.pdf_run_ins import mend_run_ins, part_titles
from prioris_mcp.adapters.parsers.pdf_running import drop_inner_numbers, drop_running
from prioris_mcp.adapters.parsers.pdf_stacks import part_stacks
from prioris_mcp.adapters.parsers.pdf_stubs import join_stubs
from prioris_mcp.adapters.parsers.pdf_tables import release_prose
from prioris_mcp.adapters.parsers.pdf_words import mend_words
from prioris_mcp.adapters.parsers.pdf_woven import unweave


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
