"""Read tokens from a file, which may change while the server runs."""

from __future__ import annotations

import logging
from pathlib import Path

from prioris_mcp.domain.tokens import Tokens, parse
from prioris_mcp.errors import ConfigurationError

_log = logging.getLogger(__name__)


class TokenFile:
    """Hold the tokens of a file and those of a variable together, those of the file as they are now."""

    def __init__(self, path: Path | None, fixed: Tokens) -> None:
        """Read the file. Raise ConfigurationError where it cannot be read or understood."""
        self._path, self._fixed = path, fixed
        self._state: tuple[int, int] | None = None
        self._tokens: Tokens = {}
        if path is not None:
            self._tokens, self._state = _read(path), _state(path)

    def current(self) -> Tokens:
        """Return all tokens. Keep what was known, and log it, where the file has become unreadable."""
        if self._path is not None and (state := _state(self._path)) != self._state:
            self._state = state
            try:
                self._tokens = _read(self._path)
                _log.info("%d tokens read anew", len(self._tokens))
            except ConfigurationError as exc:
                _log.warning("the tokens stay as they were: %s", exc)
        return {**self._fixed, **self._tokens}


def _state(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _read(path: Path) -> Tokens:
    where = "PRIORIS_MCP_AUTH_TOKENS_FILE"
    try:
        return parse(path.read_text("utf-8"), where)
    except (OSError, UnicodeDecodeError) as exc:
        raise ConfigurationError(f"{where} cannot be read; check the file and its rights") from exc
