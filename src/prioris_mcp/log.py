"""Logging: standard error only, one line a record, secrets blacked out. Set up by the command line."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

_FORMAT = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"
_ESCAPES = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if code not in (9, 10)}


class _PlainFormatter(logging.Formatter):
    """Makes a record harmless: no control characters, no lone surrogates, no secrets."""

    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__(_FORMAT)
        self._secrets = [secret for secret in secrets if secret]

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the standard library's name
        return super().formatMessage(record).replace("\n", "\\n")

    def format(self, record: logging.LogRecord) -> str:
        text = self.redacted(super().format(record).translate(_ESCAPES))
        return text.encode("utf-8", "backslashreplace").decode()

    def redacted(self, text: str) -> str:
        """*text* without secrets."""
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text


class _JsonFormatter(_PlainFormatter):
    """The same as one JSON object a line: time (UTC), level, logger, message, a record's own fields, exception."""

    def format(self, record: logging.LogRecord) -> str:
        found: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            found["exception"] = self.formatException(record.exc_info)
        plain = {key: self.redacted(value) if isinstance(value, str) else value for key, value in found.items()}
        return json.dumps(plain).replace("\x7f", "\\u007f")


class _StderrHandler(logging.StreamHandler):  # type: ignore[type-arg]
    """Writes to whatever standard error is now, in whatever encoding it has."""

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stderr
        super().emit(record)


def configure(level: int, secrets: Iterable[str] = (), *, as_json: bool = False) -> None:
    """Send every logger of the process to standard error, from *level* up, without *secrets*."""
    if hasattr(sys.stderr, "reconfigure"):
        sys.stderr.reconfigure(errors="backslashreplace")
    handler = _StderrHandler(sys.stderr)
    handler.setFormatter(_JsonFormatter(secrets) if as_json else _PlainFormatter(secrets))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in ("prioris_mcp", "fastmcp"):
        logging.getLogger(name).setLevel(level)
