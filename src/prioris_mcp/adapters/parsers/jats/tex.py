"""The TeX that publishers put into ``tex-math``, cut down to the formula."""

from __future__ import annotations

import re

from prioris_mcp.adapters.parsers.html.math import on_one_line

_DOCUMENT = re.compile(r"\\begin\s*\{document\}(.*?)(?:\\end\s*\{document\}|\Z)", re.DOTALL)
_SETUP = re.compile(
    r"\\(?:documentclass|usepackage|setlength|pagestyle|newcommand|DeclareMathOperator|DeclareFontFamily|oddsidemargin)"
    r"\*?\s*(?:\[[^\]]*\])?(?:\s*\{[^{}]*\}){0,2}(?:-?[\d.]+pt)?"
)
_LABEL = re.compile(r"\\label\s*\{[^{}]*\}")
_WRAPPERS = tuple(
    re.compile(pattern, re.DOTALL)
    for pattern in (
        r"\$\$(.*)\$\$",
        r"\$(.*)\$",
        r"\\{1,2}\((.*)\\{1,2}\)",
        r"\\{1,2}\[(.*)\\{1,2}\]",
        r"\\begin\s*\{(?:equation|displaymath|math)\*?\}(.*)\\end\s*\{(?:equation|displaymath|math)\*?\}",
    )
)
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{(align|alignat|flalign|eqnarray|gather|multline)\*?\}")
_INNER = {"eqnarray": "array", "gather": "gathered", "multline": "gathered"}


def formula(source: str) -> str:
    """The formula in a piece of TeX, on one line and without what wraps it."""
    tex = document[1] if (document := _DOCUMENT.search(source)) else _SETUP.sub("", source)
    # A comment would swallow the rest once all is on one line.
    tex = _LABEL.sub("", re.sub(r"(?<!\\)%[^\n]*", "", tex)).strip()
    before = None
    while before != tex:
        before, tex = tex, _unwrapped(tex)
    return on_one_line(_ENVIRONMENT.sub(_displayed, tex))


def _unwrapped(tex: str) -> str:
    for wrapper in _WRAPPERS:
        if match := wrapper.fullmatch(tex):
            return match[1].strip()
    return tex


def _displayed(match: re.Match[str]) -> str:
    """Environments that stand on their own in a document, as those that stand inside a displayed formula."""
    name = _INNER.get(match[2], "aligned")
    columns = "{rcl}" if name == "array" and match[1] == "begin" else ""
    return f"\\{match[1]}{{{name}}}{columns}"
