"""Tell what the elements of a JATS article are: what is dropped, what is laid out as a block, where one points."""

from __future__ import annotations

from prioris_mcp.adapters.parsers.xml.elements import HREFS, Element, names, tag, text_of

_LANG = "{http://www.w3.org/XML/1998/namespace}lang"

DROPPED = names(
    "object-id permissions alt-text long-desc private-char sec-meta index-term index-term-range-end contrib-id "
    "institution-id processing-meta hr colgroup col issue-id volume-id"
)
BLOCKS = names(
    "p sec title label caption fig fig-group table-wrap table-wrap-group table-wrap-foot table array list list-item "
    "def-list def-item disp-quote boxed-text disp-formula disp-formula-group preformat supplementary-material media "
    "graphic verse-group verse-line statement speech attrib chem-struct-wrap chem-struct-wrapper ref-list ref fn-group "
    "app-group app ack glossary notes bio question answer explanation question-wrap td th def term body back "
    "floats-group sig-block row entry"
)
"""Elements that are laid out apart from the running text."""
OPAQUE = names("abbrev fn inline-formula disp-formula disp-formula-group xref ext-link table-wrap table array ref aff")
"""Elements that are one thing to the text around them, whatever they hold."""


def href(node: Element) -> str:
    """Return where an element points; PLOS writes DOIs in a scheme that nothing opens."""
    target = next((value for name in HREFS if (value := node.get(name))), "").strip()
    return f"https://doi.org/{target[9:]}" if target.startswith("info:doi/") else target


def language(node: Element) -> str:
    """Return the language an element declares for itself."""
    return (node.get(_LANG) or "").strip()


def blocky(root: Element) -> set[Element]:
    """Return the elements that are laid out as blocks or hold one, what is inside opaque elements aside."""
    found: set[Element] = set()
    for node in root.iter():
        holder = node if tag(node) in BLOCKS or _is_listing(node) else None
        while holder is not None and holder not in found:
            found.add(holder)
            above = holder.getparent()
            holder = above if above is not None and tag(above) not in OPAQUE else None
    return found


def _is_listing(node: Element) -> bool:
    """Tell whether code is set apart: it stands outside paragraphs or has several lines."""
    return tag(node) == "code" and (tag(node.getparent()) != "p" or "\n" in "".join(node.itertext()).strip())


_PREFERRED = (
    names("tex-math"),
    names("math"),
    names("table array textual-form"),
    names("media graphic inline-graphic inline-media"),
)


def best_alternative(node: Element) -> Element | None:
    """Return the one of several forms of the same thing that says most as text."""
    filled = [form for form in node if tag(form) and (len(form) or text_of(form) or href(form))]
    for wanted in _PREFERRED:
        for form in filled:
            if tag(form) in wanted:
                return form
    return filled[0] if filled else None
