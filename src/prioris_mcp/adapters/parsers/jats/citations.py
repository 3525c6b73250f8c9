"""One cited work on one line: as its source prints it, or put together from its parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from prioris_mcp.adapters.parsers.jats.text import escape, on_line, sentence_end
from prioris_mcp.adapters.parsers.jats.walk import JatsInline
from prioris_mcp.adapters.parsers.markdown.text import emphasised
from prioris_mcp.adapters.parsers.xml.elements import Element, child, children, find, names, tag, text_of

_PEOPLE = names("name string-name collab institution anonymous")
_AUTHORS = _PEOPLE | {"etal", "name-alternatives", "collab-alternatives"}
_TITLES = names("article-title chapter-title data-title part-title")
_IDENTIFIERS = names("pub-id")
_PLACES = names("volume issue fpage lpage page-range elocation-id")
_LATE = names("ext-link uri comment date-in-citation")


def citation(inline: JatsInline, node: Element) -> str:
    """Write a citation whose punctuation may be left to its reader."""
    return inline.line(node, gap=" ") if _is_punctuated(node) else " ".join(_parts(inline, node))


def _loose(node: Element) -> list[str]:
    """Return what stands between the parts of a citation."""
    return [text.strip() for text in [node.text, *(part.tail for part in node)] if text and text.strip()]


def _is_punctuated(node: Element) -> bool:
    """Tell whether a citation has its own punctuation: between most of its parts, or it is mostly plain text."""
    loose = _loose(node)
    return 2 * len(loose) >= len(node) or len(" ".join(loose)) > len(text_of(node)) // 2


def _parts(inline: JatsInline, node: Element) -> Iterator[str]:
    """Return the parts of a citation in the order in which they are usually printed; no part is left out."""
    left = [(tag(part), part) for part in node]
    for wanted, writer in _ORDER:
        parts = [part for name, part in left if name in wanted]
        left = [item for item in left if item[0] not in wanted]
        if parts and (text := writer(inline, parts)):
            yield text
    yield from (escape(text) for text in _loose(node) if re.search(r"\w", text))


def _authors(inline: JatsInline, parts: list[Element]) -> str:
    """Write the people of a citation: each group with what it did, where that is not writing."""
    groups = [_named_role(inline, part) for part in parts if tag(part) == "person-group"]
    loose = _people(inline, [part for part in parts if tag(part) in _AUTHORS])
    return sentence_end("; ".join(filter(None, [*groups, loose])))


def _named_role(inline: JatsInline, group: Element) -> str:
    role = {"editor": "eds.", "translator": "trans."}.get(group.get("person-group-type") or "", "")
    people = _people(inline, list(group))
    return f"{people} ({role})" if role and people else people


def _people(inline: JatsInline, people: list[Element]) -> str:
    shown = []
    for person in people:
        if tag(person) == "etal":
            shown.append("et al.")
        else:
            shown.append(on_line(inline.element(_one_form(person))).strip(" ,;"))
    return ", ".join(filter(None, shown))


def _one_form(person: Element) -> Element:
    forms = children(person, "name", "string-name", "collab")
    return forms[0] if tag(person).endswith("-alternatives") and forms else person


def _year(inline: JatsInline, parts: list[Element]) -> str:
    years = [text for part in parts if (text := inline.line(part).strip(" .,;()"))]
    return f"({', '.join(years)})." if years else ""


def _title(inline: JatsInline, parts: list[Element]) -> str:
    return " ".join(sentence_end(inline.line(part)) for part in parts)


def _source(inline: JatsInline, parts: list[Element]) -> str:
    shown = " ".join(emphasised(inline.line(part), "*") for part in parts)
    return shown if child(parts[0].getparent(), *_PLACES) is not None else sentence_end(shown)


def _place(inline: JatsInline, parts: list[Element]) -> str:
    """Write volume, issue and pages in their short form."""
    found = {tag(part): inline.line(part) for part in reversed(parts)}
    issue = found.get("issue", "")
    volume = found.get("volume", "") + (f"({issue})" if issue else "")
    pages = found.get("page-range") or "–".join(filter(None, [found.get("fpage"), found.get("lpage")]))
    return sentence_end(":".join(filter(None, [volume, pages or found.get("elocation-id", "")])))


def _others(inline: JatsInline, parts: list[Element]) -> str:
    return sentence_end(", ".join(text for part in parts if (text := on_line(inline.element(part)).strip(" ,;"))))


def _ends(inline: JatsInline, parts: list[Element]) -> str:
    return " ".join(text for part in parts if (text := on_line(inline.element(part))))


class _Rest(frozenset[str]):
    """Every name that no other row takes."""

    def __contains__(self, name: object) -> bool:
        return bool(name) and name not in _LATE | _IDENTIFIERS | {"label"}


_ORDER: tuple[tuple[frozenset[str], Callable[[JatsInline, list[Element]], str]], ...] = (
    (_AUTHORS | {"person-group"}, _authors),
    (names("year"), _year),
    (_TITLES, _title),
    (names("trans-title"), _title),
    (names("source"), _source),
    (_PLACES, _place),
    (_Rest(), _others),
    (_LATE, _ends),
    (_IDENTIFIERS, _ends),
)
"""Names of parts, and who writes them; in the order of printing."""


def one_form_each(reference: Element) -> list[Element]:
    """Return the citations of a reference; of two forms of the same, the one meant for printing."""
    kinds = ("mixed-citation", "element-citation", "nlm-citation", "citation")
    found = [node for node in find(reference, *kinds) if not _within(node, kinds, reference)]
    printed = [node for node in found if tag(node) == "mixed-citation" and text_of(node)]
    return printed if printed and len({tag(node) for node in found}) > 1 else found


def _within(node: Element, kinds: tuple[str, ...], reference: Element) -> bool:
    above = node.getparent()
    while above is not None and above is not reference:
        if tag(above) in kinds:
            return True
        above = above.getparent()
    return False


def identifiers_beside(inline: JatsInline, reference: Element, shown: str) -> str:
    """Return the DOI and PMID of a reference that its printed form leaves out."""
    late = [
        node for node in find(reference, "pub-id") if text_of(node) and text_of(node) not in shown.replace("\\", "")
    ]
    texts = dict.fromkeys(on_line(inline.element(node)) for node in late)
    return " ".join(texts)


def label_of(inline: JatsInline, reference: Element) -> str:
    """Return the label of a reference without its brackets."""
    return inline.line(child(reference, "label")).strip("[]().^ ")
