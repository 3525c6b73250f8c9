"""Europe PMC's answers, decoded: bytes in, records out."""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass
from typing import Any

from prioris_mcp.models.europepmc import EuropePmcAuthor, EuropePmcRecord

_REST = r"""(?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*/?>"""
"""What can stand in a tag behind its name: attributes with their values, so that ``a<b and c>d`` is no tag."""
_SUP = re.compile(rf"<sup{_REST}", re.IGNORECASE)
_LABEL = re.compile(rf"<h\d{_REST}\s*(.*?)\s*:?\s*</h\d>", re.IGNORECASE | re.DOTALL)
_BREAK = re.compile(rf"</?(?:p|div|br|li|ul|ol|title|sec){_REST}", re.IGNORECASE)
_MARKUP = re.compile(
    rf"</?(?:i|b|u|em|strong|sub|sup|span|a|italic|bold|sc|tt|small|mml:[a-z]+|inline-formula){_REST}", re.IGNORECASE
)
_SOFT_HYPHEN = "\u00ad"


class EnvelopeError(ValueError):
    """The answer holds no results; the text says why. *refused*: because of what was asked."""

    def __init__(self, text: str, *, refused: bool) -> None:
        super().__init__(text)
        self.refused = refused


@dataclass(frozen=True, slots=True)
class Article:
    """One record, and under which number its full text is served, if it is."""

    record: EuropePmcRecord
    full_text_id: str | None

    def names(self) -> frozenset[str]:
        """Every identifier of this record, in our spelling."""
        record = self.record
        found = [record.identifier, record.pmid and f"MED:{record.pmid}", record.pmcid and f"PMC:{record.pmcid}"]
        return frozenset(name for name in [*found, record.doi and record.doi.lower()] if name)

    @property
    def canonical(self) -> str:
        """The identifier under which a full text is stored."""
        return f"PMC:{self.record.pmcid}" if self.record.pmcid else self.record.identifier


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a search. *cursor*: where the next one begins; None on the last."""

    articles: tuple[Article, ...]
    total: int
    cursor: str | None


def decode(body: bytes, *, sent_cursor: str, page_size: int) -> Page:
    """The page in *body*; EnvelopeError where there is none, also under HTTP 200."""
    try:
        envelope = json.loads(body)
    except ValueError as exc:
        raise EnvelopeError(f"no JSON ({exc})", refused=False) from None
    if not isinstance(envelope, dict):
        raise EnvelopeError("no JSON object", refused=False)
    if message := envelope.get("errMsg"):
        refused = any(word in str(message).lower() for word in ("criteria", "page size", "query"))
        raise EnvelopeError(str(message), refused=refused)
    if "hitCount" not in envelope:
        raise EnvelopeError("it rejected the query or the cursor_mark without saying why", refused=True)
    results = _list((envelope.get("resultList") or {}).get("result"))
    cursor = envelope.get("nextCursorMark")
    more = bool(cursor) and cursor != sent_cursor and len(results) >= page_size
    return Page(tuple(_article(result) for result in results), int(envelope["hitCount"]), cursor if more else None)


def _article(result: dict[str, Any]) -> Article:
    ids = [str(found) for found in _list((result.get("fullTextIdList") or {}).get("fullTextId"))]
    pmcid = _text(result, "pmcid")
    open_access = "Y" if result.get("isOpenAccess") == "Y" else "N"
    hosted = result.get("inEPMC") == "Y" or (open_access == "Y" and bool(ids))
    full_text_id = pmcid or next(iter(ids), None)
    record = EuropePmcRecord(
        identifier=f"{result.get('source')}:{result.get('id')}",
        pmid=_text(result, "pmid"),
        pmcid=pmcid,
        doi=_text(result, "doi"),
        title=_plain(result.get("title")),
        authors=[_author(author) for author in _list((result.get("authorList") or {}).get("author"))],
        abstract=_plain(result.get("abstractText")),
        journal=result.get("journalInfo") if isinstance(result.get("journalInfo"), dict) else None,
        pub_year=_text(result, "pubYear"),
        is_open_access=open_access,
        license=_text(result, "license"),
        full_text_available=hosted and full_text_id is not None,
    )
    return Article(record, full_text_id)


def _author(author: dict[str, Any]) -> EuropePmcAuthor:
    return EuropePmcAuthor(
        full_name=_text(author, "fullName") or _text(author, "collectiveName"),
        first_name=_text(author, "firstName"),
        last_name=_text(author, "lastName"),
        initials=_text(author, "initials"),
    )


def _list(value: Any) -> list[Any]:
    """A list, whatever was made of it on the way: one element can come without its list."""
    if value is None:
        return []
    return [item for item in value if item] if isinstance(value, list) else [value]


def _text(fields: dict[str, Any], name: str) -> str | None:
    value = fields.get(name)
    return None if value is None or value == "" else str(value)


def _plain(text: Any) -> str | None:
    """Text without its markup, but with what that meant: section labels, and powers as ``10^7``."""
    if not text:
        return None
    labelled = _LABEL.sub(r" \1: ", str(text))
    bare = _MARKUP.sub("", _BREAK.sub(" ", _SUP.sub("^", labelled)))
    return " ".join(html.unescape(bare).replace(_SOFT_HYPHEN, "").split()) or None
