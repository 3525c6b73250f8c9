"""The commands for people: the same use cases as the server's, shown as text or JSON."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Awaitable, Callable

from prioris_mcp.app.services import Services
from prioris_mcp.cli import library, notes, reparse, sources
from prioris_mcp.cli.terminal import CommandResult, say, table
from prioris_mcp.redaction import Redactor
from prioris_mcp.settings import Settings
from prioris_mcp.wiring import open_services
from prioris_mcp.wiring.checks import checks, index_check, library_checks, notes_check

QUIET = logging.WARNING
"""Commands log less than the server: what goes wrong is said in their own words."""


async def run(options: argparse.Namespace, settings: Settings) -> int:
    """Run the command that *options* name, and return its exit code."""
    if options.command == "doctor":
        return await doctor(settings, repair=options.repair)
    async with open_services(settings) as services:
        outcome = await _COMMANDS[options.command](services, options)
    say(json.dumps(outcome.facts, indent=2) if options.json else outcome.text)
    if outcome.note and not options.json:
        print(outcome.note, file=sys.stderr)
    return outcome.code


async def doctor(settings: Settings, *, repair: bool) -> int:
    """One line for each thing the server depends on; 1 if something needed is broken."""
    found = [
        *checks(settings),
        *await library_checks(settings, repair=repair),
        await notes_check(settings),
        index_check(settings, repair=repair),
    ]
    marks = {True: "ok", False: "FAILED", None: "-"}
    say(Redactor(settings.secrets())(table([[check.name, marks[check.ok], check.text] for check in found])))
    return 1 if any(check.ok is False for check in found) else 0


_COMMANDS: dict[str, Callable[[Services, argparse.Namespace], Awaitable[CommandResult]]] = {
    "search": sources.search,
    "discover": sources.discover,
    "fetch": sources.fetch,
    "read": sources.read,
    "add": library.add,
    "list": library.list_,
    "search-library": library.search,
    "delete": library.delete,
    "reparse": reparse.reparse,
    "notes": notes.notes,
}
