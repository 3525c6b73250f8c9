"""JATS and NLM XML to Markdown by one walk over the tree; runs in the worker process.

Superscripts and subscripts are written as ``10^7^`` and ``CO~2~``; where these marks cannot stand (around spaces, or
side by side) as ``<sup>`` and ``<sub>``. Literal carets and closing tildes are escaped. Superscripts that cite, and
numbers that cite right after a word, are set in brackets, ``[1,2]``, as the list of references is. Formulas are ``$…$``
and ``$$…$$``, footnotes ``[^1]``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from prioris_mcp.adapters.parsers.jats.elements import language
from prioris_mcp.adapters.parsers.jats.footnotes import author_notes
from prioris_mcp.adapters.parsers.jats.front import front
from prioris_mcp.adapters.parsers.jats.load import load
from prioris_mcp.adapters.parsers.jats.walk import JatsWalk
from prioris_mcp.adapters.parsers.jats.writers import BLOCK_WRITERS, INLINE_WRITERS
from prioris_mcp.adapters.parsers.markdown.blocks import BlockKind, MarkdownBlock, joined
from prioris_mcp.adapters.parsers.markdown.interpreter import deep_recursion, gc_paused
from prioris_mcp.adapters.parsers.xml.asset_urls import resolve_in_jats
from prioris_mcp.adapters.parsers.xml.elements import Element, child, children, find, tag, text_of
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.errors import ParseError

_KINDS = {
    "decision-letter": "Decision letter",
    "editor-report": "Editor's evaluation",
    "reply": "Author response",
    "response": "Response",
    "referee-report": "Reviewer report",
    "reviewer-report": "Reviewer report",
    "translation": "Translation",
}
_DATA = "data availability"
_DEEPEST = 3
"""Level of the title of an article inside an article, however deep it is nested."""


def parse(content: bytes, options: Mapping[str, object], progress: Callable[[int, int], None]) -> Markdown:
    """Return the Markdown of a JATS document, one leaf; raises ParseError for what is none or says nothing.

    Option: ``files_at``, the address below which the pictures and files are that it names.
    """
    article = load(content)
    resolve_in_jats(article, str(options.get("files_at") or ""))
    with gc_paused(), deep_recursion():
        text = _written(article)
    if not re.search(r"\w", text):
        raise ParseError("the JATS article holds no text")
    progress(1, 1)
    return Markdown.whole(text + "\n")


def _written(article: Element) -> str:
    """Return the Markdown of an article, the definitions of its footnotes last."""
    walk = JatsWalk(article, BLOCK_WRITERS, INLINE_WRITERS)
    parts = [joined(_blocks(walk, article, 1)), walk.inline.footnotes.definitions()]
    return "\n\n".join(filter(None, parts))


def _blocks(walk: JatsWalk, article: Element, level: int) -> list[MarkdownBlock]:
    found: list[MarkdownBlock] = []
    for part in children(article, "front", "front-stub"):
        found += front(walk, part, level, _default_title(article))
    for part in children(article, "body"):
        text = walk.blocks(part, level + 1)
        found += [MarkdownBlock("---"), *text] if _runs_on(found, text) else text
    found += _back(walk, article, level + 1)
    for part in children(article, "sub-article", "response"):
        found += _blocks(walk, part, min(level + 1, _DEEPEST))
    return found


def _runs_on(before: list[MarkdownBlock], text: list[MarkdownBlock]) -> bool:
    """Tell whether a text would seem to go on with the abstract before it, both having only that heading."""
    return (
        bool(text)
        and text[0].kind is not BlockKind.HEADING
        and any(block.kind is BlockKind.HEADING for block in before[1:])
    )


def _default_title(article: Element) -> str:
    if tag(article) == "article":
        return ""
    kind = article.get("article-type") or article.get("response-type") or tag(article)
    name = _KINDS.get(kind, kind.replace("-", " ").capitalize())
    return f"{name} ({language(article)})" if kind == "translation" and language(article) else name


def _back(walk: JatsWalk, article: Element, level: int) -> list[MarkdownBlock]:
    """Write what follows the text; the references come after all that belongs to the article itself."""
    parts = [part for back in children(article, "back") for part in back if tag(part)]
    at = next((number for number, part in enumerate(parts) if tag(part) == "ref-list"), len(parts))
    found = [block for part in parts[:at] for block in walk.block(part, level)]
    # The notes of the authors may mark floats, and the text before them may have placed some.
    found += [*walk.floats_left(article), *_additions(walk, article, level)]
    return [*found, *(block for part in parts[at:] for block in walk.block(part, level))]


def _additions(walk: JatsWalk, article: Element, level: int) -> list[MarkdownBlock]:
    """Write what the front matter says that readers look for at the end."""
    meta = next(find(article, "article-meta", "front-stub"), None)
    if meta is None or _owner(meta) is not article:
        return []
    found = [block for part in _notes_of_front(meta) for block in walk.block(part, level)]
    found += _under("Author notes", author_notes(walk, meta), level)
    found += _under("Funding", _funding(walk, article, meta), level)
    return found + _under("Data availability", _data(walk, article, meta), level)


def _notes_of_front(meta: Element) -> list[Element]:
    return children(meta if tag(meta) == "front-stub" else meta.getparent(), "notes")


def _owner(meta: Element) -> Element:
    above = meta.getparent()
    return above if tag(meta) == "front-stub" else above.getparent()


def _under(title: str, blocks: list[MarkdownBlock], level: int) -> list[MarkdownBlock]:
    return [MarkdownBlock(f"{'#' * level} {title}", BlockKind.HEADING), *blocks] if blocks else []


def _funding(walk: JatsWalk, article: Element, meta: Element) -> list[MarkdownBlock]:
    """Write the statement of who paid, else the list of grants; nothing where the article itself says the same."""
    said = " ".join(map(text_of, [*children(article, "body", "back"), *children(meta, "author-notes")]))
    inline = walk.inline
    found: list[MarkdownBlock] = []
    for group in children(meta, "funding-group"):
        statements = [MarkdownBlock(text) for part in find(group, "funding-statement") if (text := inline.line(part))]
        if any(text_of(part) in said for part in find(group, "funding-statement") if text_of(part)):
            continue
        found += statements or [
            MarkdownBlock(text, BlockKind.ITEM) for part in find(group, "award-group") if (text := _award(walk, part))
        ]
    return found


def _award(walk: JatsWalk, award: Element) -> str:
    sources = [text for part in find(award, "funding-source") if (text := walk.inline.line(part))]
    numbers = [text for part in find(award, "award-id") if (text := walk.inline.line(part))]
    text = ", ".join(dict.fromkeys(sources)) + (f" ({', '.join(numbers)})" if numbers else "")
    return f"- {text.strip()}" if text else ""


def _data(walk: JatsWalk, article: Element, meta: Element) -> list[MarkdownBlock]:
    """Write where the data are, unless a section of the article says so."""
    if any(_DATA in text_of(child(part, "title")).lower() for part in find(article, "sec", "notes")):
        return []
    entries = (part for part in find(meta, "custom-meta") if _DATA in text_of(child(part, "meta-name")).lower())
    return [MarkdownBlock(text) for part in entries if (text := walk.inline.line(child(part, "meta-value")))]
