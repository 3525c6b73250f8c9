"""Know what the library holds: which key an identifier means, and what is stored under it."""

from __future__ import annotations

from collections.abc import Mapping

from prioris_mcp.domain.documents import Artefact, DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Image, Markdown
from prioris_mcp.domain.search import Scope
from prioris_mcp.domain.sources.providers import parse
from prioris_mcp.domain.sources.table import SOURCES
from prioris_mcp.errors import InvalidRequestError, NotFoundError
from prioris_mcp.ports.library import StorageBackend
from prioris_mcp.ports.sources import LibrarySource
from prioris_mcp.remedies import ADD_FILE, Action, Remedy


class Library:
    """Tell which key an identifier means, and return what is stored under it."""

    def __init__(self, sources: Mapping[ProviderName, LibrarySource], store: StorageBackend) -> None:
        self._sources, self._store = sources, store

    async def recall(self, provider: ProviderName, identifier: str, format_: SourceFormat) -> DocumentKey | None:
        """Return the key that *identifier* means; None where nothing can be stored under it. Ask no network."""
        source = self._sources.get(provider)
        return await source.recall(identifier, format_) if source else None

    async def recall_any(self, provider: ProviderName, identifier: str) -> DocumentKey | None:
        """Return the key as `recall` does, in whichever format there is anything."""
        return next(iter(await self.recall_all(provider, identifier)), None)

    async def recall_all(self, provider: ProviderName, identifier: str) -> list[DocumentKey]:
        """Return the keys as `recall` does, in every format of the source in which there may be something."""
        found = [await self.recall(provider, identifier, format_) for format_ in SOURCES[provider].formats]
        return [key for key in found if key]

    async def recall_versions(
        self, provider: ProviderName, identifier: str, format_: SourceFormat | None
    ) -> list[DocumentKey]:
        """Return the keys as `recall_all` does, in *format_* or in every format.

        Return the keys of every version where *identifier* leaves the version open.
        """
        spec = SOURCES[provider]
        formats = (format_,) if format_ else spec.formats
        if spec.versioned and not (found := parse(spec, identifier)).pinned:
            return [key for one in formats for key in await self._store.versions(provider, found.work, one)]
        keys = [await self.recall(provider, identifier, one) for one in formats]
        return [key for key in keys if key]

    async def narrowed(self, scope: Scope) -> Scope | None:
        """Return *scope* with its identifier as the library spells it; None where nothing is stored under that."""
        if scope.identifier is None:
            return scope
        if scope.provider is None:
            raise InvalidRequestError("identifier needs provider: say which source it belongs to")
        if scope.format is None:
            key = await self.recall_any(scope.provider, scope.identifier)
        else:
            key = await self.recall(scope.provider, scope.identifier, scope.format)
        return Scope(key.provider, key.identifier, scope.format) if key else None

    async def holds(self, provider: ProviderName, identifier: str) -> bool:
        """Return whether anything of what *identifier* means is stored, in any format."""
        for key in await self.recall_all(provider, identifier):
            for artefact in Artefact:
                if await self._store.exists(key, artefact) is not None:
                    return True
        return False

    async def aliases(self, key: DocumentKey) -> tuple[str, ...]:
        """Return every other spelling that is known of the identifier of *key*."""
        return await self._store.aliases(key.provider, key.identifier)

    async def knows(self, provider: ProviderName, alias: str) -> bool:
        """Return whether something is stored for which *alias* stands."""
        return await self._store.find_alias(provider, alias) is not None

    async def locate(self, provider: ProviderName, identifier: str, format_: SourceFormat) -> DocumentKey:
        """Return the key that *identifier* means. Raise NotFoundError where nothing of it is or can be stored."""
        try:
            key = await self.recall(provider, identifier, format_)
        except InvalidRequestError as exc:
            raise NotFoundError(
                "nothing like this is in the library: ", *exc.args, "; see ", Remedy(Action.LIST), " for what is"
            ) from exc
        if key is None:
            raise not_fetched(provider, identifier, format_)
        return key

    async def require(self, key: DocumentKey) -> None:
        """Raise NotFoundError where the document is not stored."""
        if await self._store.exists(key, Artefact.DOCUMENT) is None:
            raise not_fetched(key.provider, key.identifier, key.format)

    async def document(self, key: DocumentKey) -> bytes:
        """Return the bytes as fetched. Raise NotFoundError where they are not stored."""
        content = await self._store.read_document(key)
        if content is None:
            raise not_fetched(key.provider, key.identifier, key.format)
        return content

    async def markdown(self, key: DocumentKey) -> Markdown:
        """Return the stored Markdown. Raise NotFoundError where there is none."""
        markdown = await self._store.read_markdown(key)
        if markdown is None:
            parse = Remedy(Action.PARSE, key.provider, key.identifier, key.format)
            raise NotFoundError(f"no Markdown of {key} is stored: call ", parse, " first")
        return markdown

    def files_at(self, key: DocumentKey) -> str:
        """Return the address below which the files are that the Markdown names; those in a PDF lie beside it."""
        return key.uri("images") if key.format.paged else self._sources[key.provider].files_at(key)

    async def image(self, key: DocumentKey, image: str) -> Image:
        """Return an image that the stored Markdown names. Raise NotFoundError where there is none."""
        found = await self._store.read_image(key, image)
        if found is None:
            raise NotFoundError(
                f"{key} has no image {image[:100]!r}; see its Markdown, which names those that there are"
            )
        return found


def not_fetched(provider: ProviderName, identifier: str, format_: SourceFormat) -> NotFoundError:
    """Return the error that tells a caller what to do first."""
    remedy = Remedy(Action.FETCH, provider, identifier, format_) if SOURCES[provider].networked else ADD_FILE
    return NotFoundError(f"{provider} {identifier} ({format_}) is not in the library: call ", remedy, " first")
