"""Parameters that several tools share, described once.

Bounds are advertised here and checked where the value is used, so that a wrong one gets one kind of sentence.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from prioris_mcp.domain.markdown import HARD_LIMIT

ArxivId = Annotated[
    str,
    Field(
        description="arXiv id, such as 2106.09685v2 or hep-th/9901001, its DOI, or an arxiv.org address; without a"
        " version the newest.",
    ),
]
ArxivFormat = Annotated[
    Literal["pdf", "html"],
    Field(description="pdf: nearly every paper has it, the default; html: keeps formulas best, newer papers only."),
]
Offset = Annotated[
    int,
    Field(
        description="Characters to skip, from the start of the document, or of page if given.",
        json_schema_extra={"minimum": 0},
    ),
]
Limit = Annotated[
    int | None,
    Field(
        description="Most characters; default {window}, at most 100000.",
        json_schema_extra={"minimum": 1, "maximum": HARD_LIMIT},
    ),
]
PdfPage = Annotated[
    int | None,
    Field(description="PDF page to start at, from 1.", json_schema_extra={"minimum": 1}),
]
