"""MathML to TeX: one small writer for each element, the signs looked up in tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from prioris_mcp.adapters.parsers.mathml import tokens
from prioris_mcp.adapters.parsers.mathml.symbols import LIMITED, OVER, UNDER, VARIANTS, signs, together
from prioris_mcp.adapters.parsers.mathml.tokens import text_of
from prioris_mcp.adapters.parsers.xml.elements import Element, tag

_SIMPLE = re.compile(r"[^\\]|\\[A-Za-z]+|\\.|\\[a-z]+\{[^{}]*\}|.*[)\]]", re.DOTALL)
"""TeX that takes a script without braces around it."""
_TALL = ("\\frac", "\\begin{", "\\binom", "\\sum", "\\prod", "\\int", "\\overset", "\\underset")
_FENCES = {"(": ")", "[": "]", "{": "}", "|": "|", "‖": "‖", "⟨": "⟩", "⌊": "⌋", "⌈": "⌉"}
_RELATION_COLUMN = re.compile(r" & (=|<|>|\\[a-z]+|:=) & ")
_MATRICES = {("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("|", "|"): "vmatrix", ("{", ""): "cases"}
_GROUPS = frozenset({"mrow", "mstyle", "mpadded", "semantics"})


def tex_of_markup(markup: str) -> str:
    """Return the TeX of one ``math`` element given as text."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True)
    return tex_of_mathml(etree.fromstring(markup.encode(), parser))


def tex_of_mathml(node: Element) -> str:
    """Return the TeX of a MathML element; elements without a writer give what is inside them."""
    return _WRITERS.get(tag(node), _row)(node).strip()


def _each(nodes: Sequence[Element]) -> list[str]:
    return [tex_of_mathml(node) for node in nodes]


def _children(node: Element) -> list[Element]:
    return [child for child in node if tag(child) and not tag(child).startswith("annotation")]


def _row(node: Element) -> str:
    """Write elements side by side; fences around something tall grow with it."""
    children = _children(node)
    if not children:
        return signs(text_of(node))
    if (fenced := _fenced_row(children)) is not None:
        return fenced
    return together(_pieces(children))


def _pieces(children: list[Element]) -> Iterator[str]:
    """Return the pieces of a row, a brace before a table read as a distinction of cases."""
    at = 0
    while at < len(children):
        after = children[at + 1 : at + 2]
        if after and _is_sign(children[at], "{") and (table := _table_in(after[0])) is not None:
            yield _grid(table, "cases")
            at += 1
        else:
            yield tex_of_mathml(children[at])
        at += 1


def _is_sign(node: Element, sign: str) -> bool:
    return tag(node) == "mo" and text_of(node) == sign


def _fenced_row(children: list[Element]) -> str | None:
    """Write a row within a pair of fences: a matrix, a binomial, or anything else that is tall."""
    if len(children) < 3 or tag(children[0]) != "mo" or tag(children[-1]) != "mo":
        return None
    opening, closing = text_of(children[0]), text_of(children[-1])
    return _fenced(opening, closing, children[1:-1]) if _FENCES.get(opening) == closing else None


def _fenced(opening: str, closing: str, inner: list[Element]) -> str:
    if len(inner) == 1 and (opening, closing) in _MATRICES and (table := _table_in(inner[0])) is not None:
        return _grid(table, _MATRICES[opening, closing])
    if len(inner) == 1 and (opening, closing) == ("(", ")") and _is_stack(inner[0]):
        return "\\binom{{{}}}{{{}}}".format(*_each(_children(inner[0])))
    return _between(opening, closing, together(_pieces(inner)))


def _between(opening: str, closing: str, body: str) -> str:
    left, right = signs(opening), signs(closing)
    if any(mark in body for mark in _TALL):
        left, right = f"\\left{left or '.'}", f"\\right{right or '.'}"
    return together([left, body, right])


def _is_stack(node: Element) -> bool:
    return tag(node) == "mfrac" and (node.get("linethickness") or "")[:1] == "0" and len(_children(node)) == 2


def _table_in(node: Element) -> Element | None:
    """Return the table that an element is, or is wrapped around."""
    while tag(node) in _GROUPS and len(_children(node)) == 1:
        node = _children(node)[0]
    return node if tag(node) == "mtable" else None


def _grid(table: Element, environment: str) -> str:
    rows = " \\\\ ".join(" & ".join(_each(_cells(row))) for row in _children(table))
    return f"\\begin{{{environment}}}{rows}\\end{{{environment}}}"


def _cells(row: Element) -> list[Element]:
    """Return the cells of a row; a label stands first in MathML and last on paper."""
    cells = _children(row)
    return [*cells[1:], cells[0]] if tag(row) == "mlabeledtr" and cells else cells


def _table(node: Element) -> str:
    if not _is_whole(node):
        return _grid(node, "matrix")
    rows = _children(node)
    if len(rows) == 1 and len(_cells(rows[0])) == 1:
        return tex_of_mathml(_cells(rows[0])[0])
    # A column for the sign of relation is what "&" before it means in TeX.
    return _RELATION_COLUMN.sub(r" & \1 ", _grid(node, "aligned"))


def _is_whole(node: Element) -> bool:
    """Tell whether a table is all of its formula: equations below each other."""
    above = next((up for up in node.iterancestors() if tag(up) not in _GROUPS), None)
    return above is not None and tag(above) == "math" and _table_in(above[0]) is node and len(_children(above)) == 1


