"""The page about the command line, written from its argument parsers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from prioris_mcp.cli.arguments import parser

_INTRO = """\
`prioris-mcp` without a command is the MCP server. The commands below use the same library and the same settings
([configuration](configuration.md)). Exit codes: 0 done, 1 failed, 2 wrong usage or configuration; what failed is one
sentence on standard error. `--json` prints what a program can read.
"""


def page(note: str) -> str:
    """One section for each command, with *note* at the top."""
    return f"# Command line\n\n{note}\n{_INTRO}\n" + "\n".join(_sections(parser(), ""))


def _sections(found: argparse.ArgumentParser, path: str) -> Iterator[str]:
    for action in found._actions:
        if isinstance(action, argparse._SubParsersAction):
            for choice in action._choices_actions:
                child = f"{path} {choice.dest}".strip()
                yield _section(child, choice.help or "", action.choices[choice.dest])
                yield from _sections(action.choices[choice.dest], child)


def _section(path: str, help: str, found: argparse.ArgumentParser) -> str:
    rows = [_row(action) for action in found._actions if not isinstance(action, _LEFT_OUT)]
    table = "| word | what it does |\n| --- | --- |\n" + "\n".join(rows) + "\n" if rows else ""
    told = f"{help[:1].upper()}{help[1:]}."
    more = f" {found.description}" if found.description else ""
    return f"## `prioris-mcp {path}`\n\n{told}{more}\n" + (f"\n{table}" if table else "")


_LEFT_OUT = (argparse._HelpAction, argparse._SubParsersAction)


def _row(action: argparse.Action) -> str:
    names = ", ".join(f"`{name}`" for name in action.option_strings)
    value = "" if action.nargs == 0 else _value(action)
    return f"| {' '.join(filter(None, (names, value)))} | {(action.help or '').replace('|', '&#124;')} |"


def _value(action: argparse.Action) -> str:
    if action.choices:
        return " or ".join(f"`{choice}`" for choice in action.choices)
    name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    return f"`{name}{' …' if action.nargs in ('*', '+') else ''}`"
