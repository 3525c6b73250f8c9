"""What can be done about a failure, and next, in the words of this server: its tools."""

from __future__ import annotations

import re

from prioris_mcp.domain.discovery import Route
from prioris_mcp.domain.documents import ProviderName, Resolution
from prioris_mcp.domain.sources.table import SOURCES
from prioris_mcp.errors import PriorisError
from prioris_mcp.remedies import ADD_FILE, Action, Remedy

TOOLS = {
    Action.ADD_FILE: "research_localfile_fetch_full_text",
    Action.BEGIN_UPLOAD: "research_localfile_begin_upload",
    Action.DISCOVER: "research_discovery",
    Action.FETCH: "research_{0.provider}_fetch_full_text",
    Action.LIST: "research_list_fetched",
    Action.LIST_SOURCE: "research_list_fetched(provider='{0.provider}')",
    Action.LOOK_UP: "research_{0.provider}_fetch_metadata",
    Action.NOTES: "research_notes_search",
    Action.PARSE: "research_{0.provider}_parse_full_text",
    Action.RESOLVE: "research_resolve_identifier",
    Action.SEARCH: "research_{0.provider}_search",
    Action.USE_SOURCE: "the research_{0.provider}_* tools",
}
"""The tool or tools for each action, filled with the fields of the remedy."""
_NAMED = re.compile(r"\{(" + "|".join(Action) + r")(?: (\w+))?\}")


def words(remedy: Remedy) -> str:
    """Return the tool that does it."""
    return TOOLS[remedy.action].format(remedy)


def said(error: PriorisError) -> str:
    """Return the sentence of *error* as clients read it."""
    return error.said(words)


def named(text: str) -> str:
    """Return *text*, a description, with the tools for the remedies that it names as `Remedy.__str__` does."""
    return _NAMED.sub(lambda match: words(Remedy(Action(match[1]), match[2] or "")), text)


def after_resolving(found: Resolution) -> str:
    """Return what to do to get the full text of what was resolved."""
    key = found.key
    if found.available is False:
        return _ask("")
    return _call(Remedy(Action.FETCH, key.provider, key.identifier, key.format))


def after_discovery(way: Route) -> str:
    """Return what to do to get the full text of a work."""
    if way.provider:
        usual = SOURCES[way.provider].formats[0]
        return _call(Remedy(Action.FETCH, way.provider, way.identifier or "", usual))
    return _ask(way.pdf_url or "")


def _ask(address: str) -> str:
    user = f"ask the user to download {address}" if address else "ask the user for the PDF"
    return f"{user}, then add it with {words(ADD_FILE)}"


def _call(fetch: Remedy) -> str:
    """Return the call that fetches a document, as a model writes it; its format, where the source has several."""
    spec = SOURCES[ProviderName(fetch.provider)]
    format_ = f", format='{fetch.format}'" if len(spec.formats) > 1 else ""
    return f"{words(fetch)}({spec.argument}={fetch.identifier!r}{format_})"
