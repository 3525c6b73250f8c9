"""Europe PMC's answers, decoded: bytes in, records out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from prioris_mcp.adapters.http import jsonbody
from prioris_mcp.domain.plaintext import plain
from prioris_mcp.models.europepmc import EuropePmcAuthor, EuropePmcRecord

_MOST_HITS = 2**53


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
class ArticlesPage:
    """One page of a search. *cursor*: where the next one begins; None on the last."""

    articles: tuple[Article, ...]
    total: int
    cursor: str | None


def decode(body: bytes, *, sent_cursor: str, page_size: int) -> ArticlesPage:
    """The page in *body*; EnvelopeError where there is none, also under HTTP 200."""
    envelope = _envelope(body)
    results = _list(_part(envelope, "resultList").get("result"))
    if not all(isinstance(result, dict) for result in results):
        raise EnvelopeError("a result is no record", refused=False)
    cursor = envelope.get("nextCursorMark")
    # Answers show a cursor on the last page as well; on cursorMark: https://europepmc.org/RestfulWebService
    more = isinstance(cursor, str) and cursor not in ("", sent_cursor) and len(results) >= page_size
    articles = tuple(article for result in results if (article := _article(result)))
    found = ArticlesPage(articles, _count(envelope["hitCount"]), cursor if more else None)
    return found if found.total > len(results) or sent_cursor != "*" else replace(found, cursor=None)


def _envelope(body: bytes) -> dict[str, Any]:
    try:
        envelope = jsonbody.decoded(body)
    except jsonbody.NotJsonError as exc:
        raise EnvelopeError(str(exc), refused=False) from None
    if not isinstance(envelope, dict):
        raise EnvelopeError("no JSON object", refused=False)
    if message := envelope.get("errMsg"):
        refused = any(word in str(message).lower() for word in ("criteria", "page size", "query"))
        raise EnvelopeError(str(message)[:300], refused=refused)
    if "hitCount" not in envelope:
        raise EnvelopeError("it rejected the query or the cursor_mark without saying why", refused=True)
    return envelope


def _count(value: Any) -> int:
    text = str(value)
    if isinstance(value, bool) or not (text.isascii() and text.isdecimal()) or int(text[:20]) > _MOST_HITS:
        raise EnvelopeError("hitCount is no number of hits", refused=False)
    return int(text)


def _article(result: dict[str, Any]) -> Article | None:
    """The record in *result*; None where it has no identifier, by which alone it can be asked for."""
    if (identifier := _identifier(result)) is None:
        return None
    ids = [name for found in _list(_part(result, "fullTextIdList").get("fullTextId")) if (name := _scalar(found))]
    pmcid = _text(result, "pmcid")
    open_access = "Y" if result.get("isOpenAccess") == "Y" else "N"
    hosted = result.get("inEPMC") == "Y" or (open_access == "Y" and bool(ids))
    full_text_id = pmcid or next(iter(ids), None)
    journal = result.get("journalInfo")
    record = EuropePmcRecord(
        identifier=identifier,
        pmid=_text(result, "pmid"),
        pmcid=pmcid,
        doi=_text(result, "doi"),
        title=_plain(result.get("title")),
        authors=_authors(result),
        abstract=_plain(result.get("abstractText")),
        journal=journal if isinstance(journal, dict) else None,
        pub_year=_text(result, "pubYear"),
        is_open_access=open_access,
        license=_text(result, "license"),
        full_text_available=hosted and full_text_id is not None,
    )
    return Article(record, full_text_id)


def _identifier(result: dict[str, Any]) -> str | None:
    """``source:id``; where one of them is missing, the number that names the record all the same."""
    source, number = _text(result, "source"), _text(result, "id")
    if source and number:
        return f"{source}:{number}"
    for name, instead in (("pmid", "MED"), ("pmcid", "PMC")):
        if number := _text(result, name):
            return f"{instead}:{number}"
    return None


def _authors(result: dict[str, Any]) -> list[EuropePmcAuthor]:
    """From the list of authors, or else from the line in which they stand for people."""
    listed = _list(_part(result, "authorList").get("author"))
    if not listed and (line := _text(result, "authorString")):
        listed = line.rstrip(". ").split(", ")
    found = [_author(item if isinstance(item, dict) else {"fullName": item}) for item in listed]
    return [author for author in found if author != EuropePmcAuthor()]


def _author(author: dict[str, Any]) -> EuropePmcAuthor:
    return EuropePmcAuthor(
        full_name=_text(author, "fullName") or _text(author, "collectiveName"),
        first_name=_text(author, "firstName"),
        last_name=_text(author, "lastName"),
        initials=_text(author, "initials"),
    )


def _part(fields: dict[str, Any], name: str) -> dict[str, Any]:
    """The object *name* in *fields*; an empty one where there is none."""
    value = fields.get(name)
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    """A list, whatever was made of it on the way: one element can come without its list."""
    if value is None:
        return []
    return [item for item in value if item] if isinstance(value, list) else [value]


def _text(fields: dict[str, Any], name: str) -> str | None:
    return _scalar(fields.get(name))


def _scalar(value: Any) -> str | None:
    """*value* as text; None for what is no text and no number."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return str(value).strip() or None


def _plain(value: Any) -> str | None:
    """Text without its markup; several pieces are one text."""
    pieces = [piece for item in _list(value) if (piece := _scalar(item))]
    return plain(" ".join(pieces))
