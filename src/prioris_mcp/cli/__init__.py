"""The command line: without arguments the MCP server, with a command something for a person.

Nothing heavy is imported before it is known to be needed.
"""

from __future__ import annotations

import argparse
import gc
import signal
import sys
from collections.abc import Sequence
from typing import NoReturn

from prioris_mcp import __version__
from prioris_mcp.errors import ConfigurationError, PriorisError

_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code: 0 done, 1 failed, 2 wrong usage or configuration."""
    signal.signal(signal.SIGTERM, _stop)
    options = _parser().parse_args(argv)
    serving = options.command in (None, "serve")
    try:
        return _serve() if serving else _for_people(options)
    except ConfigurationError as exc:
        print(f"prioris-mcp: {exc}", file=sys.stderr)
        return 2
    except PriorisError as exc:
        print(f"prioris-mcp: {exc}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0 if serving else _INTERRUPTED


def _stop(*_: object) -> NoReturn:
    """SIGTERM, wherever nobody else handles it: end as if done."""
    raise SystemExit(0)


def _serve() -> int:
    # Collecting garbage while importing finds none and costs a tenth of the start.
    gc.disable()
    from prioris_mcp import log, settings
    from prioris_mcp.cli.serve import serve

    loaded = settings.load()
    log.configure(loaded.logging_level, loaded.secrets())
    gc.freeze()
    gc.enable()
    serve(loaded)
    return 0


def _for_people(options: argparse.Namespace) -> int:
    import asyncio

    from prioris_mcp import log, settings
    from prioris_mcp.cli import people

    loaded = settings.load()
    log.configure(max(loaded.logging_level, people.QUIET), loaded.secrets())
    return asyncio.run(people.run(options, loaded))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="prioris-mcp",
        description="Find, fetch, read and cite research papers. Without a command: the MCP server, over standard"
        " input and output unless PRIORIS_MCP_TRANSPORT says otherwise.",
    )
    parser.add_argument("--version", action="version", version=f"prioris-mcp {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="command")
    commands.add_parser("serve", help="run the MCP server (what happens without a command)")
    commands.add_parser(
        "doctor", help="check this installation, a line each; exit code 1 if something needed is broken"
    )
    _add_search(commands.add_parser("search", help="search arXiv"))
    _add_fetch(commands.add_parser("fetch", help="download a paper into the library"))
    _add_read(commands.add_parser("read", help="print a fetched paper as Markdown"))
    _add_list(commands.add_parser("list", help="list what the library holds"))
    return parser


def _add_search(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="+", help="words, phrases, ti: au: abs: cat: fields, AND OR ANDNOT")
    parser.add_argument("-n", "--max-results", type=int, default=10, metavar="N", help="most papers (default 10)")
    parser.add_argument("--start", type=int, default=0, metavar="N", help="papers to skip")
    parser.add_argument("--newest", action="store_true", help="sort by submission date instead of relevance")
    _add_json(parser)


def _add_fetch(parser: argparse.ArgumentParser) -> None:
    _add_document(parser)
    _add_json(parser)


def _add_read(parser: argparse.ArgumentParser) -> None:
    _add_document(parser)
    parser.add_argument("--page", type=int, metavar="N", help="PDF page to start at")
    parser.add_argument("--offset", type=int, default=0, metavar="N", help="characters to skip")
    parser.add_argument("--limit", type=int, metavar="N", help="most characters (default: the server's setting)")
    _add_json(parser)


def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--provider", choices=["arxiv", "europepmc", "localfile"], help="only from this source")
    parser.add_argument("--format", choices=["pdf", "html", "xml"], help="only in this format")
    parser.add_argument("--offset", type=int, default=0, metavar="N", help="entries to skip")
    parser.add_argument("--limit", type=int, default=50, metavar="N", help="most entries (default 50)")
    _add_json(parser)


def _add_document(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("identifier", help="arXiv identifier or address, e.g. 2106.09685 or hep-th/9901001v1")
    parser.add_argument("--format", choices=["pdf", "html"], default="pdf", help="full-text format (default pdf)")


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
