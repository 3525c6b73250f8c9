"""What stands inside a paragraph: text, emphasis, scripts, formulas, links and the marks of footnotes."""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from typing import TYPE_CHECKING
from urllib.parse import unquote

from prioris_mcp.adapters.parsers.html.elements import names, plain, tag
from prioris_mcp.adapters.parsers.jats.citations import citation
from prioris_mcp.adapters.parsers.jats.elements import (
    BLOCKS,
    DROPPED,
    best_alternative,
    find,
    has_loose_text,
    href,
    text_of,
)
from prioris_mcp.adapters.parsers.jats.math import displayed, inline_formula
from prioris_mcp.adapters.parsers.jats.text import Running, escape, on_line, script
from prioris_mcp.adapters.parsers.markdown.text import code, emphasised, image, link

if TYPE_CHECKING:
    from prioris_mcp.adapters.parsers.html.elements import Element
    from prioris_mcp.adapters.parsers.jats.footnotes import Notes

_EMPHASIS = {"bold": "**", "b": "**", "strong": "**", "italic": "*", "i": "*", "em": "*"}
_STYLES = frozenset(_EMPHASIS) | names("sup sub sc underline monospace styled-content named-content x")
_ONLY_NOTES = re.compile(r"(?:\[\^\d+\][\s,]*)+")
_IDENTIFIERS = {"doi": "doi:", "pmid": "PMID:", "pmcid": "PMCID:", "pmc": "PMCID:", "arxiv": "arXiv:", "isbn": "ISBN "}
_SAYS_WHICH = re.compile(r"(?:doi|pmid|pmc|pmcid|pubmed|arxiv|isbn)[\s\]:.]*$|doi\.org/$", re.IGNORECASE)
_DOI_ADDRESS = re.compile(r"https?://(?:dx\.)?doi\.org/(?=.)", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,3}")
_TOUCHED = re.compile(r"[^\W_][.,;:]?$|[)\]”’\"%][.,;:]?$|[.,;:][”’\"]$")
_OPENS = re.compile(r"[\w)\].,;:*_>]$")


class Inline:
    """Writes inline Markdown; the notes it meets are kept by *notes*."""

    def __init__(self, notes: Notes) -> None:
        """Write without notes met so far."""
        self.notes = notes

    def children(self, node: Element, skip: Container[str] = (), gap: str = "") -> str:
        """The inline Markdown of everything inside *node* but the children named in *skip*, spaces as they come.

        Where nothing at all stands between two words that the source marks as two things, *gap* does.
        """
        running = Running(node.text)
        for child in node:
            if tag(child) not in skip:
                running.add(self.element(child), "" if _is_style(child) else gap)
            running.add_text(child.tail)
        return "".join(running.parts)

    def line(self, node: Element | None, skip: Container[str] = (), gap: str = "") -> str:
        """The inline Markdown of everything inside *node* on one line."""
        return on_line(self.children(node, skip, gap)) if node is not None else ""

    def element(self, node: Element) -> str:
        """The inline Markdown of one element."""
        name = tag(node)
        if not name or name in DROPPED:
            return ""
        if mark := _EMPHASIS.get(name):
            return emphasised(self.children(node), mark)
        if writer := _BY_TAG.get(name):
            return writer(self, node)
        text = self.children(node)
        return f" {text} " if name in BLOCKS else text


def _is_style(node: Element) -> bool:
    """Whether an element only changes how its text looks, or the one right before it does."""
    before = node.getprevious()
    return tag(node) in _STYLES or before is None or bool(before.tail) or tag(before) in _STYLES


def _script(inline: Inline, node: Element) -> str:
    """A superscript or subscript; one that cites is set in brackets, where no power can be read into it."""
    markup = inline.children(node)
    text = on_line(markup)
    before, after = markup[: len(markup) - len(markup.lstrip())], markup[len(markup.rstrip()) :]
    return f"{before}{_raised(node, text)}{after}" if text else markup


def _raised(node: Element, text: str) -> str:
    if _ONLY_NOTES.fullmatch(text):
        return text
    if tag(node) == "sup" and _is_citation(node):
        return f"[{text.strip('()[] ')}]"
    if not re.search(r"\w", text) and any(map(_cites, _neighbours(node))):
        return text
    return script(text, tag(node))


def _neighbours(node: Element) -> list[Element]:
    """The elements right before and after, with nothing between."""
    before, after = node.getprevious(), node.getnext()
    return [*([before] if before is not None and not before.tail else []),
            *([after] if after is not None and not node.tail else [])]  # fmt: skip


