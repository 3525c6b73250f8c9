"""Formulas, each written once: its own TeX, else TeX from its MathML, else its text, else its picture."""

from __future__ import annotations

import re

from prioris_mcp.adapters.parsers.jats.elements import href
from prioris_mcp.adapters.parsers.jats.walk import JatsInline, JatsWalk
from prioris_mcp.adapters.parsers.markdown.blocks import MarkdownBlock, paragraphs
from prioris_mcp.adapters.parsers.markdown.text import image, one_line_tex
from prioris_mcp.adapters.parsers.mathml.to_tex import tex_of_mathml
from prioris_mcp.adapters.parsers.xml.elements import Element, child, children, find, names, tag, text_of

_NO_WORDS = names("math tex-math alternatives label graphic inline-graphic")
_PICTURES = ("graphic", "inline-graphic", "media")
_TEX_DOCUMENT = re.compile(r"\\begin\s*\{document\}(.*?)(?:\\end\s*\{document\}|\Z)", re.DOTALL)
_TEX_SETUP = re.compile(
    r"\\(?:documentclass|usepackage|setlength|pagestyle|newcommand|DeclareMathOperator|DeclareFontFamily|oddsidemargin)"
    r"\*?\s*(?:\[[^\]]*\])?(?:\s*\{[^{}]*\}){0,2}(?:-?[\d.]+pt)?"
)
_TEX_LABEL = re.compile(r"\\label\s*\{[^{}]*\}")
_TEX_WRAPPERS = tuple(
    re.compile(pattern, re.DOTALL)
    for pattern in (
        r"\$\$(.*)\$\$",
        r"\$(.*)\$",
        r"\\{1,2}\((.*)\\{1,2}\)",
        r"\\{1,2}\[(.*)\\{1,2}\]",
        r"\\begin\s*\{(?:equation|displaymath|math)\*?\}(.*)\\end\s*\{(?:equation|displaymath|math)\*?\}",
    )
)
_TEX_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{(align|alignat|flalign|eqnarray|gather|multline)\*?\}")
_INNER_ENVIRONMENTS = {"eqnarray": "array", "gather": "gathered", "multline": "gathered"}


def formula_tex(node: Element) -> str:
    """Return the TeX of a ``math`` or ``tex-math`` element."""
    if tag(node) == "tex-math":
        return _formula_in("".join(node.itertext()))
    notes = find(node, "annotation")
    if source := next((note.text for note in notes if "tex" in (note.get("encoding") or "") and note.text), None):
        return _formula_in(source)
    return one_line_tex(tex_of_mathml(node))


def _formula_in(source: str) -> str:
    """Return the formula in a publisher's piece of TeX, on one line and without what wraps it."""
    tex = document[1] if (document := _TEX_DOCUMENT.search(source)) else _TEX_SETUP.sub("", source)
    # A comment would swallow the rest once all is on one line.
    tex = _TEX_LABEL.sub("", re.sub(r"(?<!\\)%[^\n]*", "", tex)).strip()
    before = None
    while before != tex:
        before, tex = tex, _unwrapped(tex)
    return one_line_tex(_TEX_ENVIRONMENT.sub(_inner_environment, tex))


def _unwrapped(tex: str) -> str:
    for wrapper in _TEX_WRAPPERS:
        if match := wrapper.fullmatch(tex):
            return match[1].strip()
    return tex


def _inner_environment(match: re.Match[str]) -> str:
    """Return an environment that stands on its own as one that stands inside a displayed formula."""
    name = _INNER_ENVIRONMENTS.get(match[2], "aligned")
    columns = "{rcl}" if name == "array" and match[1] == "begin" else ""
    return f"\\{match[1]}{{{name}}}{columns}"


def _formulas(node: Element) -> list[str]:
    """Return the formulas in an element: where there is TeX it is preferred to MathML throughout."""
    for name in ("tex-math", "math"):
        found = [tex for part in find(node, name) if (tex := formula_tex(part))]
        if found:
            return found
    return []


def inline_formula(inline: JatsInline, node: Element) -> str:
    """Write a formula in its sentence."""
    formulas = _formulas(node)
    words = "" if tag(node) in ("math", "tex-math") else inline.line(node, _NO_WORDS)
    if formulas and not words:
        return " ".join(f"${tex}$" for tex in formulas)
    return inline.children(node, names("label graphic")) if formulas or words else _picture(node, "formula")


def displayed(inline: JatsInline, node: Element) -> str:
    """Write a displayed formula, or a group of them, each with its number."""
    members = children(node, "disp-formula", "disp-formula-group")
    if tag(node) == "disp-formula-group" and members:
        number = _number(node)
        written = [displayed(inline, member) for member in members]
        if number and not any(f"\\tag{{{number}" in text for text in written):
            written.append(f"({number})")
        return "\n\n".join(filter(None, written))
    formulas, number = _formulas(node), _number(node)
    words = inline.line(node, _NO_WORDS)
    if formulas and not words:
        return "\n\n".join(f"$${tex}$$" for tex in [*formulas[:-1], _tagged(formulas[-1], number)])
    text = inline.children(node, names("label graphic")) if formulas or words else _picture(node, "equation")
    return f"{text} ({number})" if number else text


def displayed_in_text(inline: JatsInline, node: Element) -> str:
    """Write a displayed formula that stands within running text."""
    return f"\n\n{displayed(inline, node)}\n\n"


def formula_blocks(walk: JatsWalk, node: Element, _level: int) -> list[MarkdownBlock]:
    """Write a displayed formula as blocks."""
    return paragraphs([displayed(walk.inline, node)])


def _number(node: Element) -> str:
    label = text_of(child(node, "label"))
    return label.strip(" ()[].").translate(str.maketrans("", "", "{}$\\<>"))


def _tagged(tex: str, number: str) -> str:
    return f"{tex} \\tag{{{number}}}" if number and "\\tag" not in tex else tex


def _picture(node: Element, name: str) -> str:
    alternative = next((text_of(alt) for alt in find(node, "alt-text")), "")
    return next((image(alternative or name, href(picture)) for picture in find(node, *_PICTURES)), "")
