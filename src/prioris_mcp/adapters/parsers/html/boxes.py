"""Text that LaTeXML draws: framed prompts, theorems, listings and tables stand in pictures, as foreign objects."""

from __future__ import annotations

import re

from prioris_mcp.adapters.parsers.html.elements import BLOCK_CLASSES, classes
from prioris_mcp.adapters.parsers.xml.elements import Element, tag

_FEW_WORDS = 6
"""A drawing's labels have fewer, and no paragraphs, lists or tables in them."""


def open_boxes(page: Element) -> None:
    """Put what pictures say in sentences in their place; drawings with labels stay as they are."""
    from lxml import etree

    # Boxes lie within boxes: what is inside comes first.
    for picture in reversed(list(page.iter("svg"))):
        texts = [node for node in picture.iter() if _is_foreign(node)]
        parent = picture.getparent()
        if parent is None or not any(map(_is_textual, texts)):
            continue
        box = etree.Element("div", {"class": "ltx_box"})
        for text in texts:
            part = etree.SubElement(box, "div")
            part.text = text.text
            part.extend(text)
        box.tail = picture.tail
        parent.replace(picture, box)


def _is_foreign(node: Element) -> bool:
    return tag(node).lower() == "foreignobject"


def _is_textual(text: Element) -> bool:
    if any(not BLOCK_CLASSES.isdisjoint(classes(below)) for below in text.iterdescendants()):
        return True
    return len(re.findall(r"\w+", " ".join(text.itertext()))) >= _FEW_WORDS
