"""Plain text for a terminal of any encoding."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What a command has to say: *facts* as JSON, *text* for a person, *note* beside it on standard error."""

    facts: Any
    text: str
    note: str = ""
    code: int = 0


def say(text: str) -> None:
    """Print *text*; what the terminal's encoding lacks becomes a question mark."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding))


def table(rows: Sequence[Sequence[str]]) -> str:
    """*rows* in columns; the last column is not padded."""
    if not rows:
        return ""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    return "\n".join(
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip()
        for row in rows
    )


def wrapped(text: str, indent: str) -> str:
    """*text* folded to the terminal's width."""
    width = min(shutil.get_terminal_size().columns, 110)
    return textwrap.fill(text, width, initial_indent=indent, subsequent_indent=indent)


def progress_line(text: str) -> None:
    """Show *text* in place of the last such line, on standard error; "" clears it. Nothing where nobody looks."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
