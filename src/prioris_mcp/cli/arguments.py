"""The command line's words."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from prioris_mcp import __version__
from prioris_mcp.domain.documents import SourceFormat
from prioris_mcp.domain.sources.table import SOURCES

SHELLS = ("bash", "zsh", "tcsh", "fish", "powershell")
FORMATS = [format_.value for format_ in SourceFormat]
CLIENTS = ("claude-desktop", "claude-code", "cursor", "vscode", "windsurf", "zed")


def parser() -> argparse.ArgumentParser:
    """Everything that can be typed after ``prioris-mcp``."""
    top = argparse.ArgumentParser(
        prog="prioris-mcp",
        description="Find, fetch, read and cite research papers. Without a command: the MCP server, over standard"
        " input and output unless PRIORIS_MCP_TRANSPORT says otherwise.",
    )
    top.add_argument("--version", action="version", version=f"prioris-mcp {__version__}")
    commands = top.add_subparsers(dest="command", metavar="command")
    commands.add_parser("serve", help="run the MCP server (what happens without a command)")
    _add_doctor(commands.add_parser("doctor", help="check this installation; exit code 1 if something is broken"))
    _add_setup(commands.add_parser("setup", help="write this installation into a client's configuration"))
    _add_completion(commands.add_parser("completion", help="print a script that completes commands in your shell"))
    _add_search(commands.add_parser("search", help="search arXiv"))
    _add_discover(commands.add_parser("discover", help="find works of every publisher by meaning (needs a key)"))
    _add_fetch(commands.add_parser("fetch", help="download a paper into the library"))
    _add_read(commands.add_parser("read", help="print a fetched paper as Markdown"))
    _add_add(commands.add_parser("add", help="add PDF files of your own to the library"))
    _add_list(commands.add_parser("list", help="list what the library holds"))
    _add_search_library(
        commands.add_parser("search-library", help="find passages in the library, by words and by meaning")
    )
    _add_delete(commands.add_parser("delete", help="delete documents from the library"))
    _add_reparse(commands.add_parser("reparse", help="renew Markdown that an older parser made, from what is stored"))
    _add_notes(commands.add_parser("notes", help="list, search, export and import notes"))
    return top


def _add_doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--repair", action="store_true", help="mend the library: strays, a lost catalogue, the index; says what it did"
    )


def _add_setup(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Writes how this installation is started into the configuration of each client named, keeping all else that is"
        " in there and a copy of it. Without a client: prints the entry to paste."
    )
    parser.add_argument("clients", nargs="*", metavar="CLIENT", type=_client, help=", ".join(CLIENTS))
    parser.add_argument("--print", action="store_true", help="print the entry and its place, and write nothing")
    parser.add_argument("--dry-run", action="store_true", help="show the lines that would change, and write nothing")
    parser.add_argument("--remove", action="store_true", help="take the entry out again")
    parser.add_argument(
        "--name", type=_name, default="prioris", help="what the server is called there (default: prioris)"
    )
    parser.add_argument(
        "--file", type=Path, metavar="FILE", help="another file of the client's form, as of one project"
    )
    parser.add_argument(
        "--env", type=_setting, action="append", default=[], metavar="NAME=VALUE", help="a variable for the server"
    )


def _add_completion(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "For bash: prioris-mcp completion bash >> ~/.bash_completion; for zsh: prioris-mcp completion zsh >"
        " a folder of $fpath/_prioris-mcp; for fish: prioris-mcp completion fish >"
        " ~/.config/fish/completions/prioris-mcp.fish; for tcsh and PowerShell the script's first lines say where to."
    )
    parser.add_argument("shell", choices=SHELLS, help=", ".join(SHELLS))


def _client(text: str) -> str:
    if text not in CLIENTS:
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(CLIENTS)}; without a client, setup prints")
    return text


def _name(text: str) -> str:
    # Clients put it in front of each tool's name, and allow 64 characters for both.
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,20}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not 1 to 20 letters, digits, hyphens and underscores")
    return text


def _setting(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not (name and sign):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form NAME=VALUE")
    return name, value


def _add_search(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="+", help="words, phrases, ti: au: abs: cat: fields, AND OR ANDNOT")
    parser.add_argument("-n", "--max-results", type=int, default=10, metavar="N", help="most papers (default 10)")
    parser.add_argument("--start", type=int, default=0, metavar="N", help="papers to skip")
    parser.add_argument("--newest", action="store_true", help="sort by submission date instead of relevance")
    _add_json(parser)


def _add_discover(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="+", help="what you look for, in plain words")
    parser.add_argument("-n", "--max-results", type=int, default=10, metavar="N", help="most works (default 10)")
    parser.add_argument("--page", type=int, default=1, metavar="N", help="page, from 1")
    parser.add_argument("--from-year", type=int, metavar="YEAR", help="published in this year or later")
    parser.add_argument("--to-year", type=int, metavar="YEAR", help="published in this year or earlier")
    parser.add_argument("--open-access", action="store_true", help="only works with open full text")
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
    _add_scope(parser)
    parser.add_argument("--offset", type=int, default=0, metavar="N", help="entries to skip")
    parser.add_argument("--limit", type=int, default=50, metavar="N", help="most entries (default 50)")
    _add_json(parser)


def _add_add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="PDF file")
    _add_json(parser)


def _add_search_library(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="+", help='words, "phrases", prefix*, AND OR NOT; plain questions work as well')
    _add_scope(parser)
    parser.add_argument("--identifier", metavar="ID", help="only this document; needs --provider")
    parser.add_argument("--notes", action="store_true", help="your notes as well")
    parser.add_argument("-n", "--limit", type=int, default=10, metavar="N", help="most matches (default 10)")
    parser.add_argument("--offset", type=int, default=0, metavar="N", help="matches to skip")
    _add_json(parser)


def _add_delete(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("identifiers", nargs="+", metavar="ID", help="identifier, as `list` shows it")
    parser.add_argument("--format", choices=FORMATS, help="only this format (default: every one)")
    parser.add_argument("--artefact", choices=["document", "markdown", "all"], default="all", help="default: all")
    _add_json(parser)


def _add_reparse(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("identifiers", nargs="*", metavar="ID", help="only these, whatever parser made them")
    parser.add_argument("--all", action="store_true", help="every document (default: those of an older parser)")
    _add_json(parser)


def _add_notes(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="action", required=True)
    listing = actions.add_parser("list", help="list notes, newest first")
    search = actions.add_parser("search", help="search the notes' texts, the best match first")
    search.add_argument("query", nargs="+", help='words, "phrases", prefix*, AND OR NOT')
    for paged in (listing, search):
        paged.add_argument("--offset", type=int, default=0, metavar="N", help="notes to skip")
        paged.add_argument("--limit", type=int, default=50, metavar="N", help="most notes (default 50)")
    out = actions.add_parser("export", help="write every note as a Markdown file, for example into an Obsidian vault")
    back = actions.add_parser("import", help="bring such files back: new ones, newer ones and edited ones")
    for moving in (out, back):
        moving.add_argument("folder", type=Path, metavar="DIR", help="folder of the files")
        moving.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")
    for action in (listing, search, out, back):
        _add_json(action)


def _add_scope(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--provider", choices=list(SOURCES), help="only from this source")
    parser.add_argument("--format", choices=FORMATS, help="only in this format")


def _add_document(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("identifier", help="arXiv identifier, PMCID, PMID, DOI, address, or id of a local file")
    parser.add_argument("--format", choices=FORMATS, help="full-text format (default: pdf, or xml)")


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
