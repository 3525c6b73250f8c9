"""Write what stands inside a paragraph: scripts, links, pictures, names and the marks of footnotes."""

from __future__ import annotations

import re
from urllib.parse import unquote

from prioris_mcp.adapters.parsers.jats.elements import DROPPED, best_alternative, href
from prioris_mcp.adapters.parsers.jats.text import escape, on_line, script
from prioris_mcp.adapters.parsers.jats.walk import JatsInline
from prioris_mcp.adapters.parsers.markdown.text import code, image, link
from prioris_mcp.adapters.parsers.xml.elements import (
    Element,
    children,
    find,
    has_loose_text,
    names,
    plain,
    tag,
    text_of,
)

_ONLY_NOTES = re.compile(r"(?:\[\^\d+\][\s,]*)+")
_IDENTIFIERS = {"doi": "doi:", "pmid": "PMID:", "pmcid": "PMCID:", "pmc": "PMCID:", "arxiv": "arXiv:", "isbn": "ISBN "}
_SAYS_WHICH = re.compile(r"(?:doi|pmid|pmc|pmcid|pubmed|arxiv|isbn)[\s\]:.]*$|doi\.org/$", re.IGNORECASE)
_DOI_ADDRESS = re.compile(r"https?://(?:dx\.)?doi\.org/(?=.)", re.IGNORECASE)
_MEANING, _READING = names("def"), names("rt rtc rp")
_NUMBER = re.compile(r"\d{1,3}")
_TOUCHED = re.compile(r"[^\W_][.,;:]?$|[)\]”’\"%][.,;:]?$|[.,;:][”’\"]$")
_OPENS = re.compile(r"[\w)\].,;:*_>]$")


def superscript_or_subscript(inline: JatsInline, node: Element) -> str:
    """Write a superscript or subscript; one that cites is set in brackets, where no power can be read into it."""
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
    """Return the elements right before and after, with nothing between."""
    before, after = node.getprevious(), node.getnext()
    return [*([before] if before is not None and not before.tail else []),
            *([after] if after is not None and not node.tail else [])]  # fmt: skip


def _cites(node: Element) -> bool:
    return tag(node) == "xref" and node.get("ref-type") == "bibr"


def _is_citation(node: Element) -> bool:
    """Tell whether a superscript, or the reference it is set in, leads to the references and holds nothing else."""
    above = node.getparent()
    if _cites(above) and len(above) == 1:
        return plain(above) == plain(node)
    marks = list(find(node, "xref"))
    beside = "".join([node.text or "", *(child.tail or "" for child in node)])
    return bool(marks) and all(map(_cites, marks)) and not re.search(r"\w", beside)


def code_span(inline: JatsInline, node: Element) -> str:
    """Write program text; where elements stand in it, it is written as they are."""
    return inline.children(node) if len(node) else code(plain(node))


def line_break(_inline: JatsInline, _node: Element) -> str:
    """Write a line break as a space."""
    return " "


def cross_reference(inline: JatsInline, node: Element) -> str:
    """Write a cross-reference: the mark of a footnote, or the text that it shows."""
    targets = (node.get("rid") or "").split()
    marks = "".join(inline.footnotes.mark_of(inline, name) for name in targets)
    text = marks or inline.children(node)
    if not text.strip():
        text = ", ".join(escape(inline.labels[name]) for name in targets if name in inline.labels)
    if not _cites(node):
        return text
    return f"[{text}]" if not len(node) and _is_set_high(node) else text.replace("**", "")


def _is_set_high(node: Element) -> bool:
    """Tell whether a number without a superscript of its own touches the word before it: journals raise it."""
    if not _NUMBER.fullmatch(plain(node).strip()):
        return False
    return bool(_TOUCHED.search(_text_up_to(node)))


def _text_up_to(node: Element) -> str:
    """Return the text right before a mark, and before other marks and what stands between them."""
    before = node.getprevious()
    while before is not None and not before.tail and tag(before) in ("xref", "sup"):
        if re.search(r"[(\[]", plain(before)):
            return ""
        before = before.getprevious()
    return (node.getparent().text if before is None else before.tail) or ""


def abbreviation(inline: JatsInline, node: Element) -> str:
    """Write an abbreviation, and what it stands for in brackets."""
    meant = ", ".join(filter(None, (inline.line(part) for part in children(node, "def"))))
    short = inline.children(node, _MEANING)
    return f"{short.rstrip()} ({meant})" if meant else short


def ruby(inline: JatsInline, node: Element) -> str:
    """Write signs, and how they are read in brackets."""
    reading = ", ".join(filter(None, (inline.line(part) for part in find(node, "rt"))))
    signs = inline.children(node, _READING)
    return f"{signs.rstrip()} ({reading})" if reading else signs


def apart(inline: JatsInline, node: Element) -> str:
    """Write what nothing but markup parts from its neighbours."""
    return f" {inline.children(node)} "


def external_link(inline: JatsInline, node: Element) -> str:
    """Write a link; where the text shows the DOI that it leads to, the text alone."""
    target = href(node)
    if (doi := _DOI_ADDRESS.match(target)) and unquote(target[doi.end() :]) in text_of(node):
        return inline.children(node)
    return link(inline.children(node) if text_of(node) else escape(target), target)


def footnote(inline: JatsInline, node: Element) -> str:
    """Write the mark of a footnote that stands in the text itself."""
    return inline.footnotes.mark(inline, node)


def picture(_inline: JatsInline, node: Element) -> str:
    """Write a picture inside a line."""
    return image(text_of(next(find(node, "alt-text"), None)), href(node))


def alternatives(inline: JatsInline, node: Element) -> str:
    """Write the one form, of several, that says most."""
    best = best_alternative(node)
    return inline.element(best) if best is not None else ""


def person_name(inline: JatsInline, node: Element) -> str:
    """Write a name, its parts kept apart where the source leaves that to the reader's program."""
    if has_loose_text(node) or not len(node):
        return inline.children(node)
    return " ".join(filter(None, (inline.line(part) for part in node if tag(part) not in DROPPED)))


def person_group(inline: JatsInline, node: Element) -> str:
    """Write people one after the other."""
    if has_loose_text(node):
        return inline.children(node)
    return ", ".join(filter(None, map(on_line, map(inline.element, node))))


def identifier(inline: JatsInline, node: Element) -> str:
    """Write an identifier after what kind it is, unless the text before it has said so."""
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
