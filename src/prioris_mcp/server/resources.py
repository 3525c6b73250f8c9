"""The resources: stored documents by address, and reference lists. Reading one never fetches and never parses."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from fastmcp import FastMCP
from fastmcp.exceptions import ResourceError
from fastmcp.resources import ResourceContent, ResourceResult
from fastmcp.resources.template import FunctionResourceTemplate, match_uri_template

from prioris_mcp.app.services import Services
from prioris_mcp.domain.documents import ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Window
from prioris_mcp.domain.sources.table import SOURCES, provider_named
from prioris_mcp.errors import InvalidRequestError, NotFoundError
from prioris_mcp.models.common import PagedMarkdown, RebuildCounts, RebuildStatus
from prioris_mcp.server.binding import bound
from prioris_mcp.server.present import notes as present_notes

T = TypeVar("T")

FULLTEXT = "research://{provider}/{identifier}/{format}/fulltext"
MARKDOWN = "research://{provider}/{identifier}/{format}/markdown{?offset,limit,page}"
IMAGE = "research://{provider}/{identifier}/pdf/images/{image_id}"
NOTE = "notes://{note_id}/export"
CATEGORIES = "research://arxiv/categories"
REBUILD = "research://vector-index/rebuild-status"
WORK_TYPES = "research://openalex/work-types"
_MIME_TYPES = {
    SourceFormat.PDF: "application/pdf",
    SourceFormat.HTML: "text/html",
    SourceFormat.XML: "application/xml",
}


class SlashTemplate(FunctionResourceTemplate):
    """Advertises ``{identifier}``, and matches one that holds a slash as well (``hep-th/9901001v1``)."""

    def matches(self, uri: str) -> dict[str, Any] | None:
        return match_uri_template(uri, self.uri_template.replace("{identifier}", "{identifier*}"))


async def fulltext(services: Services, provider: str, identifier: str, format: str) -> ResourceResult:
    """A fetched document as it came: PDF bytes, HTML or XML. Fetch it with the provider's tool first."""
    source, format_ = _provider(provider), _format(format)
    key = await services.library.locate(source, identifier, format_)
    content = await services.library.document(key)
    return ResourceResult([ResourceContent(_shown(content, format_), mime_type=_MIME_TYPES[format_])])


async def markdown(
    services: Services,
    provider: str,
    identifier: str,
    format: str,
    offset: str = "0",
    limit: str = "",
    page: str = "",
) -> str:
    """A window of a parsed document as JSON, like the answer of the provider's parse tool."""
    window = Window(
        _number("offset", offset) or 0,
        _number("limit", limit) if limit else None,
        _number("page", page) if page else None,
    )
    read = await services.read(_provider(provider), identifier, _format(format), window)
    return PagedMarkdown.of(read).model_dump_json()


async def image(services: Services, provider: str, identifier: str, image_id: str) -> ResourceResult:
    """An image of a parsed PDF, as its Markdown names it. There are some only where the server keeps images."""
    key = await services.library.locate(_provider(provider), identifier, SourceFormat.PDF)
    found = await services.library.image(key, image_id)
    return ResourceResult([ResourceContent(found.content, mime_type=found.media_type)])


async def categories(services: Services) -> str:
    """Subject classes of arXiv, code and name, as JSON: for include_categories, exclude_categories and cat:."""
    return (await services.arxiv.categories()).model_dump_json()


async def work_types(services: Services) -> str:
    """Kinds of work in OpenAlex, code, name and description, as JSON: for the work_type of a discovery hit."""
    return (await services.openalex.work_types()).model_dump_json()


async def note(services: Services, note_id: str) -> str:
    """A note as JSON: a file name, front matter, and its text as Markdown. Writes no file."""
    return present_notes.export(await services.notes.read(note_id)).model_dump_json()


async def rebuild_status(services: Services) -> str:
    """How far the background work on the vector indexes is since the server started, as JSON. Live, never cached."""
    return RebuildStatus(
        documents=RebuildCounts.of(services.embedding.rebuild), notes=RebuildCounts.of(services.note_embedding.rebuild)
    ).model_dump_json()


@dataclass(frozen=True, slots=True)
class ResourceSpec:
    """One resource, or one kind of them. The function's docstring is its description."""

    function: Callable[..., Any]
    uri: str
    name: str
    title: str
    mime_type: str = "application/json"
    cached: bool = False
    """It asks a source and nothing else, so its answer is remembered for a while."""


RESOURCES = (
    ResourceSpec(fulltext, FULLTEXT, "fulltext", "Stored document", "application/octet-stream"),
    ResourceSpec(markdown, MARKDOWN, "markdown", "Stored Markdown"),
    ResourceSpec(image, IMAGE, "image", "Image of a stored PDF", "application/octet-stream"),
    ResourceSpec(work_types, WORK_TYPES, "openalex-work-types", "Kinds of work", cached=True),
    ResourceSpec(note, NOTE, "note-export", "Note as a file"),
    ResourceSpec(rebuild_status, REBUILD, "rebuild-status", "Work on the vector indexes"),
    ResourceSpec(categories, CATEGORIES, "arxiv-categories", "arXiv subject classes", cached=True),
)


def register(server: FastMCP[Any], services: Services) -> None:
    """Add every resource to *server*."""
    for spec in RESOURCES:
        function = bound(spec.function, services, ResourceError)
        about: dict[str, Any] = {
            "name": spec.name,
            "title": spec.title,
            "description": inspect.getdoc(spec.function),
            "mime_type": spec.mime_type,
        }
        if "{identifier}" in spec.uri:
            server.add_template(SlashTemplate.from_function(function, uri_template=spec.uri, **about))
        else:
            server.resource(spec.uri, **about)(function)


def _provider(text: str) -> ProviderName:
    return _called(provider_named, text, "provider", SOURCES)


def _format(text: str) -> SourceFormat:
    return _called(SourceFormat, text, "format", SourceFormat)


def _called(made: Callable[[str], T], text: str, what: str, known: Iterable[str]) -> T:
    try:
        return made(text)
    except ValueError:
        raise NotFoundError(f"no {what} is called {text[:100]!r}; there is {', '.join(known)}") from None


def _number(name: str, text: str) -> int:
    if not text.lstrip("-").isdecimal() or len(text) > 18:
        raise InvalidRequestError(f"{name} must be a whole number, got {text[:100]!r}")
    return int(text)


def _shown(content: bytes, format_: SourceFormat) -> bytes | str:
    """Text for what is text; bytes that are no UTF-8 stay bytes."""
    if format_ is SourceFormat.PDF:
        return content
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content
