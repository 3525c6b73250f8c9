"""``prioris-mcp completion SHELL``: a script that completes what can be typed, written from the argument parser."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import shtab

from prioris_mcp.cli.arguments import CLIENTS, parser
from prioris_mcp.cli.terminal import say


def completion(options: argparse.Namespace) -> int:
    """Print the script for one shell."""
    whole = parser()
    for action in _actions(whole):
        if action.type is Path:
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # how shtab wants it
        elif action.dest == "clients":
            action.choices = CLIENTS  # the parser itself checks them one by one
    say(shtab.complete(whole, options.shell))
    return 0


def _actions(found: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Return the options and arguments of *found* and of all commands below it."""
    for action in found._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                yield from _actions(child)
