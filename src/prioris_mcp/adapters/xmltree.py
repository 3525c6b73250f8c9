"""XML from strangers, read without entities, network or document types. Loaded when the first document comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


class NotXmlError(ValueError):
    """The bytes are no well-formed XML; the text says where they go wrong."""


def parse(body: bytes) -> Element:
    """The root element of *body*; NotXmlError where there is none."""
    from lxml import etree  # noqa: PLC0415 - the start of the server does not pay for it

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(body, parser)
    except etree.XMLSyntaxError as exc:
        raise NotXmlError(str(exc)) from None
    return root


def folded(node: Element, tag: str) -> str:
    """Text of the first *tag* child, white space folded to single spaces; "" where there is none."""
    return " ".join((node.findtext(tag) or "").split())
