"""Every environment variable of the server, with its bounds. The only place that reads the environment."""

from __future__ import annotations

import json
import os
from typing import Any

from pydantic import ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from prioris_mcp.environment import secrets_beside
from prioris_mcp.errors import ConfigurationError
from prioris_mcp.redaction import secrets_in
from prioris_mcp.settings.http import HttpSettings
from prioris_mcp.settings.library import LibrarySettings
from prioris_mcp.settings.parsing import ParsingSettings
from prioris_mcp.settings.search import SearchSettings
from prioris_mcp.settings.server import ServerSettings
from prioris_mcp.settings.sources import SourceSettings
from prioris_mcp.settings.values import secret_values

PREFIX = "PRIORIS_MCP_"
_SHOWN = 80
GROUPS: dict[str, type[BaseSettings]] = {
    "The server": ServerSettings,
    "Sources": SourceSettings,
    "The library": LibrarySettings,
    "Parsing": ParsingSettings,
    "Search": SearchSettings,
    "HTTP": HttpSettings,
}
"""The parts of `Settings`, under the words that the reference calls them by."""


class Settings(HttpSettings, SearchSettings, ParsingSettings, LibrarySettings, SourceSettings, ServerSettings):
    """The server's configuration. Each field is the environment variable ``PRIORIS_MCP_<FIELD>``."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_file=None, env_ignore_empty=True, extra="ignore", frozen=True, defer_build=False
    )

    def secrets(self) -> list[str]:
        """Values that must never be shown or logged: those of every secret field, and what the environment adds."""
        held = [secret for name in type(self).model_fields for secret in secret_values(getattr(self, name))]
        keys = self.auth_jwt_jwks_uri or ""
        addresses = [self.pdf_ocr_server_url or "", keys if secrets_in(keys) else ""]
        return sorted({*held, *self.shown_tokens(), *addresses, *secrets_beside()} - {""})


def load() -> Settings:
    """The settings of this process; ConfigurationError with one readable line for each wrong value."""
    try:
        return Settings()
    except ValidationError as exc:
        raise ConfigurationError("; ".join(_sentence(dict(error)) for error in exc.errors())) from None


def unknown() -> list[str]:
    """A sentence for each variable of ours that is no setting, with the one that was probably meant."""
    known = {name.upper() for name in Settings.model_fields}
    ours = {name: name.upper().removeprefix(PREFIX) for name in os.environ if name.upper().startswith(PREFIX)}
    return [f"{name} is no setting; {_hint(bare, known)}" for name, bare in sorted(ours.items()) if bare not in known]


def _hint(bare: str, known: set[str]) -> str:
    import difflib  # noqa: PLC0415 - only for names that are wrong

    near = difflib.get_close_matches(bare, sorted(known), 1, 0.7)
    return f"did you mean {PREFIX}{near[0]}?" if near else "docs/configuration.md has all that there are"


def _sentence(error: dict[str, Any]) -> str:
    """One line: which variable, what it holds, what is allowed."""
    reason = str(error["msg"]).removeprefix("Value error, ")
    if not error["loc"]:
        return reason
    variable = PREFIX + str(error["loc"][0]).upper()
    secret = any(part in variable for part in ("KEY", "OCR_SERVER", "TOKENS", "JWKS"))
    shown = "" if secret else f"={_shown(error['input'])}"
    return f"{variable}{shown} is not allowed: {reason[:1].lower()}{reason[1:]}"


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
