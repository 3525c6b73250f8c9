"""The Atom feeds of the simulated arXiv."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr
from zlib import crc32

from tests.replay.papers import Author, Paper
from tests.replay.wire import Response

ATOM = "application/atom+xml; charset=utf-8"
STAMP = "2026-04-12T22:09:36Z"
SCHEME = "http://arxiv.org/schemas/atom"
HEAD = (
    "<?xml version='1.0' encoding='UTF-8'?>\n"
    '<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" '
    f'xmlns:arxiv="{SCHEME}" xmlns="http://www.w3.org/2005/Atom">\n'
)


def results(found: list[Paper], *, search: str, ids: str, start: int, count: int) -> Response:
    """One page of results."""
    asked = f"search_query={search}&id_list={ids}&start={start}&max_results={count}"
    link = f"https://arxiv.org/api/query?search_query={quote(search)}&start={start}&max_results={count}&id_list={ids}"
    top = [
        f"  <id>https://arxiv.org/api/{crc32(asked.encode()):08x}</id>",
        _element("title", f"arXiv Query: {asked}", 2),
        f"  <updated>{STAMP}</updated>",
        f'  <link href={quoteattr(link)} type="application/atom+xml"/>',
        *_counts(count, len(found), start),
    ]
    return _feed(200, [*top, *(_entry(paper) for paper in found[start : start + count])])


def error(message: str, status: int = 400, *, fragment: str = "") -> Response:
    """The feed with which arXiv says no: its only entry is the reason."""
    address = f"https://arxiv.org/api/errors{fragment}"
    lines = [
        "  <id>https://arxiv.org/</id>",
        "  <title>arXiv Search Results</title>",
        f"  <updated>{STAMP}</updated>",
        *_counts(1, 1, 0),
        "  <entry>",
        _element("id", address),
        "    <title>Error</title>",
        f"    <updated>{STAMP}</updated>",
        f'    <link href={quoteattr(address)} rel="alternate" type="text/html"/>',
        _element("summary", message),
        _author(Author("arXiv api core")),
        "  </entry>",
    ]
    return _feed(status, lines)


def _feed(status: int, lines: Iterable[str]) -> Response:
    return Response(status, (HEAD + "\n".join(lines) + "\n</feed>\n").encode(), ATOM)


def _counts(page: int, total: int, start: int) -> list[str]:
    numbers = {"itemsPerPage": page, "totalResults": total, "startIndex": start}
    return [f"  <opensearch:{name}>{number}</opensearch:{name}>" for name, number in numbers.items()]


def _entry(paper: Paper) -> str:
    lines = [
        "  <entry>",
        _element("id", f"http://arxiv.org/abs/{paper.name}"),
        _element("title", paper.title),
        _element("updated", paper.updated),
        f'    <link href="https://arxiv.org/abs/{paper.name}" rel="alternate" type="text/html"/>',
        f'    <link href="https://arxiv.org/pdf/{paper.name}" rel="related" type="application/pdf" title="pdf"/>',
        _element("summary", paper.abstract),
        *(f'    <category term={quoteattr(term)} scheme="{SCHEME}"/>' for term in paper.categories),
        _element("published", paper.published),
        _element("arxiv:comment", paper.comment),
        f"    <arxiv:primary_category term={quoteattr(paper.categories[0])}/>",
        _element("arxiv:journal_ref", paper.journal_ref),
        *(_author(author) for author in paper.authors),
        *_dois(paper.doi),
        "  </entry>",
    ]
    return "\n".join(filter(None, lines))


def _dois(field: str | None) -> list[str]:
    """A DOI field may hold several, parted by blanks."""
    link = '    <link rel="related" href={} title="doi"/>'
    return [
        line
        for doi in (field or "").split()
        for line in (_element("arxiv:doi", doi), link.format(quoteattr(f"https://doi.org/{doi}")))
    ]


def _author(author: Author) -> str:
    places = (_element("arxiv:affiliation", place, 6) for place in author.affiliations)
    return "\n".join(["    <author>", _element("name", author.name, 6), *places, "    </author>"])


def _element(name: str, text: str | None, indent: int = 4) -> str:
    return "" if text is None else f"{' ' * indent}<{name}>{escape(text)}</{name}>"
