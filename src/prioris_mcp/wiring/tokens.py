"""Choose where bearer tokens come from."""

from __future__ import annotations

from collections.abc import Callable

from prioris_mcp.adapters.tokens.file import TokenFile
from prioris_mcp.domain.tokens import Tokens, parse
from prioris_mcp.settings import Settings


def tokens_of(settings: Settings) -> Callable[[], Tokens] | None:
    """Return what tells all known tokens at any moment; None for none. Raise ConfigurationError for wrong ones."""
    if not settings.auth_tokens and settings.auth_tokens_file is None:
        return None
    text = settings.auth_tokens.get_secret_value() if settings.auth_tokens else ""
    return TokenFile(settings.auth_tokens_file, parse(text, "PRIORIS_MCP_AUTH_TOKENS")).current
