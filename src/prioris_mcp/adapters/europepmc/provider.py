"""Europe PMC: searching, metadata, and full text as JATS XML under one identifier an article."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from cachetools import LRUCache, TTLCache

from prioris_mcp.adapters.europepmc.client import BASE, EuropePmcApi
from prioris_mcp.adapters.europepmc.decode import Article, ArticlesPage
from prioris_mcp.adapters.http.gateway import Answer, Limits
from prioris_mcp.adapters.http.upstream import Upstream
from prioris_mcp.domain.documents import DocumentKey, Download, Resolution, SourceFormat
from prioris_mcp.domain.sources.doi import Doi
from prioris_mcp.domain.sources.europepmc import EUROPEPMC, EuropePmcId
from prioris_mcp.domain.sources.providers import parse
from prioris_mcp.errors import FormatUnavailableError, InvalidRequestError, NotFoundError, ProviderUnavailableError
from prioris_mcp.models.europepmc import EuropePmcMetadataResult, EuropePmcSearchResult
from prioris_mcp.ports.library import Catalogue
from prioris_mcp.ports.parsing import ArticleKind, Progress
from prioris_mcp.remedies import ADD_FILE, Action, Remedy

HOSTS = frozenset({"www.ebi.ac.uk"})
_BATCH = 50
_SHOWN = 200
_MOST_RECORDS = 1024
_LONGEST_BATCH = 1500
"""Characters of a look-up's query."""

Wanted = EuropePmcId | Doi


class EuropePmcProvider:
    """The Europe PMC source: FullTextSource and EuropePmcCatalogue of ``ports/sources.py``."""

    def __init__(
        self,
        api: EuropePmcApi,
        upstream: Upstream,
        store: Catalogue,
        article_kind: Callable[[bytes], ArticleKind],
        *,
        download: Limits,
        seconds: float,
    ) -> None:
        """*article_kind* tells a whole article with text in it; *seconds*: how long a record is remembered."""
        self._kind = article_kind
        self._api, self._upstream, self._store, self._download = api, upstream, store, download
        self._articles: TTLCache[str, Article] = TTLCache(_MOST_RECORDS, seconds)
        self._passed: LRUCache[tuple[str, str], int] = LRUCache(_MOST_RECORDS)
        """How many results stand before a cursor of a query."""

    async def search(self, query: str, *, page_size: int, cursor_mark: str) -> EuropePmcSearchResult:
        """One page of the records that match *query*, in Europe PMC's own syntax."""
        page = await self._api.search(query, page_size, cursor_mark)
        self._remember(page.articles)
        return EuropePmcSearchResult(
            results=[article.record for article in page.articles],
            hit_count=page.total,
            next_cursor_mark=self._following(query, cursor_mark, page),
        )

    def _following(self, query: str, cursor: str, page: ArticlesPage) -> str | None:
        """The cursor of the page after *page*, unless this and those before it, as far as known, hold every hit."""
        before = 0 if cursor == "*" else self._passed.get((query, cursor))
        if page.cursor is None or before is None:
            return page.cursor
        passed = before + len(page.articles)
        self._passed[query, page.cursor] = passed
        return page.cursor if passed < page.total else None

    async def fetch_metadata(self, identifiers: Sequence[str]) -> EuropePmcMetadataResult:
        """The records of *identifiers* in their order; what is malformed or unknown is ``not_found``."""
        if not identifiers:
            raise InvalidRequestError("identifiers must name at least one record, such as PMC4767193")
        read = {text: _read(text) for text in identifiers}
        found = await self._look_up(wanted for wanted in read.values() if wanted)
        answers = [(text, found.get(str(wanted)) if (wanted := read[text]) else None) for text in identifiers]
        return EuropePmcMetadataResult(
            results=[article.record for _, article in answers if article],
            not_found=list(dict.fromkeys(text for text, article in answers if not article)),
        )

    async def pin(self, identifier: str, format: SourceFormat) -> DocumentKey:
        wanted = parse(EUROPEPMC, identifier)
        if stored := await self._stored(wanted):
            return EUROPEPMC.key(stored, format)
        return EUROPEPMC.key((await self._article(wanted, identifier)).canonical, format)

    async def recall(self, identifier: str, format: SourceFormat) -> DocumentKey | None:
        wanted = parse(EUROPEPMC, identifier)
        return EUROPEPMC.key(await self._stored(wanted) or str(wanted), format)

    async def resolve(self, identifier: str, format: SourceFormat) -> Resolution:
        article = await self._article(parse(EUROPEPMC, identifier), identifier)
        key, record = EUROPEPMC.key(article.canonical, format), article.record
        page = f"https://europepmc.org/article/{record.identifier.replace(':', '/', 1)}"
        url = _full_text_url(article) if record.full_text_available else page
        return Resolution(key, url, record.full_text_available)

    async def download(self, key: DocumentKey, progress: Progress | None = None) -> Download:
        article = await self._article(parse(EUROPEPMC, key.identifier), key.identifier)
        if not article.record.full_text_available:
            raise _unavailable(key, "it does not host the article's full text")
        answer = await self._upstream.get(_full_text_url(article), self._download, progress=progress)
        return Download(self._checked(_document(answer, key), key), tuple(sorted(article.names())))

    def is_paper(self, content: bytes, format: SourceFormat) -> bool:  # noqa: ARG002 - there is one format only
        return self._kind(content) is ArticleKind.FULL_TEXT

    def files_at(self, key: DocumentKey) -> str:
        source, _, name = key.identifier.partition(":")
        return f"https://europepmc.org/articles/{name}/bin/" if source == "PMC" else ""

    def _checked(self, content: bytes, key: DocumentKey) -> bytes:
        """*content*, if it is a whole article with text in it."""
        match self._kind(content):
            case ArticleKind.FULL_TEXT:
                return content
            case ArticleKind.FRONT_MATTER:
                raise _unavailable(key, "what it holds is front matter only, no text")
            case ArticleKind.CUT:
                raise ProviderUnavailableError(_unusable(key, "an article that breaks off", content))
            case _:
                raise ProviderUnavailableError(_unusable(key, "something that is no article", content))

    async def _stored(self, wanted: Wanted) -> str | None:
        """The identifier under which the library knows *wanted*; None where it does not."""
        return await self._store.find_alias(EUROPEPMC.name, str(wanted))

    async def _article(self, wanted: Wanted, given: str) -> Article:
        known = self._articles.get(str(wanted))
        article = known or (await self._look_up([wanted])).get(str(wanted))
        if article is None:
            raise NotFoundError(
                f"Europe PMC knows no article {given[:_SHOWN]}; check the number, or look for the article with ",
                Remedy(Action.SEARCH, EUROPEPMC.name),
            )
        return article

    async def _look_up(self, wanted: Iterable[Wanted]) -> dict[str, Article]:
        """What Europe PMC knows, under every identifier that it goes by."""
        found: dict[str, Article] = {}
        for batch in _batches(list(dict.fromkeys(wanted))):
            articles = await self._api.look_up(batch)
            self._remember(articles)
            found |= {name: article for article in articles for name in article.names()}
        return found

    def _remember(self, articles: Iterable[Article]) -> None:
        for article in articles:
            for name in article.names():
                self._articles[name] = article


