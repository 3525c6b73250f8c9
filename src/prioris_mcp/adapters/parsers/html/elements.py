"""Tell what the elements of a page are: what is chrome, what is a table, and what is laid out as a block."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from prioris_mcp.adapters.parsers.xml.elements import Element, local_name, names, tag

DROPPED_TAGS = names(
    "script style nav button noscript template dialog form input textarea select label svg head iframe object "
    "embed audio video canvas map"
)
DROPPED_CLASSES = names(
    "ltx_page_navbar ltx_page_footer ltx_page_header ltx_page_logo ltx_pagination ltx_TOC ltx_ERROR ltx_rdf "
    "ltx_WARNING ltx_INFO ltx_rule ltx_note_mark ltx_note_type ltx_tag_note ltx_listing_data ltx_role_newpage "
    "ltx_role_watermark ltx_contact_name ltx_contact_label ltx_bib_cited infobox sr-only is-sr-only keyboard-glossary "
    "package-alerts ds-announcement ds-site-footer arxiv-html-header mob_header html-header-nav header-button modal "
    "ar5iv-footer"
)
BLOCK_TAGS = names(
    "p div section article main header footer aside details summary address table thead tbody tfoot tr td th caption "
    "figure figcaption ul ol dl li dt dd menu dir blockquote pre h1 h2 h3 h4 h5 h6 hr center body html"
)
LISTED = names("ltx_itemize ltx_enumerate ltx_description ltx_item")
"""Lists and their entries, which are spans where they stand in a box."""
BLOCK_CLASSES = names("ltx_p ltx_para ltx_tabular ltx_listing ltx_equation ltx_equationgroup ltx_caption") | LISTED
SECTIONS = names(
    "ltx_part ltx_chapter ltx_section ltx_subsection ltx_subsubsection ltx_paragraph ltx_subparagraph ltx_appendix "
    "ltx_bibliography ltx_index ltx_glossary ltx_abstract ltx_acknowledgements"
)
HEADINGS = names("h1 h2 h3 h4 h5 h6")
_ROWS, _CELLS = names("ltx_tr ltx_eqn_row"), names("ltx_td ltx_th ltx_eqn_cell")
_NO_CLASSES: frozenset[str] = frozenset()


def classes(node: Element) -> frozenset[str]:
    """Return the classes of an element."""
    words = node.get("class")
    return _split(words) if words else _NO_CLASSES


@lru_cache(4096)
def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


def is_dropped(node: Element) -> bool:
    """Tell whether an element is no part of the document: chrome, scripts, marks that are written anew."""
    return _dropped(node.tag, node.get("class")) or node.get("hidden") is not None


@lru_cache(4096)
def _dropped(name: object, words: str | None) -> bool:
    # The answer of every element of one name and one list of classes: most of a page is made of a few dozen kinds.
    bare = local_name(name)
    return not bare or bare in DROPPED_TAGS or not DROPPED_CLASSES.isdisjoint((words or "").split())


def is_row(node: Element) -> bool:
    """Tell whether an element is a row of a table or of an equation."""
    return tag(node) == "tr" or not classes(node).isdisjoint(_ROWS)


def is_cell(node: Element) -> bool:
    """Tell whether an element is a cell of a table or of an equation."""
    return tag(node) in ("td", "th") or not classes(node).isdisjoint(_CELLS)


def is_tabular(node: Element) -> bool:
    """Tell whether an element is laid out as a table; LaTeXML also makes tables of spans."""
    return tag(node) == "table" or "ltx_tabular" in classes(node)


def with_class(node: Element, *names: str) -> Iterator[Element]:
    """Return the elements below *node* that have one of the classes, in document order."""
    wanted = set(names)
    return (below for below in node.iterdescendants() if not wanted.isdisjoint(classes(below)))


def is_blocky(node: Element) -> bool:
    """Tell whether an element by its own name or class starts a block."""
    return _blocky(node.tag, node.get("class"))


@lru_cache(4096)
def _blocky(name: object, words: str | None) -> bool:
    marks = frozenset((words or "").split())
    bare = local_name(name)
    return "ltx_note" not in marks and (bare in BLOCK_TAGS or not BLOCK_CLASSES.isdisjoint(marks))


def holders_of_blocks(root: Element) -> set[Element]:
    """Return the elements that are blocks or hold one: authors put paragraphs and tables inside ``font`` and ``b``."""
    found: set[Element] = set()
    for node in root.iter():
        if is_blocky(node) and not is_dropped(node):
            holder = node
            while holder is not None and holder not in found and "ltx_note" not in classes(holder):
                found.add(holder)
                holder = holder.getparent()
    return found
