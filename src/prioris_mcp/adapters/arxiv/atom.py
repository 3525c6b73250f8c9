"""arXiv's Atom feeds, decoded: bytes in, records out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prioris_mcp.adapters import xmltree
from prioris_mcp.adapters.xmltree import folded as _text
from prioris_mcp.domain.sources.arxiv import ARXIV
from prioris_mcp.domain.sources.providers import parse
from prioris_mcp.errors import InvalidRequestError
from prioris_mcp.models.arxiv import ArxivAuthor, ArxivRecord

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_OPENSEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"
_MOST_DIGITS = 12
_ABS = re.compile(r"https?://(?:export\.|www\.)?arxiv\.org/abs/(.+)", re.IGNORECASE)


class NotAFeedError(ValueError):
    """The bytes are no Atom feed."""


@dataclass(frozen=True, slots=True)
class Feed:
    """One answer of the API. *error* holds arXiv's own sentence where the feed reports a failure."""

    records: tuple[ArxivRecord, ...]
    total: int
    error: str | None = None


def decode(body: bytes) -> Feed:
    """The feed in *body*; NotAFeedError where there is none.

    arXiv reports a failure as a feed whose one entry is no paper, whatever the HTTP status says.
    """
    try:
        root = xmltree.parse(body)
    except xmltree.NotXmlError as exc:
        raise NotAFeedError(str(exc)) from None
    if root.tag != f"{_ATOM}feed":
        raise NotAFeedError("the root is no Atom feed")
    entries = root.findall(f"{_ATOM}entry")
    # A failure is an entry as well: https://info.arxiv.org/help/api/user-manual.html
    failure = next((entry for entry in entries if not _ABS.fullmatch(_text(entry, f"{_ATOM}id"))), None)
    if failure is not None:
        return Feed((), 0, _text(failure, f"{_ATOM}summary") or "unknown error")
    total = _text(root, f"{_OPENSEARCH}totalResults")
    counted = int(total) if total.isascii() and total.isdecimal() and len(total) <= _MOST_DIGITS else len(entries)
    return Feed(tuple(_record(entry) for entry in entries), counted)


def _record(entry: Element) -> ArxivRecord:
    identifier = _identifier(entry)
    categories = [term for node in entry.findall(f"{_ATOM}category") if (term := node.get("term"))]
    primary = entry.find(f"{_ARXIV}primary_category")
    return ArxivRecord(
        arxiv_id=identifier,
        title=_text(entry, f"{_ATOM}title"),
        authors=[author for node in entry.findall(f"{_ATOM}author") if (author := _author(node)).name],
        abstract=_text(entry, f"{_ATOM}summary"),
        categories=list(dict.fromkeys(categories)),
        primary_category=(primary.get("term") if primary is not None else None) or next(iter(categories), ""),
        published=_text(entry, f"{_ATOM}published"),
        updated=_text(entry, f"{_ATOM}updated"),
        pdf_url=_pdf_link(entry) or f"https://arxiv.org/pdf/{identifier}",
        doi=_first(entry, f"{_ARXIV}doi"),
        journal_ref=_first(entry, f"{_ARXIV}journal_ref"),
        comment=_first(entry, f"{_ARXIV}comment"),
    )


def _identifier(entry: Element) -> str:
    name = _ABS.sub(r"\1", _text(entry, f"{_ATOM}id"))
    try:
        parse(ARXIV, name)
    except InvalidRequestError:
        raise NotAFeedError(f"an entry has the id {name[:100]!r}") from None
    return name


def _author(node: Element) -> ArxivAuthor:
    return ArxivAuthor(name=_text(node, f"{_ATOM}name"), affiliation=_first(node, f"{_ARXIV}affiliation"))


def _pdf_link(entry: Element) -> str | None:
    """Chosen by type: the link to a DOI is ``related`` as well, and untitled ones exist."""
    links = entry.findall(f"{_ATOM}link")
    return next((link.get("href") for link in links if link.get("type") == "application/pdf"), None)


def _first(node: Element, tag: str) -> str | None:
    """Text of the first *tag* child; None where it is absent or blank."""
    return _text(node, tag) or None
