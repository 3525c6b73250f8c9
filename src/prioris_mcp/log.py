"""Logging: standard error only, one line a record, nothing of a caller's in it. Set up by the command line."""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

from prioris_mcp.redaction import Redactor

_FORMAT = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"
_ESCAPES = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if code not in (9, 10)}
_OURS = "prioris_mcp"
_RESOURCE = re.compile(r"\bresearch:/+[^\s'\"]+")


class _WithoutArguments(logging.Filter):
    """What somebody asks for is nobody's business, and only our own code knows what of a text is that.

    Records of other libraries lose the addresses of resources, and of exceptions they keep type and place: a message
    may repeat the arguments. `configure` keeps their DEBUG level, which is made of arguments, out altogether.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.partition(".")[0] != _OURS:
            record.msg, record.args = _RESOURCE.sub("research://…", record.getMessage()), None
            if record.exc_info and record.exc_info[1]:
                record.exc_text = _places(record.exc_info[1])
                record.exc_info = None
        return True


def _places(exc: BaseException) -> str:
    """The traceback of *exc* and of those behind it, the first one first, without their messages."""
    chain, seen = [exc], {id(exc)}
    while (behind := chain[-1].__cause__ or chain[-1].__context__) and id(behind) not in seen:
        chain.append(behind)
        seen.add(id(behind))
    return "".join(
        f"Traceback (most recent call last):\n{''.join(traceback.format_tb(each.__traceback__))}{type(each).__name__}\n"
        for each in reversed(chain)
    ).rstrip()


class _PlainFormatter(logging.Formatter):
    """Makes a record harmless: no control characters, no lone surrogates, no secrets."""

    def __init__(self, hide: Callable[[str], str]) -> None:
        super().__init__(_FORMAT)
        self._hide = hide

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the standard library's name
        return super().formatMessage(record).replace("\n", "\\n")

    def format(self, record: logging.LogRecord) -> str:
        text = self._hide(super().format(record).translate(_ESCAPES))
        return text.encode("utf-8", "backslashreplace").decode()


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
        if record.exc_info or record.exc_text:
            found["exception"] = self.formatException(record.exc_info) if record.exc_info else record.exc_text
        plain = {key: self._hide(value) if isinstance(value, str) else value for key, value in found.items()}
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
    hide = Redactor(secrets)
    handler.setFormatter(_JsonFormatter(hide) if as_json else _PlainFormatter(hide))
    handler.addFilter(_WithoutArguments())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(_OURS).setLevel(level)
    theirs = logging.getLogger("fastmcp")
    theirs.setLevel(max(level, logging.INFO))
    # Where a program has imported it before us, as `fastmcp run`, it writes by itself, and all that it is given.
    theirs.handlers[:], theirs.propagate = [], True
