"""Formulas: the TeX that LaTeXML left in its MathML, and the rows of its equation tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prioris_mcp.adapters.parsers.html.elements import classes, is_cell, is_dropped, is_row
from prioris_mcp.adapters.parsers.markdown.text import escape, one_line_tex
from prioris_mcp.adapters.parsers.mathml.to_tex import tex_of_mathml
from prioris_mcp.adapters.parsers.xml.elements import Element, names, plain, tag

EQUATIONS = names("ltx_equation ltx_equationgroup ltx_eqn_table ltx_eqn_div")

_NUMBERS = frozenset({"ltx_eqn_eqno", "ltx_tag_equation", "ltx_tag_equationgroup"})


def tex_of(math: Element) -> str:
    """Return the TeX of a ``math`` element on one line: that of the page, else that of its MathML."""
    tex = math.get("alttext")
    if tex is None:
        notes = (node for node in math.iter() if tag(node) == "annotation" and "tex" in (node.get("encoding") or ""))
        tex = next((node.text or "" for node in notes), "")
    return one_line_tex(tex) or one_line_tex(tex_of_mathml(math))


def formula(math: Element) -> str:
    """Write a ``math`` element as inline or display Markdown, or its signs as text where it has no TeX."""
    tex = tex_of(math)
    if not tex:
        return escape(" ".join(_signs(math)))
    return f"\n\n$${tex}$$\n\n" if math.get("display") == "block" else f"${tex}$"


def equations(table: Element) -> list[str]:
    """Write the display formulas of an equation table, one a row, with their numbers."""
    rows = list(filter(is_row, table.iter()))
    shown: list[str] = []
    number = ""
    for row in rows or [table]:
        pieces = list(_pieces(row))
        own = _number(row)
        if pieces:
            shown.append(_display(" ".join(pieces), own))
        elif own:
            number = own
    if number and shown and "\\tag{" not in shown[-1]:
        shown[-1] = _display(shown[-1][2:-2], number)
    return shown


def _number(row: Element) -> str:
    """Return the number of a row; a row inside it has its own."""
    for node in row.iter():
        if not _NUMBERS.isdisjoint(classes(node)) and next(filter(is_row, node.iterancestors()), row) is row:
            return plain(node).strip(" ()")
    return ""


def _display(tex: str, number: str) -> str:
    return f"$${tex} \\tag{{{number}}}$$" if number else f"$${tex}$$"


def _pieces(node: Element) -> Iterator[str]:
    """Return the formulas and words of a row in order, its number left out."""
    yield from _words(node.text)
    for child in node:
        if tag(child) == "math":
            if tex := tex_of(child):
                yield tex
        elif is_row(child):
            continue  # a formula of its own
        elif not is_dropped(child) and _NUMBERS.isdisjoint(classes(child)) and "ltx_note" not in classes(child):
            yield from _pieces(child)
        if not is_cell(child):
            yield from _words(child.tail)


def _words(text: str | None) -> Iterator[str]:
    words = " ".join((text or "").split())
    if words and words in ",.;:":
        yield words
    elif re.search(r"\w", words):
        yield r"\text{" + re.sub(r"([#$%&_{}])", r"\\\1", words.replace("\\", "")) + "}"


def _signs(math: Element) -> Iterator[str]:
    for node in math.iter():
        if tag(node) not in ("annotation", "annotation-xml") and not any(map(_is_note, node.iterancestors())):
            yield from (node.text or "").split()


def _is_note(node: Element) -> bool:
    return tag(node) in ("annotation", "annotation-xml")
