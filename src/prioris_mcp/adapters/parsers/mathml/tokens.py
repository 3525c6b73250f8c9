"""The leaves of MathML as TeX: letters, numbers, operators and words."""

from __future__ import annotations

import re

from prioris_mcp.adapters.parsers.mathml.symbols import FUNCTIONS, VARIANTS, signs
from prioris_mcp.adapters.parsers.xml.elements import Element

_IN_TEXT = re.compile(r"[#$%&_{}]")


def text_of(node: Element) -> str:
    """Return all text of an element."""
    return "".join(node.itertext()).strip()


def identifier(node: Element) -> str:
    """Write a letter, the name of a function, or a name of several letters."""
    name = text_of(node)
    variant = VARIANTS.get(node.get("mathvariant") or "", "")
    if name in FUNCTIONS:
        return f"\\{name}"
    is_word = len(name) > 1 and name.isascii() and name.replace(" ", "").isalnum()
    if variant == "mathrm" and not (name.isascii() and name.isalpha()):
        variant = ""
    if variant or is_word:
        return f"\\{variant or 'mathrm'}{{{signs(name)}}}"
    return signs(name)


def number(node: Element) -> str:
    """Write a number; a comma in it is no list."""
    variant = VARIANTS.get(node.get("mathvariant") or "", "mathrm")
    text = signs(text_of(node)).replace(",", "{,}")
    return text if variant == "mathrm" else f"\\{variant}{{{text}}}"


def operator(node: Element) -> str:
    """Write an operator, by its sign or its name."""
    text = text_of(node)
    if text in FUNCTIONS:
        return f"\\{text}"
    return f"\\operatorname{{{text}}}" if re.fullmatch("[A-Za-z]{2,}", text) else signs(text)


def words(node: Element) -> str:
    """Write words inside a formula."""
    text = re.sub(r"\s+", " ", "".join(node.itertext()).replace("\u00a0", " ")).replace("\\", "")
    if not text.strip():
        return "\\;" if text else ""
    if not re.search(r"[^\W\d_]", text):
        return signs(text.strip())
    return "\\text{" + _IN_TEXT.sub(lambda match: "\\" + match[0], text) + "}"
