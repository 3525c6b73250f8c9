"""Parameters that several tools share, described once.

Bounds are advertised here and checked where the value is used, so that a wrong one gets one kind of sentence.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

ArxivId = Annotated[
    str,
    Field(
        description="arXiv identifier: 2106.09685, 2106.09685v2, hep-th/9901001, or an arxiv.org address."
        " Without a version the newest one is meant.",
        examples=["2106.09685v2"],
    ),
]
ArxivFormat = Annotated[
    Literal["pdf", "html"],
    Field(description="pdf is there for nearly every paper; html keeps formulas best, but only newer papers have it."),
]
Offset = Annotated[
    int,
    Field(
        description="Characters to skip, counted from the start of the document, or of page where that is given.",
        json_schema_extra={"minimum": 0},
    ),
]
Limit = Annotated[
    int | None,
    Field(
        description="Most characters to return. Default: the server's setting (20000 if unchanged). Never over 100000.",
        json_schema_extra={"minimum": 1},
    ),
]
PdfPage = Annotated[
    int | None,
    Field(description="PDF page to start at, counted from 1. Only for pdf.", json_schema_extra={"minimum": 1}),
]