def _style(node: Element) -> str:
    body = _row(node)
    variant = VARIANTS.get(node.get("mathvariant") or "", "mathrm")
    return body if variant == "mathrm" or not body else f"\\{variant}{{{body}}}"


def _fraction(node: Element) -> str:
    if _is_stack(node):
        return "{{{} \\atop {}}}".format(*_each(_children(node)))
    return "\\frac" + "".join(f"{{{part}}}" for part in _each(_children(node)))


def _square_root(node: Element) -> str:
    return f"\\sqrt{{{_row(node)}}}"


def _root(node: Element) -> str:
    body, *degree = [*_each(_children(node)), ""]
    return f"\\sqrt[{degree[0]}]{{{body}}}" if degree[0] else f"\\sqrt{{{body}}}"


def _scripts(*marks: str) -> Callable[[Element], str]:
    """Return the writer of an element whose children are a base and a script for each mark."""

    def write(node: Element) -> str:
        base, *scripts = [*_each(_children(node)), ""][: len(marks) + 1]
        return _base(base) + _marked(marks, scripts)

    return write


def _marked(marks: Sequence[str], scripts: Sequence[str]) -> str:
    return "".join(f"{mark}{{{script}}}" for mark, script in zip(marks, scripts, strict=False) if script)


def _base(tex: str) -> str:
    return tex if _SIMPLE.fullmatch(tex) else f"{{{tex}}}"


def _limits(*sides: str) -> Callable[[Element], str]:
    """Return the writer of an element whose children are a base and what stands on each side of it, under or over."""

    def write(node: Element) -> str:
        children = _children(node)
        if not children:
            return ""
        scripts = dict(zip(sides, children[1:], strict=False))
        if text_of(children[0]) in LIMITED or "\\lim" in (base := tex_of_mathml(children[0])):
            marks = ["_" if side == "under" else "^" for side in scripts]
            return tex_of_mathml(children[0]) + _marked(marks, _each(children[1:]))
        for side, script in scripts.items():
            base = _SIDES[side](base, script)
        return base

    return write


def _over(base: str, script: Element) -> str:
    sign, above = text_of(script), tex_of_mathml(script)
    if base in ("\\rightarrow", "\\leftarrow"):
        return f"\\x{base[1:]}{{{above}}}"
    if sign in OVER:
        is_wide = script.get("stretchy") == "true" or (script.get("stretchy") is None and not _SIMPLE.fullmatch(base))
        return f"\\{OVER[sign][is_wide]}{{{base}}}"
    if base.startswith("\\overbrace"):
        return f"{base}^{{{above}}}"
    return f"\\overset{{{above}}}{{{base}}}" if above else base


def _under(base: str, script: Element) -> str:
    sign, below = text_of(script), tex_of_mathml(script)
    if sign in UNDER:
        return f"\\{UNDER[sign]}{{{base}}}"
    if base.startswith("\\underbrace"):
        return f"{base}_{{{below}}}"
    return f"\\underset{{{below}}}{{{base}}}" if below else base


_SIDES = {"over": _over, "under": _under}


def _multiscripts(node: Element) -> str:
    children = _children(node)
    names = list(map(tag, children))
    cut = names.index("mprescripts") if "mprescripts" in names else len(children)
    base, *after = [*_each(children[:cut]), ""]
    before = _each(children[cut + 1 :])
    lead = "{}" + _pairs(before) if any(before) else ""
    return lead + _base(base) + _pairs(after)


def _pairs(scripts: list[str]) -> str:
    pairs = (_marked("_^", scripts[at : at + 2]) for at in range(0, len(scripts), 2))
    return "{}".join(filter(None, pairs))


def _delimited(node: Element) -> str:
    """Write fences the older way: their signs are attributes."""
    opening, closing = node.get("open", "(").strip(), node.get("close", ")").strip()
    inner = _children(node)
    if len(inner) == 1:
        return _fenced(opening, closing, inner)
    separators = "".join(node.get("separators", ",").split())
    parts: list[str] = []
    for index, tex in enumerate(_each(inner)):
        if index and separators:
            parts.append(signs(separators[min(index, len(separators)) - 1]))
        parts.append(tex)
    return _between(opening, closing, together(parts))


def _semantics(node: Element) -> str:
    children = _children(node)
    return tex_of_mathml(children[0]) if children else ""


def _space(node: Element) -> str:
    width = re.fullmatch(r"([\d.]+)em", node.get("width") or "")
    return "\\quad" if width and width[1].count(".") < 2 and float(width[1].strip(".") or 0) >= 1 else ""


def _nothing(_node: Element) -> str:
    return ""


_WRITERS: dict[str, Callable[[Element], str]] = {
    "mi": tokens.identifier,
    "mn": tokens.number,
    "mo": tokens.operator,
    "mtext": tokens.words,
    "ms": tokens.words,
    "mstyle": _style,
    "mfrac": _fraction,
    "msqrt": _square_root,
    "mroot": _root,
    "msub": _scripts("_"),
    "msup": _scripts("^"),
    "msubsup": _scripts("_", "^"),
    "munder": _limits("under"),
    "mover": _limits("over"),
    "munderover": _limits("under", "over"),
    "mmultiscripts": _multiscripts,
    "mfenced": _delimited,
    "mtable": _table,
    "semantics": _semantics,
    "maction": _semantics,
    "mspace": _space,
    "mphantom": _nothing,
    "none": _nothing,
}