def _cites(node: Element) -> bool:
    return tag(node) == "xref" and node.get("ref-type") == "bibr"


def _is_citation(node: Element) -> bool:
    """Whether a superscript, or the reference it is set in, leads to the list of references and holds nothing else."""
    above = node.getparent()
    if _cites(above) and len(above) == 1:
        return plain(above) == plain(node)
    marks = list(find(node, "xref"))
    beside = "".join([node.text or "", *(child.tail or "" for child in node)])
    return bool(marks) and all(map(_cites, marks)) and not re.search(r"\w", beside)


def _code(inline: Inline, node: Element) -> str:
    return inline.children(node) if len(node) else code(plain(node))


def _break(_inline: Inline, _node: Element) -> str:
    return " "


def _reference(inline: Inline, node: Element) -> str:
    """A cross-reference: the mark of a footnote, or the text that it shows."""
    marks = "".join(inline.notes.mark_of(inline, name) for name in (node.get("rid") or "").split())
    text = marks or inline.children(node)
    if not _cites(node):
        return text
    return f"[{text}]" if not len(node) and _is_set_high(node) else text.replace("**", "")


def _is_set_high(node: Element) -> bool:
    """Whether a number without a superscript of its own touches the word before it, where every journal raises it."""
    if not _NUMBER.fullmatch(plain(node).strip()):
        return False
    return bool(_TOUCHED.search(_text_up_to(node)))


def _text_up_to(node: Element) -> str:
    """The text right before a mark, and before other marks and what stands between them."""
    before = node.getprevious()
    while before is not None and not before.tail and tag(before) in ("xref", "sup"):
        if re.search(r"[(\[]", plain(before)):
            return ""
        before = before.getprevious()
    return (node.getparent().text if before is None else before.tail) or ""


def _link(inline: Inline, node: Element) -> str:
    target = href(node)
    if (doi := _DOI_ADDRESS.match(target)) and unquote(target[doi.end() :]) in text_of(node):
        return inline.children(node)
    return link(inline.children(node) if text_of(node) else escape(target), target)


def _note(inline: Inline, node: Element) -> str:
    return inline.notes.mark(inline, node)


def _image(_inline: Inline, node: Element) -> str:
    return image(text_of(next(find(node, "alt-text"), None)), href(node))


def _display(inline: Inline, node: Element) -> str:
    return f"\n\n{displayed(inline, node)}\n\n"


def _alternatives(inline: Inline, node: Element) -> str:
    best = best_alternative(node)
    return inline.element(best) if best is not None else ""


def _name(inline: Inline, node: Element) -> str:
    """A name, its parts kept apart where the source leaves that to the reader's program."""
    if has_loose_text(node) or not len(node):
        return inline.children(node)
    return " ".join(filter(None, (inline.line(part) for part in node if tag(part) not in DROPPED)))


def _people(inline: Inline, node: Element) -> str:
    if has_loose_text(node):
        return inline.children(node)
    return ", ".join(filter(None, map(on_line, map(inline.element, node))))


def _identifier(inline: Inline, node: Element) -> str:
    """An identifier after what kind it is, unless the text before it has said so."""
    text, before = inline.line(node), _text_before(node)
    name = _IDENTIFIERS.get(node.get("pub-id-type") or "", "")
    if not text or _SAYS_WHICH.search(before) or text.lower().startswith(name.lower()):
        name = ""
    gap = " " if _OPENS.search(before) and name else ""
    return f"{gap}{name}{text}"


def _text_before(node: Element) -> str:
    before = node.getprevious()
    if before is None:
        return node.getparent().text or ""
    return before.tail or "".join(before.itertext()) or " "


_BY_TAG: dict[str, Callable[[Inline, Element], str]] = {
    "sup": _script,
    "sub": _script,
    "monospace": _code,
    "code": _code,
    "preformat": _code,
    "break": _break,
    "xref": _reference,
    "ext-link": _link,
    "uri": _link,
    "self-uri": _link,
    "inline-supplementary-material": _link,
    "related-article": _link,
    "fn": _note,
    "inline-graphic": _image,
    "graphic": _image,
    "inline-formula": inline_formula,
    "chem-struct": inline_formula,
    "math": inline_formula,
    "tex-math": inline_formula,
    "disp-formula": _display,
    "disp-formula-group": _display,
    "alternatives": _alternatives,
    "citation-alternatives": _alternatives,
    "name": _name,
    "string-name": _name,
    "person-group": _people,
    "pub-id": _identifier,
    "element-citation": citation,
    "mixed-citation": citation,
    "nlm-citation": citation,
    "citation": citation,
    "product": citation,
}
