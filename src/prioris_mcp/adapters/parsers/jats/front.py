"""What comes before the text: title, people, where it appeared, abstracts, keywords."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prioris_mcp.adapters.parsers.jats.contributors import Contributors
from prioris_mcp.adapters.parsers.jats.elements import href, language
from prioris_mcp.adapters.parsers.jats.text import escape, title_text, without_notes
from prioris_mcp.adapters.parsers.jats.walk import JatsWalk
from prioris_mcp.adapters.parsers.markdown.blocks import BlockKind, MarkdownBlock
from prioris_mcp.adapters.parsers.markdown.text import emphasised, link
from prioris_mcp.adapters.parsers.xml.elements import Element, child, children, find, names, tag, text_of

_DATES = ("ppub", "collection", "epub-ppub", "pub", "epub")
"""Which of several dates goes with the volume, most likely first."""
_IDENTIFIERS = {"doi": "doi:{}", "pmid": "PMID: {}", "pmc": "PMC{}", "pmcid": "PMC{}"}
_LANGUAGES = {"de": "German", "en": "English", "es": "Spanish", "fr": "French", "it": "Italian", "pt": "Portuguese"}


def front(walk: JatsWalk, part: Element, level: int, default: str = "") -> list[MarkdownBlock]:
    """Write all front matter of an article, or of the stub that stands for it in a sub-article."""
    meta = child(part, "article-meta")
    meta = part if meta is None else meta
    return [
        *_titles(walk, meta, level, default),
        *Contributors(walk.inline, meta).blocks(),
        *_imprint(part, meta),
        *_relations(walk, meta),
        *_abstracts(walk, meta, level + 1),
        *_keywords(walk, meta),
    ]


def _titles(walk: JatsWalk, meta: Element, level: int, default: str) -> list[MarkdownBlock]:
    """Write the title as a heading; what is said beside it, and in other languages, stands below."""
    group = child(meta, "title-group")
    holder = meta if group is None else group
    own = without_notes(title_text(_title_line(walk, child(holder, "article-title"))))
    found = [MarkdownBlock(f"{'#' * level} {own or default}", BlockKind.HEADING)] if own or default else []
    found += [
        MarkdownBlock(emphasised(text, "**"))
        for part in children(holder, "subtitle")
        if (text := _title_line(walk, part))
    ]
    for other in children(holder, "trans-title-group"):
        text = ": ".join(filter(None, (_title_line(walk, part) for part in other)))
        found.append(MarkdownBlock(f"**Title{_in(language(other) or _of_child(other))}:** {text}"))
    return [block for block in found if block.text]


def _title_line(walk: JatsWalk, node: Element | None) -> str:
    """Write a title without its footnotes, which stand among the notes of the authors, and the marks to them."""
    return without_notes(walk.inline.line(node, names("fn xref"))) if node is not None else ""


def _of_child(group: Element) -> str:
    return next((found for part in group if (found := language(part))), "")


def _in(code: str) -> str:
    """Say in which language, in brackets."""
    return f" ({_LANGUAGES.get(code.lower()[:2], code)})" if code else ""


def _imprint(part: Element, meta: Element) -> list[MarkdownBlock]:
    """Write one line that says where to find the article."""
    journal = next((text_of(node) for node in find(part, "journal-title", "abbrev-journal-title")), "")
    pages = "–".join(filter(None, dict.fromkeys(text_of(child(meta, name)) for name in ("fpage", "lpage"))))
    pages = pages or text_of(child(meta, "elocation-id"))
    issue = text_of(child(meta, "issue"))
    volume = text_of(child(meta, "volume")) + (f"({issue})" if issue else "")
    where = " ".join(filter(None, [f"*{escape(journal)}*" if journal else "", escape(_year(meta))]))
    place = ": ".join(filter(None, [escape(volume), escape(pages)]))
    line = ". ".join([*filter(None, ["; ".join(filter(None, [where, place]))]), *_identifiers(meta)])
    return [MarkdownBlock(line)] if line else []


def _year(meta: Element) -> str:
    dates = {date.get("pub-type") or date.get("date-type") or "": text_of(child(date, "year"))
             for date in reversed(children(meta, "pub-date"))}  # fmt: skip
    return next((dates[kind] for kind in _DATES if dates.get(kind)), next(iter(dates.values()), ""))


def _identifiers(meta: Element) -> Iterator[str]:
    seen: set[str] = set()
    for kind, form in _IDENTIFIERS.items():
        for node in children(meta, "article-id"):
            text = text_of(node)
            shown = form.format(text.removeprefix("PMC") if kind.startswith("pmc") else text)
            if node.get("pub-id-type") == kind and text and shown not in seen:
                seen.add(shown)
                yield escape(shown)


def _relations(walk: JatsWalk, meta: Element) -> list[MarkdownBlock]:
    """Write what other articles this one corrects, retracts, comments on; and works that it reviews."""
    found = []
    for node in children(meta, "related-article"):
        kind = re.sub(r"[-_]+", " ", node.get("related-article-type") or "related article").capitalize()
        target = href(node)
        prefix = "doi:" if node.get("ext-link-type") == "doi" and target.startswith("10.") else ""
        text = " ".join(filter(None, [walk.inline.line(node), link(prefix + escape(target), target)]))
        found.append(MarkdownBlock(f"**{kind}:** {text}".strip()))
    return [
        *found,
        *(MarkdownBlock(f"**Reviewed work:** {walk.inline.element(node)}") for node in children(meta, "product")),
    ]


def _abstracts(walk: JatsWalk, meta: Element, level: int) -> list[MarkdownBlock]:
    """Write the abstract, then the others, each under a heading that tells it from the first."""
    own, translated = children(meta, "abstract"), children(meta, "trans-abstract")
    own.sort(key=lambda node: bool(node.get("abstract-type")))
    found: list[MarkdownBlock] = []
    for node in [*own, *translated]:
        body = walk.blocks(node, level + 1, names("title label"))
        if body:
            found += [*walk.heading(node, level, _abstract_name(node)), *body]
    return found


def _abstract_name(node: Element) -> str:
    kind = (node.get("abstract-type") or "").replace("-", " ")
    if tag(node) == "trans-abstract":
        return f"Abstract{_in(language(node)) or ' (translation)'}"
    return f"Abstract ({kind})" if kind else "Abstract"


def _keywords(walk: JatsWalk, meta: Element) -> list[MarkdownBlock]:
    found = []
    for group in children(meta, "kwd-group"):
        words = [text for word in find(group, "kwd", "compound-kwd") if (text := walk.inline.line(word))]
        title = walk.title(group).rstrip(" .:") or f"Keywords{_in(language(group))}"
        if words:
            found.append(MarkdownBlock(f"**{title}:** {', '.join(words)}"))
    return found
