"""Formulas, each written once: its own TeX, else TeX from its MathML, else its text, else its picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prioris_mcp.adapters.parsers.html.elements import names, tag
from prioris_mcp.adapters.parsers.html.math import on_one_line
from prioris_mcp.adapters.parsers.jats import tex
from prioris_mcp.adapters.parsers.jats.elements import child, children, find, href, text_of
from prioris_mcp.adapters.parsers.markdown.blocks import Block, paragraphs
from prioris_mcp.adapters.parsers.markdown.text import image
from prioris_mcp.adapters.parsers.mathml.to_tex import tex_of_mathml

if TYPE_CHECKING:
    from prioris_mcp.adapters.parsers.html.elements import Element
    from prioris_mcp.adapters.parsers.jats.inline import Inline

_NO_WORDS = names("math tex-math alternatives label graphic inline-graphic")
_PICTURES = ("graphic", "inline-graphic", "media")


def formula_tex(node: Element) -> str:
    """The TeX of a ``math`` or ``tex-math`` element."""
    if tag(node) == "tex-math":
        return tex.formula("".join(node.itertext()))
    notes = find(node, "annotation")
    if source := next((note.text for note in notes if "tex" in (note.get("encoding") or "") and note.text), None):
        return tex.formula(source)
    return on_one_line(tex_of_mathml(node))


def _formulas(node: Element) -> list[str]:
    """The formulas in an element: where there is TeX it is preferred to MathML throughout."""
    for name in ("tex-math", "math"):
        found = [tex for part in find(node, name) if (tex := formula_tex(part))]
        if found:
            return found
    return []


def inline_formula(inline: Inline, node: Element) -> str:
    """A formula in its sentence."""
    formulas = _formulas(node)
    words = "" if tag(node) in ("math", "tex-math") else inline.line(node, _NO_WORDS)
    if formulas and not words:
        return " ".join(f"${tex}$" for tex in formulas)
    return inline.children(node, names("label graphic")) if formulas or words else _picture(node, "formula")


def displayed(inline: Inline, node: Element) -> str:
    """A displayed formula, or a group of them, each with its number."""
    members = children(node, "disp-formula", "disp-formula-group")
    if tag(node) == "disp-formula-group" and members:
        number = _number(node)
        written = [displayed(inline, member) for member in members]
        if number and not any("\\tag{" in text for text in written):
            written.append(f"({number})")
        return "\n\n".join(filter(None, written))
    formulas, number = _formulas(node), _number(node)
    words = inline.line(node, _NO_WORDS)
    if formulas and not words:
        return "\n\n".join(f"$${tex}$$" for tex in [*formulas[:-1], _tagged(formulas[-1], number)])
    text = inline.children(node, names("label graphic")) if formulas or words else _picture(node, "equation")
    return f"{text} ({number})" if number else text


def display_blocks(inline: Inline, node: Element) -> list[Block]:
    """A displayed formula as blocks."""
    return paragraphs([displayed(inline, node)])


def _number(node: Element) -> str:
    label = text_of(child(node, "label"))
    return label.strip(" ()[].").translate(str.maketrans("", "", "{}$\\<>"))


def _tagged(tex: str, number: str) -> str:
    return f"{tex} \\tag{{{number}}}" if number and "\\tag" not in tex else tex


def _picture(node: Element, name: str) -> str:
    alternative = next((text_of(alt) for alt in find(node, "alt-text")), "")
    return next((image(alternative or name, href(picture)) for picture in find(node, *_PICTURES)), "")
