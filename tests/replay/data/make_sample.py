"""Make the PDF fixtures; needs reportlab.  Run by hand, never imported by the tests.

python tests/replay/data/make_sample.py
"""

# mypy: disable-error-code="import-untyped, import-not-found, no-untyped-call"

from __future__ import annotations

import random
import re
from pathlib import Path

from reportlab.lib import colors
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

HERE = Path(__file__).resolve().parent
TEXT = HERE / "sample-paper.txt"
TITLE = "Citation Graphs and Full-Text Search as Ways of Finding Prior Work"

BODY = ParagraphStyle("body", fontName="Times-Roman", fontSize=11, leading=14.5, alignment=TA_JUSTIFY, spaceAfter=7)
STYLES = {
    "title": ParagraphStyle("title", BODY, fontName="Times-Bold", fontSize=17, leading=21, alignment=TA_CENTER),
    "author": ParagraphStyle("author", BODY, alignment=TA_CENTER, spaceBefore=6),
    "place": ParagraphStyle("place", BODY, fontName="Times-Italic", fontSize=9.5, alignment=TA_CENTER, spaceAfter=10),
    "abstract": ParagraphStyle("abstract", BODY, fontSize=9.5, leading=12, leftIndent=28, rightIndent=28),
    "h1": ParagraphStyle("h1", BODY, fontName="Times-Bold", fontSize=13, leading=16, spaceBefore=10, keepWithNext=1),
    "h2": ParagraphStyle("h2", BODY, fontName="Times-Bold", fontSize=11, leading=14, spaceBefore=6, keepWithNext=1),
    "eq": ParagraphStyle("eq", BODY, fontName="Times-Italic", alignment=TA_CENTER, spaceBefore=4, spaceAfter=8),
    "caption": ParagraphStyle("caption", BODY, fontSize=9.5, leading=12, spaceBefore=8, keepWithNext=1),
    "ref": ParagraphStyle("ref", BODY, fontSize=9.5, leading=12, leftIndent=20, firstLineIndent=-20, spaceAfter=3),
    "p": BODY,
}
RULES = TableStyle(
    [
        ("FONT", (0, 0), (-1, -1), "Times-Roman", 9.5),
        ("FONT", (0, 0), (-1, 0), "Times-Bold", 9.5),
        ("LINEABOVE", (0, 0), (-1, 0), 0.8, colors.black),
        ("LINEBELOW", (0, 0), (-1, 0), 0.5, colors.black),
        ("LINEBELOW", (0, -1), (-1, -1), 0.8, colors.black),
        ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
    ]
)


def flowable(block: str) -> Flowable:
    """Turn one block of the text into its typeset form: `kind: text`, or a table of `|` rows."""
    if block.startswith("|"):
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()]
        return Table(rows, style=RULES, hAlign="CENTER", spaceAfter=10)
    kind, _, text = block.partition(": ")
    if kind not in STYLES:
        kind, text = "p", block
    return Paragraph(" ".join(text.split()), STYLES[kind])


def footer(canvas: Canvas, document: SimpleDocTemplate) -> None:
    """The running footer with the page number."""
    canvas.setFont("Times-Roman", 8.5)
    canvas.drawString(30 * mm, 12 * mm, "Preprint. Specimen paper; all measurements are invented.")
    canvas.drawRightString(A4[0] - 30 * mm, 12 * mm, f"Page {document.page}")


def sample() -> None:
    """The sample paper."""
    blocks = [block.strip() for block in re.split(r"\n{2,}", TEXT.read_text("utf-8")) if block.strip()]
    document = SimpleDocTemplate(
        str(HERE / "pdf" / "sample-paper.pdf"),
        pagesize=A4,
        title=TITLE,
        author="M. Hartley, I. Okafor, S. Lindqvist",
        leftMargin=30 * mm,
        rightMargin=30 * mm,
        topMargin=25 * mm,
        bottomMargin=25 * mm,
        invariant=1,
    )
    document.build([Spacer(1, 6), *map(flowable, blocks)], onFirstPage=footer, onLaterPages=footer)


def odd() -> None:
    """Files that are not what they seem."""
    folder = HERE / "odd"
    noise = random.Random(7).randbytes(4096)
    (folder / "garbage.pdf").write_bytes(b"%PDF-1.7\n" + noise)
    whole = (HERE / "pdf" / "sample-paper.pdf").read_bytes()
    (folder / "truncated.pdf").write_bytes(whole[: len(whole) * 2 // 5])
    blank = Canvas(str(folder / "empty.pdf"), pagesize=A4, invariant=1)
    blank.showPage()
    blank.save()
    page = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><h1>Please sign in</h1></body></html>\n"
    (folder / "page.pdf").write_text(page, "utf-8")


if __name__ == "__main__":
    sample()
    odd()
