"""The tables of who writes which element of an article: as blocks, and inside a line."""

from __future__ import annotations

from prioris_mcp.adapters.parsers.jats import figures, footnotes, inline, lists, math, references, tables
from prioris_mcp.adapters.parsers.jats.citations import citation
from prioris_mcp.adapters.parsers.jats.elements import DROPPED
from prioris_mcp.adapters.parsers.jats.walk import InlineWriter, JatsWalk, Writer
from prioris_mcp.adapters.parsers.markdown.blocks import BlockKind, MarkdownBlock
from prioris_mcp.adapters.parsers.markdown.text import fenced
from prioris_mcp.adapters.parsers.xml.elements import Element, names, tag

_TITLE = names("title label")
_UNTITLED = {"ack": "Acknowledgements", "app": "Appendix", "glossary": "Glossary"}


def _section(walk: JatsWalk, node: Element, level: int) -> list[MarkdownBlock]:
    """Write a section: its title one level below the section around it; without a title it is none."""
    head = walk.heading(node, level, _UNTITLED.get(tag(node), ""))
    return [*head, *walk.blocks(node, level + bool(head), _TITLE)]


def _group(walk: JatsWalk, node: Element, level: int) -> list[MarkdownBlock]:
    return [*walk.heading(node, level), *walk.blocks(node, level, _TITLE)]


def _paragraph(walk: JatsWalk, node: Element, level: int) -> list[MarkdownBlock]:
    found = walk.blocks(node, level)
    above = node.getparent()
    return [*found, *walk.floats_for(node)] if tag(above) in ("sec", "body", "app") else found


def _verbatim(_walk: JatsWalk, node: Element, _level: int) -> list[MarkdownBlock]:
    text = "".join(node.itertext()).strip("\n").rstrip()
    return [MarkdownBlock(fenced(text), BlockKind.VERBATIM)] if text.strip() else []


def _nothing(_walk: JatsWalk, _node: Element, _level: int) -> list[MarkdownBlock]:
    return []


BLOCK_WRITERS: dict[str, Writer] = {
    "p": _paragraph,
    "sec": _section,
    "app": _section,
    "ack": _section,
    "glossary": _section,
    "notes": _section,
    "bio": _section,
    "app-group": _group,
    "disp-formula": math.formula_blocks,
    "disp-formula-group": math.formula_blocks,
    "preformat": _verbatim,
    "code": _verbatim,
    "fig": figures.figure,
    "chem-struct-wrap": figures.figure,
    "chem-struct-wrapper": figures.figure,
    "fig-group": figures.captioned,
    "table-wrap": figures.captioned,
    "table-wrap-group": figures.captioned,
    "graphic": figures.graphic,
    "media": figures.attachment,
    "supplementary-material": figures.attachment,
    "alternatives": figures.alternatives,
    "table": tables.table,
    "array": tables.table,
    "table-wrap-foot": footnotes.table_foot,
    "fn-group": footnotes.note_group,
    "ref-list": references.reference_list,
    "ref": references.reference,
    "list": lists.listing,
    "def-list": lists.definitions,
    "disp-quote": lists.quotation,
    "verse-group": lists.verse,
    "boxed-text": lists.boxed,
    "speech": lists.spoken,
    "statement": lists.statement,
    **dict.fromkeys(DROPPED | names("floats-group"), _nothing),
}

INLINE_WRITERS: dict[str, InlineWriter] = {
    "sup": inline.superscript_or_subscript,
    "sub": inline.superscript_or_subscript,
    "monospace": inline.code_span,
    "code": inline.code_span,
    "preformat": inline.code_span,
    "break": inline.line_break,
    "xref": inline.cross_reference,
    "ext-link": inline.external_link,
    "uri": inline.external_link,
    "self-uri": inline.external_link,
    "inline-supplementary-material": inline.external_link,
    "related-article": inline.external_link,
    "fn": inline.footnote,
    "inline-graphic": inline.picture,
    "graphic": inline.picture,
    "inline-formula": math.inline_formula,
    "chem-struct": math.inline_formula,
    "math": math.inline_formula,
    "tex-math": math.inline_formula,
    "disp-formula": math.displayed_in_text,
    "disp-formula-group": math.displayed_in_text,
    "alternatives": inline.alternatives,
    "citation-alternatives": inline.alternatives,
    "abbrev": inline.abbreviation,
    "ruby": inline.ruby,
    "compound-kwd-part": inline.apart,
    "nested-kwd": inline.apart,
    "compound-subject-part": inline.apart,
    "name": inline.person_name,
    "string-name": inline.person_name,
    "person-group": inline.person_group,
    "pub-id": inline.identifier,
    "element-citation": citation,
    "mixed-citation": citation,
    "nlm-citation": citation,
    "citation": citation,
    "product": citation,
}