def _read(text: str) -> Wanted | None:
    try:
        return parse(EUROPEPMC, text)
    except InvalidRequestError:
        return None


def _batches(wanted: list[Wanted]) -> Iterable[list[Wanted]]:
    """At most fifty at a time, and not more than fits into one query."""
    batch: list[Wanted] = []
    length = 0
    for identifier in wanted:
        cost = len(str(identifier)) + 30
        if batch and (len(batch) == _BATCH or length + cost > _LONGEST_BATCH):
            yield batch
            batch, length = [], 0
        batch.append(identifier)
        length += cost
    if batch:
        yield batch


def _full_text_url(article: Article) -> str:
    return f"{BASE}/{article.full_text_id}/fullTextXML"


def _document(answer: Answer, key: DocumentKey) -> bytes:
    """The bytes of *answer*; FormatUnavailableError where there are none."""
    if answer.status == 404 or (answer.status == 200 and not answer.body.strip()):
        raise _unavailable(key, "the article is not in the open-access subset")
    if answer.status != 200:
        raise ProviderUnavailableError(
            f"Europe PMC answered HTTP {answer.status} (unexpected status) for {key}; try again later"
        )
    return answer.body


def _unusable(key: DocumentKey, what: str, content: bytes) -> str:
    return (
        f"Europe PMC answered HTTP 200 with {what} ({len(content)} bytes) for {key}; nothing was stored, try again"
        " later"
    )


def _unavailable(key: DocumentKey, reason: str) -> FormatUnavailableError:
    return FormatUnavailableError(
        f"Europe PMC offers no full text of {key.identifier}: {reason}; if you have the PDF, add it with ", ADD_FILE
    )
