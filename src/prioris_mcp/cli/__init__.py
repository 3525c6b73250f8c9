"""The command line: without arguments the MCP server, with a command something for a person.

Nothing heavy is imported before it is known to be needed.
"""

from __future__ import annotations

import argparse
import gc
import logging
import os
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from prioris_mcp.errors import ConfigurationError, PriorisError

if TYPE_CHECKING:
    from prioris_mcp.settings import Settings

_INTERRUPTED = 130
_UNREAD = 141
_AT_HOME = ("setup", "completion")
"""Commands about the installation itself, which need neither settings nor library."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code: 0 done, 1 failed, 2 wrong usage or configuration."""
    signal.signal(signal.SIGTERM, _stop)
    typed = sys.argv[1:] if argv is None else [*argv]
    options = None if typed in ([], ["serve"]) else _read(typed)
    serving = options is None or options.command in (None, "serve")
    try:
        return _spoken(options) if options and not serving else _serve()
    except PriorisError as exc:
        _complain(exc)
        return 2 if isinstance(exc, ConfigurationError) else 1
    except KeyboardInterrupt:
        return 0 if serving else _INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output, as `| head`, has seen enough; Python must not flush into the pipe once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _UNREAD
    except Exception:
        # Python's own traceback would show whatever the message holds.
        logging.getLogger(__name__).critical("this should not have happened", exc_info=True)
        return 1


def _read(typed: Sequence[str]) -> argparse.Namespace:
    from prioris_mcp.cli.arguments import parser  # a client that starts the server need not wait for the other commands

    return parser().parse_args(typed)


def _complain(failure: PriorisError) -> None:
    """Say on standard error what went wrong, and nothing of a secret."""
    from prioris_mcp import settings
    from prioris_mcp.cli.remedies import said
    from prioris_mcp.redaction import Redactor

    try:
        hide = Redactor(settings.load().secrets())
    except ConfigurationError:  # whose sentence names no secret
        hide = Redactor()
    print(f"prioris-mcp: {hide(said(failure))}", file=sys.stderr)


def _stop(*_: object) -> NoReturn:
    """SIGTERM, wherever nobody else handles it: end as if done."""
    raise SystemExit(0)


def _serve() -> int:
    gc.disable()  # until the server stands: collecting finds nothing before that, and costs a tenth of the start
    from prioris_mcp import settings
    from prioris_mcp.cli.malloc import give_back
    from prioris_mcp.cli.serve import serve

    give_back()
    loaded = settings.load()
    _begin_log(loaded, loaded.logging_level)
    serve(loaded)
    return 0


def _begin_log(loaded: Settings, level: int) -> None:
    """Log to standard error, and say there first what is set that is no setting."""
    from prioris_mcp import log, settings

    log.configure(level, loaded.secrets(), as_json=loaded.log_format == "json")
    for sentence in settings.unknown():
        logging.getLogger("prioris_mcp").warning(sentence)


def _spoken(options: argparse.Namespace) -> int:
    """Run a command that prints; what it printed has arrived, or BrokenPipeError."""
    code = _at_home(options) if options.command in _AT_HOME else _for_people(options)
    sys.stdout.flush()
    return code


def _at_home(options: argparse.Namespace) -> int:
    if options.command == "setup":
        from prioris_mcp.cli.setup.setup import setup

        return setup(options)
    from prioris_mcp.cli.completion import completion

    return completion(options)


def _for_people(options: argparse.Namespace) -> int:
    import asyncio

    from prioris_mcp import settings
    from prioris_mcp.cli import dispatch

    loaded = settings.load()
    _begin_log(loaded, max(loaded.logging_level, dispatch.QUIET))
    return asyncio.run(dispatch.run(options, loaded))
