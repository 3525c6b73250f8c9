"""What can be done about a failure, in the words of the command line."""

from __future__ import annotations

import shlex

from prioris_mcp.errors import PriorisError
from prioris_mcp.remedies import Action, Remedy

COMMANDS = {
    Action.ADD_FILE: "prioris-mcp add FILE",
    Action.BEGIN_UPLOAD: "prioris-mcp add FILE",
    Action.DISCOVER: "prioris-mcp discover",
    Action.FETCH: "prioris-mcp fetch {document}",
    Action.LIST: "prioris-mcp list",
    Action.LIST_SOURCE: "prioris-mcp list --provider {provider}",
    Action.LOOK_UP: "prioris-mcp fetch {document}",
    Action.NOTES: "prioris-mcp notes list",
    Action.PARSE: "prioris-mcp read {document}",
    Action.RESOLVE: "prioris-mcp fetch {document}",
    Action.SEARCH: "prioris-mcp search or discover",
    Action.USE_SOURCE: "commands with --provider {provider}",
}
"""The command or commands for each action, filled with the document or source of the remedy."""


def words(remedy: Remedy) -> str:
    """Return the command that does it, ready to be typed."""
    format_ = f" --format {remedy.format}" if remedy.format else ""
    document = f"{shlex.quote(remedy.identifier)}{format_}"
    return COMMANDS[remedy.action].format(document=document, provider=remedy.provider)


def said(error: PriorisError | None) -> str:
    """Return the sentence of *error* as people read it; "" for none."""
    return error.said(words) if error else ""
